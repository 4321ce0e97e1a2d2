"""The action tables beside the curated one, and their text forms.

Pure data: they work where libLLVM does not. The text forms differ in their first word, so that a command
line says which table it is of.
"""
