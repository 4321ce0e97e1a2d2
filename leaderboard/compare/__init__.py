"""Comparisons of entries and of boards."""
