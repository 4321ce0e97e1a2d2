"""How many examples tests draw: few each time, and many in ``./run soak``."""

from __future__ import annotations

import os


def examples(number: int) -> int:
    return number * int(os.environ.get("OPTARENA_TEST_EXAMPLES", "1"))
