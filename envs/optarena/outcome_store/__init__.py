"""Stores of what sequences of actions gave, so that nothing deterministic is computed twice.

A row is found by the environment's digest, the program, the action space and the exact actions: ``rows``.
``store`` says what every store does, ``memory``, ``sqlite`` and ``valkey`` are the three, and ``opening``
finds the one of a URL. Searches use them (``optarena.agents``), and so does ``optarena.wrappers.StoredEnv``.
"""

from optarena.outcome_store.memory import MemoryStore
from optarena.outcome_store.opening import open_store
from optarena.outcome_store.rows import OutcomeTrace, ProgramKeys
from optarena.outcome_store.sqlite import SqliteStore
from optarena.outcome_store.store import OutcomeStore
from optarena.outcome_store.valkey import ValkeyStore

__all__ = [
    "MemoryStore",
    "OutcomeStore",
    "OutcomeTrace",
    "ProgramKeys",
    "SqliteStore",
    "ValkeyStore",
    "open_store",
]
