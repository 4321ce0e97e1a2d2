"""The runner's error tree. Nothing here imports another module of the app."""

from __future__ import annotations


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


class ReplayDeadlineError(RunnerError):
    """A replay used up the time allowed for a whole replay."""
