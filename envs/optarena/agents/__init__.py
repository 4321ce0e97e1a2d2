"""Agents that search for sequences of actions, and what they search with.

An agent is a function of an :class:`Evaluator`, a :class:`Budget` and a generator of random numbers that
yields better and better outcomes. ``evaluator`` evaluates sequences from live copies of prefixes, ``trials``
runs what is not known of them, ``searches`` are the agents, ``policies`` what some of them follow, and
``catalogue`` names them all. ``searching`` lets one search program after program, and ``reports`` are its
files. Imports no torch.
"""

from optarena.agents.evaluator import Evaluator
from optarena.agents.outcomes import Agent, Budget, Objective, SearchOutcome, Sequence
from optarena.agents.searches import minimise

__all__ = ["Agent", "Budget", "Evaluator", "Objective", "SearchOutcome", "Sequence", "minimise"]
