"""Stable reason ids: why a replay or an item ended as it did, each with its remedy text.

Ids are ``family:name``. They are part of the API: an id is never renamed or reused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Reason:
    """A stable id, what it means and what the submitter (or operator) can do.

    Attributes:
        id: ``family:name``.
        meaning: What happened.
        remedy: What to do about it.
        timed: Whether a limit on time is the cause: a busy machine can make the difference.
    """

    id: str
    meaning: str
    remedy: str
    timed: bool = False

    @property
    def family(self) -> str:
        """The part before the colon: user, claim, env, semantics, benchmark, infra or policy."""
        return self.id.partition(":")[0]


BROKEN: Final = "benchmark:broken"
"""The original program is to blame, and no sequence."""
MISMATCH: Final = "claim:mismatch"
"""A replay that succeeded contradicts what was claimed."""
UNSTEADY: Final = "infra:unsteady-machine"
"""Too few blocks of a measurement counted: it begins anew."""

_ALL: Final = (
    Reason(
        "user:invalid-action",
        "An action is not in the environment's action space.",
        "Compare the command line with the environment's action table and submit again.",
    ),
    Reason(
        "user:withdrawn",
        "The submitter withdrew the submission.",
        "Submit again if it should be ranked after all.",
    ),
    Reason(
        MISMATCH,
        "The measured value differs from the claim.",
        "Correct the claim or leave it out; the measured value is on the item's page. If your machine "
        "measures a different value, `optarena replay` names the first step that differs.",
    ),
    Reason(
        "env:crash",
        "The compiler crashed while it ran the sequence.",
        "Remove the action named in the detail, or the one before it. "
        "`optarena replay` reproduces the crash.",
    ),
    Reason(
        "env:timeout",
        "An action, or one block of a measurement, exceeded its time limit.",
        "Remove the action named in the detail; the limits are listed at /api/v1/limits/.",
        timed=True,
    ),
    Reason(
        "env:replay-timeout",
        "The whole replay exceeded its time limit.",
        "Use fewer or faster actions; the limits are listed at /api/v1/limits/.",
        timed=True,
    ),
    Reason(
        "env:out-of-memory",
        "The compiler reached its memory limit.",
        "Remove the action named in the detail, or use fewer inlining and unrolling actions.",
    ),
    Reason(
        "env:ir-growth",
        "The program exceeded the limit on its number of instructions.",
        "Use fewer inlining and unrolling actions; the limits are listed at /api/v1/limits/.",
    ),
    Reason(
        "env:service",
        "The compiler service failed.",
        "Run `optarena replay` on the item; if it succeeds there, report the submission.",
    ),
    Reason(
        "semantics:verifier",
        "The resulting program is not valid.",
        "Remove the action that broke the program; `optarena replay` repeats it.",
    ),
    Reason(
        "semantics:output-differs",
        "The output differs from the original program's.",
        "The sequence miscompiles the program: remove the action that changed its output.",
    ),
    Reason(
        "semantics:exit-code",
        "The exit code differs from the original program's.",
        "The sequence miscompiles the program: remove the action that changed its behaviour.",
    ),
    Reason(
        "semantics:crash",
        "The optimised program crashed on a workload.",
        "The sequence miscompiles the program: remove the action that changed its behaviour.",
    ),
    Reason(
        "semantics:timeout",
        "The optimised program did not finish a workload in time.",
        "The sequence miscompiles the program or makes it far slower: remove the action responsible.",
        timed=True,
    ),
    Reason(
        BROKEN,
        "The benchmark's original program does not do what its workload specifies, or cannot be checked.",
        "Nothing is wrong with the sequence. Report the benchmark to the authors of its dataset.",
    ),
    Reason(
        "benchmark:flaky",
        "The benchmark's original program does not behave the same way in every run.",
        "Nothing is wrong with the sequence. Report the benchmark to the authors of its dataset.",
    ),
    Reason(
        "infra:retries-exhausted",
        "Workers were lost several times while they replayed this sequence.",
        "Try again on the item's page; if it happens again, report the submission.",
    ),
    Reason(
        "infra:killed",
        "A process of the replay was killed from outside, or lost, so nothing is known about the sequence.",
        "Try again on the item's page; if it happens again, report the submission.",
    ),
    Reason(
        "infra:memory-pressure",
        "The runner's machine ran short of memory during the replay.",
        "Try again on the item's page; if it happens again, report the submission.",
    ),
    Reason(
        "infra:memory-limit",
        "The compiler and the program together needed more memory than the runner allows for one replay.",
        "Use fewer actions that make the program grow, such as inlining, or report the submission.",
    ),
    Reason(
        "infra:compile-timeout",
        "The runner did not compile the program for its run in time.",
        "Try again on the item's page, or use fewer inlining and unrolling actions.",
    ),
    Reason(
        UNSTEADY,
        "The runner's machine was too unsteady to time anything: most readings of the reference differ.",
        "Try again later on the item's page; if it happens again, report the submission.",
    ),
    Reason(
        "infra:core-lost",
        "The runner lost the processor that it timed the program on.",
        "Try again on the item's page; if it happens again, report the submission.",
    ),
    Reason(
        "infra:machine-busy",
        "The machine was busy with other work for too long, and no idle one was found.",
        "Try again later on the item's page.",
    ),
    Reason(
        "infra:unrepeatable",
        "The replay ended in different ways when it was repeated, so it could not be verified.",
        "Run `optarena replay` on the item a few times, or try again on the item's page.",
    ),
    Reason(
        "infra:worker-unhealthy",
        "The worker failed its own check, so it returned the work.",
        "Try again later on the item's page. The operator finds the worker's problem on the page of runners.",
    ),
    Reason(
        "infra:runner-drifted",
        "The runner's machine was found to have changed its speed, so the work was given back.",
        "Wait: another runner takes the work, or this one when its machine is as before.",
    ),
    Reason(
        "infra:sandbox-unavailable",
        "The runner's kernel lacks the sandbox that untrusted work needs.",
        "The operator must run the worker on a kernel with seccomp and Landlock.",
    ),
    Reason(
        "infra:environment-changed",
        "The environment's version changed while the replay waited.",
        "Submit again to have it replayed in the new version.",
    ),
    Reason(
        "infra:toolchain-missing",
        "The runner's machine does not have the compiler that the environment needs.",
        "Wait: a runner that has it takes the work. The operator must install the compiler, or add such a "
        "runner.",
    ),
    Reason(
        "infra:device-unavailable",
        "The runner's machine has no usable device of the kind that the benchmark needs.",
        "Try again later on the item's page. The operator must give the worker the device, its driver and "
        "the packages that use it, or stop the worker.",
    ),
    Reason(
        "infra:emulated-device",
        "The runner only imitates the device, so nothing was measured.",
        "Try again later on the item's page. The operator must unset the variable that turns on the "
        "imitation, which is for tests only, and restart the worker.",
    ),
    Reason(
        "infra:internal",
        "The runner failed because of an internal error.",
        "Try again on the item's page; if it happens again, report the submission.",
    ),
    Reason(
        "policy:withdrawn",
        "The operator of this server withdrew the submission.",
        "Ask the operator for the cause before you submit it again.",
    ),
    Reason(
        "policy:implausible",
        "The result is far beyond what this board's history makes plausible.",
        "A reviewer will look at it. You do not need to do anything.",
    ),
)

REASONS: Final[dict[str, Reason]] = {reason.id: reason for reason in _ALL}


def reason(reason_id: str) -> Reason:
    """The reason with this id.

    Raises:
        KeyError: No such reason exists; ids are written in this module only.
    """
    return REASONS[reason_id]


def refutes(reason_id: str) -> bool:
    """Whether a failure with this reason shows that a result is wrong; otherwise it only shows nothing."""
    return reason_id.startswith(("semantics:", "claim:"))
