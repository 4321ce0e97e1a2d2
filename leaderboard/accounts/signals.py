"""What accounts report to the apps above, in the same transaction."""

from __future__ import annotations

from typing import Final

from django.dispatch import Signal

account_deleted: Final = Signal()
"""Sent with ``user``, whose name is the new one already, and ``former_name``."""
