"""A small board's rows, and a hand that plays the worker through the runner's own services."""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from datasets.models import Baseline, Benchmark, Blob, Dataset, DatasetVersion
from leaderboard import selectors
from leaderboard.models import Standing
from leaderboard.services.intake import Incoming, receive
from optarena.llvm.description import BOARDS as LLVM_BOARDS
from optarena.loop_tool.description import BOARDS as LOOP_TOOL_BOARDS
from optarena.specs import environment_spec
from optarena.specs.results import ReplayResult, StateTrace, StepTrace, WorkloadResult
from runner import services as runner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.contrib.auth.models import User

    from leaderboard.models import Board, Submission
    from runner.models import Verification

BOARDS = (*LLVM_BOARDS, *LOOP_TOOL_BOARDS)
DATASET = "boards-v0"
NAMES = ("alpha", "beta", "gamma")
LEVELS = {"O0": 400, "O1": 150, "O2": 120, "O3": 125, "Oz": 100}
URIS = tuple(f"benchmark://{DATASET}/{name}" for name in NAMES)
LEASE_SECONDS = 5.0


@dataclass(frozen=True)
class World:
    """What every test of this room starts from."""

    board: Board
    user: User
    other: User


def make_dataset(name: str = DATASET, names: Sequence[str] = NAMES) -> DatasetVersion:
    family, _, number = name.rpartition("-v")
    version = DatasetVersion.objects.create(
        dataset=Dataset.objects.create(name=family, title=family),
        version=int(number),
        name=name,
        title=f"Dataset {name}",
        licence="MIT",
        manifest={},
        manifest_sha256=hashlib.sha256(name.encode()).hexdigest(),
    )
    for position, one in enumerate(names):
        _make_benchmark(version, position, one)
    return version


def _make_benchmark(version: DatasetVersion, position: int, name: str) -> None:
    sha256 = hashlib.sha256(f"{version.name}/{name}".encode()).hexdigest()
    benchmark = Benchmark.objects.create(
        version=version,
        position=position,
        uri=f"benchmark://{version.name}/{name}",
        name=name,
        title=name.title(),
        licence="MIT",
        kind=Benchmark.Kind.STORED,
        sha256=sha256,
        size_bytes=10,
        blob=Blob.objects.create(sha256=sha256, size_bytes=10, media_type="x/y", storage_key=sha256),
    )
    Baseline.objects.bulk_create(
        Baseline(benchmark=benchmark, metric=metric, level=level, value=value)
        for metric in ("ir_instructions", "text_size_bytes")
        for level, value in LEVELS.items()
    )


def document(actions: Sequence[Sequence[int]] = ((1,), (2,), (3,)), **changes: Any) -> dict[str, Any]:
    """A submission's body: one list of actions for each of the programs."""
    items = [{"benchmark": uri, "actions": list(one)} for uri, one in zip(URIS, actions, strict=False)]
    return {"board": "test-ic", "agent": "agent", "items": items} | changes


def submit(user: User, body: dict[str, Any] | None = None, key: str | None = None) -> Submission:
    """Store a submission through the services' own entrance."""
    data = json.dumps(document() if body is None else body).encode()
    submission, _ = receive(owner=user, incoming=Incoming(body=data, format="json"), key=key)
    return submission


def replay_result(verification: Verification, value: int, **changes: Any) -> ReplayResult:
    """What a replay of this verification would have found, ending at ``value`` instructions."""
    names = environment_spec(verification.environment_version.env_id).action_table.names
    steps = tuple(
        StepTrace(
            index=index,
            action=action,
            name=names[action],
            had_no_effect=index > 0,
            digest=f"digest {value}",
            cost=value,
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
        "initial": StateTrace(digest="start", cost=400),
        "steps": steps,
        "metrics": {"ir_instructions": value, "text_size_bytes": 2 * value},
        "workloads": (WorkloadResult(name="small", ok=True, seconds=0.01),),
        "walltime": 0.5,
    }
    return ReplayResult(**(base | changes))


def take(verification: Verification) -> runner.Lease:
    """A lease, asked for again and again for a while as workers do: none is given of a row that is locked."""
    end = time.monotonic() + LEASE_SECONDS
    while (lease := runner.lease(verification_id=verification.pk, worker="test")) is None:
        assert time.monotonic() < end, f"{verification.pk} cannot be leased."
        time.sleep(0.01)
    return lease


def record(verification: Verification, value: int) -> None:
    """Play the worker that measures ``value`` instructions."""
    lease = take(verification)
    result = replay_result(verification, value)
    outcome = runner.ReplayOutcome(result=result.as_dict(), metrics=dict(result.metrics), sandbox={})
    runner.record(lease=lease, outcome=outcome)


def fail(verification: Verification, reason: str, detail: str = "step 0") -> None:
    """Play the worker whose replay fails."""
    lease = take(verification)
    runner.fail(lease=lease, reason=reason, detail=detail)


def verifications(submission: Submission) -> list[Verification]:
    """The verifications of a submission's items, in their order."""
    return [
        item.verification
        for item in submission.items.select_related("verification__environment_version").order_by("position")
        if item.verification is not None
    ]


def standing(submission: Submission) -> Standing:
    """A submission's row with its rank."""
    return selectors.with_rank(Standing.objects.all()).get(submission=submission)


def record_all(submission: Submission, *values: int) -> None:
    """Measure these values for the items of a submission, in their order."""
    for verification, value in zip(verifications(submission), values, strict=True):
        if not verification.is_terminal:
            record(verification, value)
