"""Validating states: replay them and compare what they say with what the replay gives."""

from optarena.validation.result import Comparison, ValidationProblem, ValidationResult
from optarena.validation.states import REPEATS, TOLERANCE, replayed_reward, validate_state

__all__ = [
    "REPEATS",
    "TOLERANCE",
    "Comparison",
    "ValidationProblem",
    "ValidationResult",
    "replayed_reward",
    "validate_state",
]
