"""The action spaces of the LLVM session, and what an action of each does to a program.

These modules run in a session process, so they import neither numpy nor gymnasium. The tables that give
actions their names are pure data, and the client knows them too.
"""
