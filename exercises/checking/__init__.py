"""The checking engine: read what was typed, compare it, follow a chain, name the first break.

Plain Python and NumPy: no Django, no database, no clock. ``reading`` turns text into values,
``comparing`` judges values, ``answers`` does both for one field, and ``messages`` holds the
sentences for learners.

A chain: ``givens`` and ``steps`` say what a reference is, ``worked`` works one out, ``lines`` reads
a trace. ``groups`` and ``statuses`` judge many traces as arrays, ``following`` carries along what
typed digits leave open, ``breaks`` names causes, ``operations`` evaluates what was written beside a
result; ``rowwise`` and ``rowcauses`` do the same for one trace without arrays. ``results`` and
``wording`` say it. ``batches`` and ``chains`` are the doors. ``drawing``, ``discrimination`` and
``variants`` make cases, ``directions`` holds predictions against them.

``python -m exercises.checking`` is the engine's command line.
"""
