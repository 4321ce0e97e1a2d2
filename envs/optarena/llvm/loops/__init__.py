"""Decisions on single loops and calls: the modules of ``optarena/llvm-loops-v0``.

``columns``, ``decisions`` and ``environment`` are pure data. The others run in a session process: ``tables``
finds the loops and calls of a module, ``properties`` writes the metadata of a loop, ``looping`` and
``inlining`` carry a decision out, and ``action_set`` offers the decisions as an action space of
``optarena.llvm.loops_session``.
"""
