"""The pages on which cohorts are made and filled, and passwords chosen."""
