"""The program before a migration still adds rows while the program after it starts."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.db.migrations.loader import MigrationLoader

from leaderboard.models import Board, SubmissionItem
from tests.kit.boards import World, submit

BEFORE = ("leaderboard", "0002_plausible_ratio")


def test_the_program_before_measured_references_still_adds_boards_and_items(world: World) -> None:
    apps = MigrationLoader(connection).project_state(BEFORE).apps
    former = apps.get_model("leaderboard", "Board").objects.create(
        slug="former",
        title="Former",
        dataset_version_id=world.board.dataset_version_id,
        environment_version_id=world.board.environment_version_id,
        metric="ir_instructions",
    )
    board = Board.objects.get(pk=former.pk)
    assert (board.reference_metric, board.benchmarks, board.device) == ("", [], "cpu")
    submission = submit(world.user)
    kept: dict[str, Any] = SubmissionItem.objects.filter(submission=submission, position=0).values().get()  # type: ignore[assignment] # the columns of a model are those of its migration here
    values = {name: kept[name] for name in kept if name not in {"id", "claim_status"}}
    SubmissionItem.objects.filter(pk=kept["id"]).delete()
    added = apps.get_model("leaderboard", "SubmissionItem").objects.create(**values)
    assert SubmissionItem.objects.get(pk=added.pk).claim_status == {}
