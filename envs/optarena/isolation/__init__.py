"""Limits and confines a process that runs untrusted code: rlimits, Landlock, seccomp, user id.

All functions act on the calling process by ctypes alone, need no privilege and no helper program, and are
meant for the freshly forked, single-threaded children of a zygote. These modules import only the package's
``errors`` and ``limits``: no numpy, no protobuf.
"""
