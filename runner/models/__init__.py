"""Rows of the runner: environment versions, verifications, what became of them, studies, payers, workers."""

from runner.models.calibrations import Calibration
from runner.models.payers import Demand, Payer, Turn
from runner.models.runners import Runner
from runner.models.studies import Study, StudyState
from runner.models.verifications import (
    EnvironmentVersion,
    UnannouncedEnd,
    Verification,
    VerificationAttempt,
    VerificationEvent,
)

__all__ = [
    "Calibration",
    "Demand",
    "EnvironmentVersion",
    "Payer",
    "Runner",
    "Study",
    "StudyState",
    "Turn",
    "UnannouncedEnd",
    "Verification",
    "VerificationAttempt",
    "VerificationEvent",
]
