"""Another release of LLVM for tests, which ``./run test`` finds or installs."""

from __future__ import annotations

import pytest

from optarena.specs import environment_spec
from tests.kit.tools import in_ci

LLVM_23 = environment_spec("llvm-23-v0")

needs_llvm_23 = pytest.mark.skipif(
    bool(LLVM_23.why_unavailable()) and not in_ci(),
    reason="LLVM 23 is not installed: `optarena llvm install 23`",
)
