"""Writes of the runner; each is one transaction, or part of the caller's.

Import from here. ``transitions`` is the only writer of a state; the other modules call it.
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
from runner.services.requests import cancel, cancel_all, request_verification, request_verifications
from runner.services.sweeping import SweepReport, sweep
from runner.services.transitions import ReplayOutcome, StateChange, in_lock_order, transition, transition_all
from runner.services.wakeups import wake, wake_oldest

__all__ = [
    "Lease",
    "ReplayOutcome",
    "StateChange",
    "SweepReport",
    "advance",
    "announce_runner",
    "cancel",
    "cancel_all",
    "current_environment_version",
    "dismiss_runner",
    "fail",
    "give_back",
    "heartbeat",
    "in_lock_order",
    "lease",
    "lease_next",
    "record",
    "renew_runner",
    "report_progress",
    "request_verification",
    "request_verifications",
    "sweep",
    "sync_environment_versions",
    "transition",
    "transition_all",
    "wake",
    "wake_oldest",
]
