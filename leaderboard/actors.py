"""What the server itself is called where the names of accounts stand as well; nobody can sign up as these."""

from __future__ import annotations

from typing import Final

REVERIFY: Final = "reverify"
"""``manage.py reverify``, which has replays made anew whose ends are doubted."""
REPETITION: Final = "repetition"
"""A repetition that contradicts what was recorded, and so ends a verdict."""
