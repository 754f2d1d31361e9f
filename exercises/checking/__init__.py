"""The checking engine: read what was typed, compare it, follow a chain, name the first break.

Plain Python and NumPy: no Django, no database, no clock. ``reading`` turns text into values,
``comparing`` judges values, ``answers`` does both for one field, and ``messages`` holds the
sentences for learners. ``python -m exercises.checking`` is the engine's command line.
"""
