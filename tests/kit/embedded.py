"""How tests start the server that lives in one folder."""

from __future__ import annotations

import os
import sys
from typing import Final

from tests.kit.folders import ROOT

COMMAND: Final = [sys.executable, "-m", "leaderboard.embedded"]
ENVIRONMENT: Final = {**os.environ, "PYTHONPATH": str(ROOT)}
