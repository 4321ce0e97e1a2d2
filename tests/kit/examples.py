"""How many examples the slow property tests draw: few each time, and many where somebody asks for it."""

from __future__ import annotations

import os


def examples(number: int) -> int:
    """So many, times ``$OPTARENA_TEST_EXAMPLES``."""
    return number * int(os.environ.get("OPTARENA_TEST_EXAMPLES", "1"))
