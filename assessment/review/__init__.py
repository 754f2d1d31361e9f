"""Scoring, break tags and release: what a person decides about a submission."""
