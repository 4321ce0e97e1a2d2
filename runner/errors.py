"""The runner's error tree. Nothing here imports another module of the app."""

from __future__ import annotations

from collections.abc import Sequence


class RunnerError(Exception):
    """Base of all errors raised by the runner."""


class IllegalTransitionError(RunnerError):
    """The state machine does not have this edge, or not for this authority."""


class LeaseLostError(RunnerError):
    """The lease has ended or belongs to another worker: the result must be dropped."""


class LeaseAliveError(RunnerError):
    """The lease has not expired, so only its holder may end it."""


class ContentionError(RunnerError):
    """A request collided with others for the same work several times; the caller can repeat it."""


class EnvironmentChangedError(RunnerError):
    """The version of this installation's environment is not the requested one."""


class UnknownDeviceError(RunnerError, ValueError):
    def __init__(self, device: str, known: Sequence[str]) -> None:
        super().__init__(f"The device {device!r} is unknown; give one of: {', '.join(known)}.")
        self.device = device


class UnsuitableWorkerError(RunnerError):
    """A worker's options do not suit its hardware class; the message says what to do."""


class InvalidRoleError(RunnerError):
    """A database role or its password is unsuitable for a worker; the message says what to do."""


class EmulatedDeviceError(RunnerError):
    """A result was measured on an emulated device. Its times are meaningless, so it is never stored."""


class ReplayDeadlineError(RunnerError):
    """A replay used up the time allowed for a whole replay."""


class MachineBusyError(RunnerError):
    """A replay had to be repeated on an idle machine, and this one did not become idle."""


class MachineLockError(RunnerError):
    """The files by which the replays of a machine wait for each other cannot be used."""


class NotCalibratedError(RunnerError):
    """A machine could not be calibrated; the message says why. It says nothing about the machine's times."""


class BudgetExceededError(RunnerError):
    """A payer's budget does not suffice. All numbers are seconds; ``wait`` is the time until it does."""

    def __init__(self, *, needed: float, left: float, budget: int, window: int, wait: int) -> None:
        super().__init__(f"{needed:.0f} s are needed and {left:.0f} s are left.")
        self.needed = needed
        self.left = left
        self.budget = budget
        self.window = window
        self.wait = wait

    @property
    def is_hopeless(self) -> bool:
        return self.needed > self.budget


class UnrepeatableError(RunnerError):
    """The replay that a study is about ends in another way here."""


class StudyRefusedError(RunnerError):
    """A question about a replay cannot be answered; the message says why."""


class StudiesFullError(RunnerError):
    """So many questions wait for workers of a class that no further one is taken."""


class QueueFullError(RunnerError):
    """A payer has too many queued replays."""

    def __init__(self, *, queued: int, added: int, most: int) -> None:
        super().__init__(f"{queued} replays are queued; {added} more would exceed {most}.")
        self.queued = queued
        self.added = added
        self.most = most


class RepetitionRefusedError(RunnerError):
    """Work cannot be replayed once more now; the message says why."""
