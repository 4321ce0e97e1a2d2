"""Decisions on single loops and calls: the modules of ``optarena/llvm-loops-v0``."""
