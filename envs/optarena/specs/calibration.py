"""A calibration set as plain data: small fixed workloads whose times tell what a machine is like today."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Reading = Callable[[int], float]
"""Makes one reading on the processor of this number; returns seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationSpec:
    """The workloads that one compiler contributes.

    Times of different versions are never compared: a change of a workload, or of the compiler that makes its
    program, is another version.

    Attributes:
        name: Short name: ``stack``.
        version: Everything that the times depend on apart from the machine: ``1-4.2``.
        prepare: ``module:function`` that makes everything ready and returns a :data:`Reading` for each entry,
            by names of lower-case letters, digits and underscores. It is called in a process of its own.
    """

    name: str
    version: str
    prepare: str
