"""Migrations of boards and submissions."""
