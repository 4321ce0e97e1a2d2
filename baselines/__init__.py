"""Committed results of the package's agents: ``BOARD/AGENT/results.csv``, and the report of the search.

``BOARD@DATASET`` is the folder of results for another dataset than the board's own. Nothing imports this but
tests, and the server's command that submits the results.
"""
