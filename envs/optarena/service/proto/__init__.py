"""The messages, as ``.proto`` files and the modules generated from them (a test regenerates and compares).

Only the ``.proto`` files are written by hand. Their wire format is stable: see docs/stability.md.
"""
