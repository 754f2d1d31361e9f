"""The demo: one command that serves everything on this machine, and a cohort to look at."""
