"""The action tables beside the curated one, and their text forms.

Pure data: they work where libLLVM does not. The text forms differ in their first word, which identifies the
table of a command line.
"""
