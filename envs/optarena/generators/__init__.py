"""Generators of LLVM programs: OptArena's own, and two external tools that Debian packages.

``synthetic``, ``csmith`` and ``stress`` each have a ``generate`` that makes a program from a seed.
``description`` registers them as plain data and imports none of them.
"""
