"""The one reader of documents: JSON, TOML and CSV become checked values, and every problem is collected.

This room imports only errors and limits from the package. The processes of sessions import ``texts``, which
stays cheap. Pydantic, with our messages and remedies, took as many lines and as much time, and every
session would have loaded it.
"""
