"""Generators of LLVM programs: one of our own, and two that Debian has.

``description`` registers them as plain data and imports none of them. ``synthetic``, ``csmith`` and
``stress`` each have a ``generate`` that makes a program of a seed. The others belong to ``synthetic``, in the
order of work:
``splitmix`` (random numbers), ``tree``, ``expressions``, ``program_generator``, ``evaluator``, ``ir_writer``.
"""
