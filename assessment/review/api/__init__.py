"""The REST endpoints of review."""
