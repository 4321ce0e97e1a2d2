"""The runner's error tree. Nothing here imports another module of the app."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


class RunnerError(Exception):
    """Base of all errors raised by the runner."""


class IllegalTransitionError(RunnerError):
    """The state machine has no such edge, or not for the one who asks."""


class LeaseLostError(RunnerError):
    """The lease belongs to somebody else by now, or to nobody: whatever was computed must be dropped."""


class LeaseAliveError(RunnerError):
    """The lease has not expired, so nobody but its holder may end it."""


class ContentionError(RunnerError):
    """A request met others for the same work again and again; it can simply be repeated."""


class EnvironmentChangedError(RunnerError):
    """This installation's environment is another version than the one that was asked for."""


class UnknownDeviceError(RunnerError, ValueError):
    """No runner has this kind of device.

    Args:
        device: The kind that was asked for.
        known: The kinds that there are.
    """

    def __init__(self, device: str, known: Sequence[str]) -> None:
        super().__init__(f"The device {device!r} is unknown; give one of: {', '.join(known)}.")
        self.device = device


class UnsuitableWorkerError(RunnerError):
    """A worker was started in a way that does not go with its hardware class; the message says what to do."""


class EmulatedDeviceError(RunnerError):
    """A result was measured on an imitation of a device. Its times mean nothing, so it is never stored."""


class ReplayDeadlineError(RunnerError):
    """A replay used up the time allowed for a whole replay."""
