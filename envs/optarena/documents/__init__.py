"""The one reader of documents: JSON, TOML and CSV become checked values, and every problem is collected.

``loading`` turns bytes into plain data. ``kinds`` says what a value may be, and reads objects as a whole or
field by field. ``places`` names a field as its author wrote it, and collects problems. ``texts`` says what a
printable text is.

This room imports only errors and limits from the package. ``texts`` is imported by the processes of sessions
and stays cheap.
"""
