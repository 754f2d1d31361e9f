"""Commands: sweep, regrade."""
