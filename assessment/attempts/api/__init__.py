"""The REST endpoints of attempts."""
