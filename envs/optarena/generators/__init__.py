"""Generators of LLVM programs: OptArena's own, and two external tools that Debian packages.

``description`` registers them as plain data and imports none of them. ``synthetic``, ``csmith`` and
``stress`` each have a ``generate`` that makes a program from a seed. The others belong to ``synthetic``, in
the order of use:
``splitmix`` (random numbers), ``tree``, ``expressions``, ``program_generator``, ``evaluator``, ``ir_writer``.
"""
