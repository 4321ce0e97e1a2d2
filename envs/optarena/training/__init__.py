"""Trains policies. The modules here that import PyTorch need the extra ``rl``; what they make does not.

A policy is saved as plain arrays (``optarena.agents.policies``), which the agents run by numpy alone. Nothing
below imports this room, and ``optarena train`` imports it when it is asked for.
"""
