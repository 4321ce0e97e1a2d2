"""Boards and their standings."""
