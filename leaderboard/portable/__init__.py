"""Portable boards: one sealed set of sequences for programs that are drawn later."""
