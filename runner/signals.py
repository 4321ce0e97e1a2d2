"""News that goes up the layers. Receivers live above; the runner knows none of them.

``verification_finished`` (``verification``: Verification) is sent inside the transaction that ends the
verification, whose row is locked: a receiver's writes are committed with the end, or not at all.
"""

from __future__ import annotations

from typing import Final

from django.dispatch import Signal

verification_finished: Final = Signal()
