"""Who is who: people of files and LMSs against people here, by ids alone, never by name.

``finding`` looks people up, ``numbering`` and ``mapping`` write the school's numbers on them;
``gradebooks`` reads what LMSs save and ``reconciling`` compares it with ours, row by row.
"""
