"""Grades in files for spreadsheet programs, out and in.

``cells`` makes text safe to open, ``writing`` streams, ``reading`` takes what such programs save;
``gradebook`` and ``evidence`` are what leaves, ``points`` what comes back: planned, looked at, then
applied.
"""
