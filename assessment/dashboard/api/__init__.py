"""The REST endpoints of dashboard."""
