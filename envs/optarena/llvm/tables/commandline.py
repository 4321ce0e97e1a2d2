"""The curated passes under their own texts: the table ``llvm-commandline-v0``.

Its actions have the indices of the named space, and its command lines are the same.
"""

from __future__ import annotations

from typing import Final

from optarena.llvm.actions import CURATED, PassTable

COMMANDLINE: Final = PassTable("llvm-commandline-v0", CURATED.actions)
