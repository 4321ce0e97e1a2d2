"""How a process that runs foreign work is limited and confined: rlimits, Landlock, seccomp, user id.

Everything here works on the calling process by ctypes alone, needs no privilege and no helper program,
and is meant for the freshly forked, single-threaded children of a zygote. Imports nothing but the
package's ``errors`` and ``limits``: no numpy, no protobuf.
"""
