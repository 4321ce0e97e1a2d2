"""The measuring loop and its threads, in C: neither Python nor ctypes is timed.

``driver.ll`` is the textual LLVM IR that the pinned clang makes of ``driver.c`` (``tests/kit/native.py``);
the IR is what is shipped and compiled for the host, so that users need no compiler.
"""
