"""Grades in files for spreadsheet programs, out and in.

``gradebook`` and ``evidence`` are what leaves, ``points`` what comes back: planned, looked at, then
applied. How files are read and written is ``assessment.web.csv_files``'s.
"""
