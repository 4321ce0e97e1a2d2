"""Agents that search for sequences of actions, and what they search with.

An agent is a function of an :class:`Evaluator`, a :class:`Budget` and a generator of random numbers that
yields better and better outcomes. ``evaluator`` evaluates sequences, by way of ``prefixes`` (what is known
of each prefix), ``copies`` (live sessions behind some of them) and ``trials`` (runs what is not known).
Each agent has a module: ``random_walks``, ``lists``, ``greedy``, ``local``, ``genetic``, ``nevergrad`` and
``ppo``, whose policies are read by ``policies``; ``catalogue`` names them all.
``searching`` lets one search program after program, and ``reports`` are its files. Imports no torch.
"""

from optarena.agents.evaluator import Evaluator
from optarena.agents.outcomes import Agent, Budget, Objective, SearchOutcome, Sequence
from optarena.agents.searches import minimise

__all__ = ["Agent", "Budget", "Evaluator", "Objective", "SearchOutcome", "Sequence", "minimise"]
