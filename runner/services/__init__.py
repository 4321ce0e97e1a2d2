"""Writes of the runner; each is one transaction, or part of the caller's.

Import from here. ``transition`` is the only writer of a state; the other functions are its callers.
"""

from runner.services.environments import current_environment_version, sync_environment_versions
from runner.services.leases import (
    Lease,
    advance,
    fail,
    give_back,
    heartbeat,
    lease,
    lease_next,
    record,
    report_progress,
)
from runner.services.presences import announce_runner, dismiss_runner, renew_runner
from runner.services.requests import cancel, request_verification
from runner.services.sweeping import SweepReport, sweep
from runner.services.transitions import Change, ReplayOutcome, transition
from runner.services.wakeups import wake, wake_oldest

__all__ = [
    "Change",
    "Lease",
    "ReplayOutcome",
    "SweepReport",
    "advance",
    "announce_runner",
    "cancel",
    "current_environment_version",
    "dismiss_runner",
    "fail",
    "give_back",
    "heartbeat",
    "lease",
    "lease_next",
    "record",
    "renew_runner",
    "report_progress",
    "request_verification",
    "sweep",
    "sync_environment_versions",
    "transition",
    "wake",
    "wake_oldest",
]
