"""Nests to lower, measure and compare."""
