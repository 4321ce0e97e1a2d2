"""Committed results of the package's agents: ``BOARD/AGENT/results.csv``, and the report of the search.

``BOARD@DATASET`` is the folder of a board whose server compares another dataset, such as the demo's kernels.

``./run baselines`` replays every row as a runner does. Nothing imports this but tests, and the server's
command that submits the results.
"""
