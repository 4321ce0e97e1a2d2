"""Verified sequences as recipes for builds by clang."""
