"""Where the project lies, and the modules that processes started by tests import by name."""

from __future__ import annotations

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
PLUGINS: Final = ROOT / "tests/plugins"
EXAMPLES: Final = ROOT / "examples"
