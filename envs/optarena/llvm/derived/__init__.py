"""Observations that the client of the LLVM environments derives: values in another form, and program runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from optarena.llvm.derived import running, vectors

if TYPE_CHECKING:
    from optarena.env.derived import DerivedObservation

OBSERVATIONS: Final[tuple[DerivedObservation, ...]] = (
    *vectors.OBSERVATIONS,
    *running.OBSERVATIONS,
)
"""Each module lists its own; the environments' specs name this tuple."""
