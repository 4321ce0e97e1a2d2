"""The manual as pages: the chapters of ``docs/`` and the guides beside it, the sources they name, and search.

Rooms: ``files`` (which files there are), ``rendering`` (Markdown to HTML), ``searching``, ``views``,
``urls``. It reads files of this installation and no database. Where they are not installed, the pages say so.
"""
