"""Given values, drafts, predictions, submissions and their checks; the learner's pages."""
