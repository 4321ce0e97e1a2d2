"""The manual as pages: the chapters of ``docs/`` and the guides beside it, the sources they name, and search.

It reads files of this installation and no database. Where they are not installed, the pages say so.
"""
