"""The one reader of documents: JSON, TOML and CSV become checked values, and every problem is collected.

``loading`` and ``separated`` turn bytes into plain data. ``kinds`` and ``composed`` say what a value may be:
a text, a number, a list. ``tables`` reads the fields of an object one by one; ``reports`` reads a
declared object as a whole and describes it as a JSON schema. ``places`` names a field as its author wrote it,
and collects problems.
``texts`` says what a printable text is.

This room imports only errors and limits from the package. ``texts`` is imported by the processes of sessions
and stays cheap.
"""
