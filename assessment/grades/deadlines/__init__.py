"""When a cohort's exercises are given and due, and who is excused: set by its instructors.

``setting`` holds the verbs, ``history`` what was decided before; ``reading`` is what learners see.
"""
