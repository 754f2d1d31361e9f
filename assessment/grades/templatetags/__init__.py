"""Tags about grades for the pages of learners."""
