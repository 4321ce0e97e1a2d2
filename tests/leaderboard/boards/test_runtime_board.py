"""The board of running times: a real replay times a program beside -O3, and claims are of the ratio."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from datasets.loading import load_dataset
from leaderboard.boards.services import load_boards
from leaderboard.submissions.documents import MalformedDocument
from leaderboard.submissions.queries import measurement
from optarena.datasets import BUILTIN
from optarena.errors import InvalidDocument
from optarena.specs import environment_spec
from runner.clock import database_now
from runner.models import Demand, Verification
from runner.queue import leases, requests
from runner.queue.sweeping import sweep
from runner.work.driver import drive
from tests.factories import make_user
from tests.kit.boards import BOARDS, standing, submit
from tests.kit.storage import keep_blobs_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
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


def test_a_real_replay_times_a_program_beside_o3_and_a_repetition_as_often_as_it_is_told(
    ada: User,
) -> None:
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
    assert item.verification_id is not None
    requests.request_repetition(verification_id=item.verification_id, actor="test", blocks=4)
    assert drive(worker="test") == 1
    before, freedom = item.log_ratio, item.log_freedom
    item.refresh_from_db()
    assert freedom is not None
    assert item.log_freedom is not None
    assert item.log_freedom >= 8 > freedom
    assert (item.verdict, item.log_ratio == before) == ("verified", False)


def test_seconds_cannot_be_claimed_and_the_remedy_names_what_can(ada: User) -> None:
    with pytest.raises(InvalidDocument) as caught:
        submit(ada, document(runtime_seconds=0.01, reference_seconds=0.02))
    problems = {problem.field: problem for problem in caught.value.problems}
    assert set(problems) == {"claims.runtime_seconds", "claims.reference_seconds"}
    for problem in problems.values():
        assert "means nothing on another machine" in problem.message
        assert problem.remedy == "Claim speedup, or nothing."
    for value in (float("nan"), -1.0, 1e300):
        with pytest.raises((InvalidDocument, MalformedDocument), match=r"finite number"):
            submit(ada, document(speedup=value))
    for value in (0.0, 1e9):  # which is only compared
        assert submit(ada, document(speedup=value)).items.get().claims == {"speedup": value}


def test_the_whole_blocks_of_a_worker_that_dies_are_kept(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    submission = submit(ada, document())
    keep = leases.keep_blocks

    def die_after_two(*, lease: leases.Lease, blocks: Sequence[Mapping[str, Any]]) -> None:
        keep(lease=lease, blocks=blocks)
        if len(blocks) == 2:
            raise SystemExit

    monkeypatch.setattr(leases, "keep_blocks", die_after_two)
    with pytest.raises(SystemExit):
        drive(worker="dying")
    row = Verification.objects.get()
    kept = row.kept_blocks
    assert kept is not None
    assert len(kept) == 2
    monkeypatch.setattr(leases, "keep_blocks", keep)
    sweep(now=database_now() + timedelta(hours=1))
    Verification.objects.update(available_at=database_now())
    Demand.objects.update(available_at=database_now())
    assert drive(worker="next") == 1
    row.refresh_from_db()
    assert (row.state, row.kept_blocks) == ("recorded", None)
    assert row.result is not None
    readings = [block["candidate"]["readings"] for block in row.result["measurement"]["blocks"]]
    assert readings[:2] == [block["candidate"]["readings"] for block in kept]
    assert submission.items.get().verdict == "verified"
