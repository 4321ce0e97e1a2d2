"""Validating states: replaying them and comparing their rewards and claims with the replay's."""

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
