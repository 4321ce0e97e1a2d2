"""The curated passes named by their texts for ``opt``: the table ``llvm-commandline-v0``.

Indices and command lines are the same as those of the curated table.
"""

from __future__ import annotations

from typing import Final

from optarena.llvm.actions import CURATED, PassTable

COMMANDLINE: Final = PassTable("llvm-commandline-v0", CURATED.actions)
