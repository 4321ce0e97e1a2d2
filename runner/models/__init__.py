"""Rows of the runner: environment versions, verifications with their events and attempts, payers, workers."""

from runner.models.payers import Demand, Payer, Turn
from runner.models.runners import Runner
from runner.models.verifications import (
    EnvironmentVersion,
    UnannouncedEnd,
    Verification,
    VerificationAttempt,
    VerificationEvent,
)

__all__ = [
    "Demand",
    "EnvironmentVersion",
    "Payer",
    "Runner",
    "Turn",
    "UnannouncedEnd",
    "Verification",
    "VerificationAttempt",
    "VerificationEvent",
]
