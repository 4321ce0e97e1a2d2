"""Writes of the runner; each is one transaction, or part of the caller's.

Import from here. ``transitions`` is the only writer of a state; the other modules call it.
"""

from runner.services.announcing import announce_ends
from runner.services.attempts import AttemptReport, suspect
from runner.services.calibrations import pause_drifted, record_calibration
from runner.services.demands import NOBODY, Balance, balance_of, check_quota, release
from runner.services.environments import (
    current_environment_version,
    own_digests,
    sync_environment_versions,
)
from runner.services.leases import (
    Lease,
    advance,
    fail,
    give_back,
    hand_over,
    heartbeat,
    keep_blocks,
    lease,
    lease_next,
    prepare_anew,
    record,
    report_progress,
)
from runner.services.presences import (
    announce_runner,
    dismiss_runner,
    record_self_test,
    renew_runner,
)
from runner.services.pruning import (
    old_calibrations,
    old_events,
    prune_calibrations,
    prune_events,
    prune_traces,
)
from runner.services.reopening import replay_anew, supersede, supersede_one
from runner.services.repetitions import request_repetition
from runner.services.requests import (
    answers_of,
    cancel,
    cancel_all,
    request_verification,
    request_verifications,
)
from runner.services.studies import (
    StudyLease,
    end_study,
    fail_study,
    give_back_study,
    interrupt_study,
    lease_study,
    renew_study,
    request_study,
    verification_waits,
)
from runner.services.sweeping import SweepReport, sweep
from runner.services.transitions import ReplayOutcome, StateChange, in_lock_order, transition, transition_all
from runner.services.wakeups import pass_on, wake, wake_oldest

__all__ = [
    "NOBODY",
    "AttemptReport",
    "Balance",
    "Lease",
    "ReplayOutcome",
    "StateChange",
    "StudyLease",
    "SweepReport",
    "advance",
    "announce_ends",
    "announce_runner",
    "answers_of",
    "balance_of",
    "cancel",
    "cancel_all",
    "check_quota",
    "current_environment_version",
    "dismiss_runner",
    "end_study",
    "fail",
    "fail_study",
    "give_back",
    "give_back_study",
    "hand_over",
    "heartbeat",
    "in_lock_order",
    "interrupt_study",
    "keep_blocks",
    "lease",
    "lease_next",
    "lease_study",
    "old_calibrations",
    "old_events",
    "own_digests",
    "pass_on",
    "pause_drifted",
    "prepare_anew",
    "prune_calibrations",
    "prune_events",
    "prune_traces",
    "record",
    "record_calibration",
    "record_self_test",
    "release",
    "renew_runner",
    "renew_study",
    "replay_anew",
    "report_progress",
    "request_repetition",
    "request_study",
    "request_verification",
    "request_verifications",
    "supersede",
    "supersede_one",
    "suspect",
    "sweep",
    "sync_environment_versions",
    "transition",
    "transition_all",
    "verification_waits",
    "wake",
    "wake_oldest",
]
