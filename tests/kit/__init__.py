"""Helpers that several tests import. What other processes import by name is in ``tests/plugins``."""
