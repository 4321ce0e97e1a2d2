"""Decisions on single calls, asked for by LLVM's inliner: the modules of ``optarena/llvm-inliner-v0``."""
