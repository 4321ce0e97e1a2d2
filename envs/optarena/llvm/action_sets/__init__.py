"""The action spaces of the LLVM session: what an action of each means for a program.

Runs in a session process: no numpy, no gymnasium. The tables that give actions their names are pure data
and known to the client too.
"""
