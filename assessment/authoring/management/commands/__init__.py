"""Commands: import_session."""
