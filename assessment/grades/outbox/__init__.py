"""Scores on their way to LMSs: what each cell should say, and getting it there.

``collecting`` compares what should stand in each column with what was sent; ``sending`` delivers
what differs, retried with growing pauses. The database is the truth: whatever was missed, the next
run finds.
"""
