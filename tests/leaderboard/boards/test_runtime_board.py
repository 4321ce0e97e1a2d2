"""The board of running times: a real replay times a program beside -O3, and claims are of the ratio."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from datasets.services import load_dataset
from leaderboard.selectors import measurement
from leaderboard.services.boards import load_boards
from leaderboard.services.documents import MalformedDocument
from optarena.datasets import BUILTIN
from optarena.errors import InvalidDocument
from optarena.specs import environment_spec
from runner.driver import drive
from tests.factories import make_user
from tests.kit.boards import BOARDS, standing, submit
from tests.kit.storage import keep_blobs_in

if TYPE_CHECKING:
    from pathlib import Path

    from django.contrib.auth.models import User
    from pytest_django import Settings

pytestmark = pytest.mark.django_db(transaction=True)
NAME = "kernels-runtime-v0"
SUDOKU = f"benchmark://{NAME}/sudoku"


@pytest.fixture
def ada(settings: Settings, tmp_path: Path) -> User:
    """Somebody on a server that has the board."""
    keep_blobs_in(settings, tmp_path / "blobs")
    load_dataset(manifest_dir=BUILTIN / NAME)
    [board] = load_boards(definitions=[one for one in BOARDS if one.slug == "llvm-runtime"])
    assert (board.exact, board.provisional, board.reference_metric) == (False, False, "reference_seconds")
    return make_user("ada")


def document(**claims: float) -> dict[str, Any]:
    """One program after a few passes."""
    names = environment_spec("llvm-runtime-v0").action_table.names
    actions = [names.index(name) for name in ("sroa", "instcombine", "simplifycfg")]
    items = [{"benchmark": SUDOKU, "actions": actions, "claims": claims}]
    return {"board": "llvm-runtime", "agent": "three passes", "items": items}


def test_a_real_replay_times_a_program_beside_o3(ada: User) -> None:
    bold = submit(ada, document(speedup=50.0))
    modest = submit(ada, document(speedup=0.01) | {"agent": "modest"})
    assert drive(worker="test") == 1  # both are the same work
    item = bold.items.get()
    assert (item.verdict, item.reason, item.claim_status) == ("verified", "", {"speedup": "optimistic"})
    assert modest.items.get().claim_status == {"speedup": "consistent"}
    assert item.ratio == pytest.approx(item.measured["speedup"])
    low, high = item.ratio_interval or (0.0, 0.0)
    assert 0.0 < low < item.ratio < high
    found = measurement(item)
    assert found is not None
    assert len([block for block in found.blocks if not block.discarded]) >= 5
    assert all(block.readings and block.reference_readings for block in found.blocks)
    row = standing(bold)
    assert row.score == pytest.approx(item.ratio ** (1 / 15))  # fourteen programs count as the reference
    assert (row.verified, row.total, row.rank) == (1, 15, None)


def test_seconds_cannot_be_claimed_and_the_remedy_names_what_can(ada: User) -> None:
    with pytest.raises(InvalidDocument) as caught:
        submit(ada, document(runtime_seconds=0.01, reference_seconds=0.02))
    problems = {problem.field: problem for problem in caught.value.problems}
    assert set(problems) == {"claims.runtime_seconds", "claims.reference_seconds"}
    for problem in problems.values():
        assert "means nothing on another machine" in problem.message
        assert problem.remedy == "Claim speedup, or nothing."


@pytest.mark.parametrize("value", [float("nan"), -1.0, 1e300])
def test_an_impossible_ratio_is_refused(ada: User, value: float) -> None:
    with pytest.raises((InvalidDocument, MalformedDocument), match=r"finite number"):
        submit(ada, document(speedup=value))


@pytest.mark.parametrize("value", [0.0, 1e9])
def test_an_extreme_ratio_is_only_compared(ada: User, value: float) -> None:
    assert submit(ada, document(speedup=value)).items.get().claims == {"speedup": value}
