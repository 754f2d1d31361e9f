"""The demo: everything on one machine."""
