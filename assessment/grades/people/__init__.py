"""Who is who: people of files and LMSs against people here, by ids alone, never by name.

``finding`` looks people up, ``mapping`` writes the school's numbers on them, ``reconciling``
compares grades row by row.
"""
