"""Generators of LLVM programs: OptArena's own, and two external tools that Debian packages.

``synthetic`` and ``external`` have functions that make a program from a seed.
``description`` registers them as plain data and imports none of them.
"""
