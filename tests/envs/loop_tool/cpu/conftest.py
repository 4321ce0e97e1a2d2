"""Makes the random nests of the folder above and the session of this one importable."""

from __future__ import annotations

import sys
from pathlib import Path

for folder in (Path(__file__).parent, Path(__file__).parent.parent):
    sys.path.insert(0, str(folder))
