"""Submissions to the board of tests, and a hand that plays the worker through the runner's own services."""

from __future__ import annotations

import importlib
import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import User

from leaderboard.boards import standings
from leaderboard.models import Board, Standing, Submission
from leaderboard.submissions.services import Incoming, receive
from optarena import ROOMS
from optarena.specs import BoardSpec, environment_spec
from optarena.specs.results import ReplayResult, StateTrace, StepTrace, WorkloadResult
from runner.queue import leases, transitions
from tests.factories import BOARD_DATASET, PROGRAMS, make_board, make_dataset, make_user
from tests.kit.work import lease_row

if TYPE_CHECKING:
    from uuid import UUID

    from runner.models import Verification

BOARDS = tuple(
    board
    for room in ROOMS
    for board in getattr(importlib.import_module(f"optarena.{room}.description"), "BOARDS", ())
    if not board.withdrawn
)
"""Those of the package's own compilers that take results."""
URIS = tuple(f"benchmark://{BOARD_DATASET}/{name}" for name in PROGRAMS)
LEASE_SECONDS = 60.0
EVERY_ENTRY = standings.BoardChoice(every_entry=True)
"""All rows of a board, and not only the best of each agent."""


@dataclass(frozen=True)
class World:
    """What every test of this room starts from."""

    board: Board
    user: User
    other: User


def make_world() -> World:
    """A board over three programs, all of them 400 unoptimised and 100 at -Oz, and two users."""
    make_dataset()
    return World(board=make_board(), user=make_user("ada"), other=make_user("bob"))


def document(actions: Sequence[Sequence[int]] = ((1,), (2,), (3,)), **changes: Any) -> dict[str, Any]:
    """A submission's body: one list of actions for each of the programs, which everybody may read."""
    items = [{"benchmark": uri, "actions": list(one)} for uri, one in zip(URIS, actions, strict=False)]
    return {"board": "test-ic", "agent": "agent", "open": True, "items": items} | changes


def owner_of(agent: str) -> User:
    """The owner of this agent alone: an owner has one rank on a board."""
    name = re.sub(r"[^a-z0-9]+", "-", agent.lower())
    return User.objects.filter(username=name).first() or make_user(name)


def agent(number: int) -> str:
    """The name of an agent, in letters: agents whose names differ in numbers alone are one family."""
    return f"agent {number:02}".translate(str.maketrans("0123456789", "abcdefghij"))


def submit(user: User, body: dict[str, Any] | None = None, key: str | None = None) -> Submission:
    """Store a submission through the services' own entrance."""
    data = json.dumps(document() if body is None else body).encode()
    submission, _ = receive(owner=user, incoming=Incoming(body=data, format="json"), key=key)
    return submission


def replay_of(
    verification: Verification,
    metrics: Mapping[str, float],
    digest: str,
    cost: int | None = None,
    **changes: Any,
) -> ReplayResult:
    """What a replay of this verification would have found.

    Its first action alone has an effect, so that longer sequences reach the same state.
    """
    names = environment_spec(verification.environment_version.env_id).action_table.names
    steps = tuple(
        StepTrace(
            index=index, action=action, name=names[action], had_no_effect=index > 0, digest=digest, cost=cost
        )
        for index, action in enumerate(verification.actions)
    )
    base: dict[str, Any] = {
        "environment": verification.environment_version.env_id,
        "digest": verification.environment_digest,
        "benchmark": verification.benchmark_uri,
        "benchmark_sha256": verification.benchmark_sha256,
        "actions": tuple(verification.actions),
        "ok": True,
        "initial": StateTrace(digest="start", cost=None if cost is None else 400),
        "steps": steps,
        "metrics": dict(metrics),
        "walltime": 0.5,
    }
    return ReplayResult(**(base | changes))


def replay_result(verification: Verification, value: int, **changes: Any) -> ReplayResult:
    """What a replay of this verification would have found, ending at ``value`` instructions."""
    measured = {"ir_instructions": value, "text_size_bytes": 2 * value}
    wanted = measured if verification.wanted_metrics is None else verification.wanted_metrics
    metrics = {name: found for name, found in measured.items() if name in wanted}
    changes = {"workloads": (WorkloadResult(name="small", ok=True, seconds=0.01),)} | changes
    return replay_of(verification, metrics, f"digest {verification.actions[:1]} {value}", value, **changes)


def take(verification: Verification, life: UUID | None = None) -> leases.Lease:
    """A lease, asked for again and again for a while as workers do: none is given of a row that is locked."""
    end = time.monotonic() + LEASE_SECONDS
    while (lease := lease_row(verification_id=verification.pk, worker="test", life=life)) is None:
        assert time.monotonic() < end, f"{verification.pk} cannot be leased."
        time.sleep(0.01)
    return lease


def record(verification: Verification, value: int) -> None:
    lease = take(verification)
    result = replay_result(verification, value)
    outcome = transitions.ReplayOutcome(result=result.as_dict(), metrics=dict(result.metrics), sandbox={})
    leases.record(lease=lease, outcome=outcome)


def fail(verification: Verification, reason: str, detail: str = "step 0") -> None:
    lease = take(verification)
    leases.fail(lease=lease, reason=reason, detail=detail)


def verifications(submission: Submission) -> list[Verification]:
    """The verifications of a submission's items, in their order."""
    return [
        item.verification
        for item in submission.items.select_related("verification__environment_version").order_by("position")
        if item.verification is not None
    ]


def standing(submission: Submission) -> Standing:
    row = Standing.objects.get(submission=submission)
    standings.set_ranks([row])
    return row


def record_all(submission: Submission, *values: int) -> None:
    """Measure these values for the items of a submission, in their order."""
    for verification, value in zip(verifications(submission), values, strict=True):
        if not verification.is_terminal:
            record(verification, value)


def boards_across(dataset: str) -> list[BoardSpec]:
    """Boards of two compilers, which compare the same programs."""
    references = {"llvm-loadsize-v0": "load_size_oz_bytes", "gcc-v0": "text_size_bytes"}
    return [
        BoardSpec(
            slug=f"of-{environment}",
            title=environment,
            description=environment,
            dataset=dataset,
            environment=environment,
            metric="load_size_bytes",
            reference_metric=reference,
        )
        for environment, reference in references.items()
    ]
