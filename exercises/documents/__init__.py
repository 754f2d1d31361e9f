"""A session's documents, read into plain data: no Django, no database, no clock.

``text`` opens a file and cuts it into numbered lines, ``guide``, ``slides`` and ``exercises`` read
one document each, ``checks`` reads the small file that binds prompts to references, ``package``
reads a folder whole. ``session`` holds the nouns that they fill.
"""
