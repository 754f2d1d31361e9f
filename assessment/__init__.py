"""Who did what, and every door."""
