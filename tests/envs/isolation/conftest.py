"""The hostile module, findable by this process and, through its ``sys.path``, by workers."""

from __future__ import annotations

import sys
from pathlib import Path

for folder in (Path(__file__).parent, Path(__file__).parent.parent / "service"):
    sys.path.insert(0, str(folder))
