"""The command line of grades."""
