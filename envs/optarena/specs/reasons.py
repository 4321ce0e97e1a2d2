"""Stable reason ids: why a replay or an item ended as it did, each with its remedy text.

Ids are ``family:name``. They are part of the API: an id is never renamed or reused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Reason:
    """A stable id, what it means and what the submitter (or operator) can do."""

    id: str
    meaning: str
    remedy: str

    @property
    def family(self) -> str:
        """The part before the colon: user, claim, env, semantics, benchmark, infra or policy."""
        return self.id.partition(":")[0]


_ALL: Final = (
    Reason(
        "user:invalid-action",
        "An action is not part of the environment's action space.",
        "Compare the command line with the environment's action table and submit again.",
    ),
    Reason(
        "user:withdrawn",
        "The submitter withdrew the submission.",
        "Submit again if it should be ranked after all.",
    ),
    Reason(
        "claim:mismatch",
        "The replay measured another value than the one claimed.",
        "Correct the claim or leave it out; the measured value is on the item's page. If your machine "
        "measures another one, `optarena replay` names the first step that differs.",
    ),
    Reason(
        "env:crash",
        "The compiler crashed while it ran the sequence.",
        "Remove the action named in the detail, or the one before it; the crash is reproducible with "
        "`optarena replay`.",
    ),
    Reason(
        "env:timeout",
        "An action, or one block of a measurement, used more time than it may.",
        "Remove the action named in the detail; the limits are listed at /api/v1/limits/.",
    ),
    Reason(
        "env:replay-timeout",
        "The whole replay used more time than one replay may.",
        "Use fewer or faster actions; the limits are listed at /api/v1/limits/.",
    ),
    Reason(
        "env:out-of-memory",
        "The compiler reached its memory limit.",
        "Remove the action named in the detail, or use fewer inlining and unrolling actions.",
    ),
    Reason(
        "env:ir-growth",
        "The program grew beyond the limit on its number of instructions.",
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
        "The optimised program printed something else than the original.",
        "The sequence miscompiles the program: remove the action that changed its output.",
    ),
    Reason(
        "semantics:exit-code",
        "The optimised program ended with another exit code than the original.",
        "The sequence miscompiles the program: remove the action that changed its behaviour.",
    ),
    Reason(
        "semantics:crash",
        "The optimised program crashed on a workload.",
        "The sequence miscompiles the program: remove the action that changed its behaviour.",
    ),
    Reason(
        "semantics:timeout",
        "The optimised program did not end in time on a workload.",
        "The sequence miscompiles the program or makes it far slower: remove that action.",
    ),
    Reason(
        "benchmark:broken",
        "The benchmark's program, as it was given, does not do what its workload says.",
        "Nothing is wrong with the sequence. Report the benchmark to those who made its dataset.",
    ),
    Reason(
        "benchmark:flaky",
        "The benchmark's program, as it was given, does not do the same each time it is run.",
        "Nothing is wrong with the sequence. Report the benchmark to those who made its dataset.",
    ),
    Reason(
        "infra:retries-exhausted",
        "Workers were lost several times while they replayed this sequence.",
        "Submit again; if it happens again, report the submission.",
    ),
    Reason(
        "infra:sandbox-unavailable",
        "The runner's kernel lacks the sandbox that untrusted work needs.",
        "The operator must run the worker on a kernel with seccomp and Landlock.",
    ),
    Reason(
        "infra:environment-changed",
        "The environment changed to another version while the replay waited.",
        "Submit again; it is then replayed in the new version.",
    ),
    Reason(
        "infra:device-unavailable",
        "The runner's machine has no usable device of the kind that the benchmark needs.",
        "Submit again later. The operator must give the worker the device, its driver and the packages that "
        "use it, or stop the worker.",
    ),
    Reason(
        "infra:emulated-device",
        "The runner only imitates the device, so that nothing was measured.",
        "Submit again later. The operator must unset the variable that names the imitation, which is for "
        "tests only, and start the worker again.",
    ),
    Reason(
        "infra:internal",
        "The runner failed for a reason of its own.",
        "Submit again; the operators were told.",
    ),
    Reason(
        "policy:implausible",
        "The result is far beyond what this board's history makes plausible.",
        "A reviewer looks at it; nothing needs to be done.",
    ),
)

REASONS: Final[dict[str, Reason]] = {reason.id: reason for reason in _ALL}


def reason(reason_id: str) -> Reason:
    """The reason with this id.

    Raises:
        KeyError: No such reason exists; ids are written in this module only.
    """
    return REASONS[reason_id]
