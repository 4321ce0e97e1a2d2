"""Signals to the layers above. The receivers are there; the runner does not know them.

``verifications_finished`` (``verifications``: a sequence of Verification, never empty) is sent inside the
transaction that ends them, whose rows are locked: a receiver's writes are committed with the end, or not at
all.

``swept`` (``now``: a datetime) is sent after each pass of the sweeper, outside any transaction. What a
receiver raises is logged, and the sweeper goes on.
"""

from __future__ import annotations

from typing import Final

from django.dispatch import Signal

verifications_finished: Final = Signal()
swept: Final = Signal()
