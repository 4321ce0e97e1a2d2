"""The messages, as ``.proto`` files and the modules generated from them (a test regenerates and compares).

Nothing is written here by hand but the ``.proto`` files. Their wire format is stable: see docs/stability.md.
"""
