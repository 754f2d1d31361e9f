"""LTI 1.3 Advantage: this service as a tool of an LMS.

``registering`` brings a platform in, ``messages`` check what it sends, ``claims`` read it,
``launching`` turns a checked launch into a signed-in person, with ``roles`` and ``people``,
``deep_linking`` answers with exercises, ``rosters`` follows the LMS's list of people, ``services``
calls the LMS; ``keys`` sign. Scores leave through ``assessment.grades.outbox``.
"""
