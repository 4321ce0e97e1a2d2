"""Prepares a process from which sessions are forked: what their first passes would do once is done here.

Every curated pass runs on a small program. So the subtargets of the target machine exist, LLVM has set up
what it sets up once, and the code of the passes is in memory. Nothing of this changes what a pass does later.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from typing import Final

from optarena.llvm.actions import CURATED
from optarena.llvm.module import Module

_MAKE_SUBTARGETS: Final = "function(require<target-ir>)"
_FIRST: Final = "function(mem2reg)"
_LEVEL: Final = "default<Oz>"
"""The level of most baselines."""


def touch() -> None:
    """Run a pass on the small program, in a process that was forked from a warm one."""
    with Module.parse(_program()) as module:
        module.run(_FIRST)


@lru_cache(maxsize=1)
def _program() -> bytes:
    return resources.files("optarena.llvm.native").joinpath("warm_up.ll").read_bytes()


@lru_cache(maxsize=1)
def warm_up() -> None:
    """Do it, once in this process."""
    # Two at a time, so that there is a machine for a session's program and one for its baselines.
    with Module.parse(_program()) as session, Module.parse(_program()) as baseline:
        for index in range(len(CURATED)):
            session.run(CURATED.action(index).pipeline)
        baseline.run(_MAKE_SUBTARGETS)
        baseline.run(_LEVEL)
        session.bitcode()
