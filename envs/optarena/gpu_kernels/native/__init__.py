"""The threads of a kernel on the CPU, in C.

``fibers.ll`` is what the pinned clang makes of ``fibers.c`` (see :mod:`optarena.native`); it is compiled for
the host, so that users need no compiler.
"""
