"""Loops over instructions that Python would be too slow for, in C over LLVM's C interface.

Each ``.c`` file lies here with the textual LLVM IR that the pinned clang makes of it; the IR is what is
shipped and compiled by the engine itself, so that users need no compiler.
"""
