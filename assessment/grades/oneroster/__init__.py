"""OneRoster 1.2, read side: released grades and the people they belong to, as the standard says.

``objects`` holds the standard's closed objects, ``filters`` and ``queries`` read what a client
asks, ``errors`` says no in the standard's form, ``paging`` writes the headers. ``results`` is the
large collection; ``gradebook`` and ``rostering`` are the small ones. ``views`` are the addresses.
"""
