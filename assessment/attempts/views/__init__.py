"""The learner's pages: home, session, exercise, submission."""
