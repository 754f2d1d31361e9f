"""The commands of grades."""
