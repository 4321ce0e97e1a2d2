"""The threads of a kernel on the CPU, in C.

``fibers.ll`` is what the pinned clang makes of ``fibers.c`` (see ``tests/kit/native.py``); it is compiled for
the host, so that users need no compiler.
"""
