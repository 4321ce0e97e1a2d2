"""A board whose replays measure what they are compared with, and a hand that plays its runner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from datasets.loading import load_range
from leaderboard.boards.services import load_boards
from optarena.loop_tool.description import RANGES
from optarena.loop_tool.nest import BOARD_SIZES
from runner.queue import leases, transitions
from tests.factories import make_user
from tests.kit.boards import BOARDS, World, owner_of, replay_of, submit, take, verifications

if TYPE_CHECKING:
    from uuid import UUID

    from leaderboard.models import Board, Submission
    from optarena.specs import BoardSpec
    from runner.models import Verification

SIZES = (*BOARD_SIZES[:2], *BOARD_SIZES[-2:])
"""Of the board's sizes the least and the greatest: each one takes a replay of every entry."""
URIS = tuple(f"benchmark://loop_tool-cpu-v0/{size}" for size in SIZES)
MACHINE = {
    "cpu": "A processor of tests",
    "cores": 2,
    "caches": {"L1d": "32 KiB"},
    "features": ["avx2", "fma"],
}


def noisy_definition(slug: str) -> BoardSpec:
    """The board of this name as the server has it, with fewer sizes."""
    [definition] = [one for one in BOARDS if one.slug == slug]
    ends = tuple(f"/{size}" for size in SIZES)
    return replace(definition, benchmarks=tuple(one for one in definition.benchmarks if one.endswith(ends)))


def load_noisy_board(slug: str) -> Board:
    for dataset in RANGES:
        load_range(dataset=dataset)
    [board] = load_boards(definitions=[noisy_definition(slug)])
    return board


def make_noisy_world(slug: str) -> World:
    """The board of this name, and two users."""
    return World(
        board=load_noisy_board(slug),
        user=make_user("ada"),
        other=make_user("bob"),
    )


def document(
    actions: Sequence[int] = (3,),
    *,
    uris: Sequence[str] = URIS,
    claims: Mapping[str, float] | None = None,
    **changes: Any,
) -> dict[str, Any]:
    """A submission's body: the same actions for each of the benchmarks."""
    items: list[dict[str, Any]] = [{"benchmark": uri, "actions": list(actions)} for uri in uris]
    if claims is not None:
        for item in items:
            item["claims"] = dict(claims)
    return {"board": "loop_tool-cpu", "agent": "agent", "items": items} | changes


def reading(gflops: float) -> dict[str, Any]:
    """What one block says of the entry or of the reference."""
    return {
        "gflops": gflops,
        "median_seconds": 1.0,
        "fastest_seconds": 0.9,
        "slowest_seconds": 1.1,
        "samples": 9,
        "calls": 100,
        "threads": 1,
        "temperature": "warm",
        "readings": [0.95 * gflops, 1.05 * gflops],
    }


def measurement(gflops: float, reference: float, **changes: Any) -> dict[str, Any]:
    """Three blocks around the given figures; the entry scatters by a tenth, so that its ratio stays."""
    scatter = (1 / 1.1, 1.0, 1.1)
    return {
        "metrics": ["gflops", "reference_gflops"],
        "device": "cpu",
        "emulated": False,
        "machine": MACHINE,
        "interval": {
            "gflops": [0.9 * gflops, 1.1 * gflops],
            "reference_gflops": [reference, reference],
        },
        "names": {"value": "gflops", "reference": "reference_gflops", "ratio": "speedup"},
        "blocks": [
            {
                "ratio": one * gflops / reference,
                "pairs": [one * gflops / reference],
                "level": reference,
                "machine": {},
                "candidate": reading(one * gflops),
                "reference": reading(reference),
            }
            for one in scatter
        ],
    } | changes


def record(
    verification: Verification, metrics: Mapping[str, float], *, life: UUID | None = None, **changes: Any
) -> None:
    lease = take(verification, life)
    result = replay_of(verification, metrics, "nest", **changes)
    outcome = transitions.ReplayOutcome(result=result.as_dict(), metrics=dict(metrics), sandbox={})
    leases.record(lease=lease, outcome=outcome)


def measure(verification: Verification, gflops: float, reference: float = 4.0) -> None:
    """Play the runner that measures ``gflops`` beside a reference."""
    metrics = {"gflops": gflops, "reference_gflops": reference}
    record(verification, metrics, measurement=measurement(gflops, reference))


def entry(world: World, gflops: float, *, reference: float = 4.0, **changes: Any) -> Submission:
    """A submission all of whose items measure the same; each agent is of an owner of its own."""
    owner = owner_of(changes["agent"]) if "agent" in changes else world.user
    submission = submit(owner, document(**changes))
    for verification in verifications(submission):
        if not verification.is_terminal:
            measure(verification, gflops, reference)
    return submission
