"""The REST endpoints of grades."""
