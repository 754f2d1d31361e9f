"""Breaks by exercise, levels and alarms: figures and charts of a cohort."""
