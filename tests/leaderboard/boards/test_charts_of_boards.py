"""Boards over time and items, drawn from what the server's API answers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np
import pytest
from click.testing import CliRunner, Result

from leaderboard.models import Submission
from optarena.cli import main
from optarena.client import Client
from optarena.errors import InvalidInput
from tests.kit.boards import World, agent, document, owner_of, record_all, submit
from tests.kit.scripted_server import Answer, serving

if TYPE_CHECKING:
    from pathlib import Path

    from rest_framework.test import APIClient

BEGIN = datetime(2026, 11, 1, 12, tzinfo=UTC)


class Recorded:
    """The answers of the real API, for a server with threads that do not see a test's transaction."""

    def __init__(self, api: APIClient) -> None:
        self._api = api
        self._answers: dict[str, Answer] = {}

    def __call__(self, _: int, path: str) -> Answer:
        return self._answers.get(path, (404, "text/html", b"not recorded"))

    def add(self, *paths: str) -> None:
        for path in paths:
            answer = self._api.get(f"/api/v1/{path}")
            kind = answer["Content-Type"]
            self._answers[f"/api/v1/{path}"] = (answer.status_code, kind, answer.content)


def recorded_board(api: APIClient, slug: str = "test-ic") -> Recorded:
    rows = f"boards/{slug}/standings/?page_size=100"
    recorded = Recorded(api)
    recorded.add(f"boards/{slug}/", rows, f"{rows}&all=true&sort=created")
    return recorded


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments], env={"OPTARENA_DEBUG": None})


def test_a_board_over_time_shows_its_rises_its_entries_and_its_references(
    world: World, anonymous: APIClient, tmp_path: Path
) -> None:
    from optarena import plots  # noqa: PLC0415 - every process of a run collects this file

    for number, values in enumerate(
        [(130, 120, 110), (95, 99, 97), (140, 90, 95), (90, 92, 88), (90, 92, 88)]
    ):
        made = submit(owner_of(agent(number)), document([[number]] * 3, agent=agent(number)))
        record_all(made, *values)
        Submission.objects.filter(pk=made.pk).update(created=BEGIN + timedelta(days=3 * number))
    copied = submit(world.other, document([[3]] * 3, agent="copy"))
    record_all(copied, 90, 92, 88)
    Submission.objects.filter(pk=copied.pk).update(created=BEGIN + timedelta(days=20))
    with serving(recorded_board(anonymous)) as server:
        with Client(server.url, "") as client:
            [axes] = plots.board(client, "test-ic").axes
        rises = next(line for line in axes.get_lines() if line.get_label() == "best so far")
        assert np.asarray(rises.get_ydata()).round(4).tolist() == [0.8353, 1.0311, 1.1113, 1.1113]
        said = [child.get_text() for child in axes.get_children() if hasattr(child, "get_text")]
        assert {agent(0), agent(1), agent(3)} <= set(said)
        assert agent(2) not in said
        assert "LLVM -Oz  1.0000" in said
        assert axes.figure is not None
        axes.figure.draw_without_rendering()
        named = [text for text in axes.texts if text.get_text() in {agent(0), agent(3)}]
        ends = [text.get_window_extent() for text in named]
        assert all(axes.bbox.x0 <= one.x0 and one.x1 <= axes.bbox.x1 for one in ends)
        levels = [text for text in axes.texts if text.get_text().startswith("LLVM -")]
        assert len({text.get_color() for text in levels}) == len(levels) > 2
        legend = axes.get_legend()
        assert legend is not None
        assert "entry without a rank" in [text.get_text() for text in legend.get_texts()]
        assert axes.get_xlabel() == "Time of submission (UTC)"
        assert axes.get_ylabel() == "Score: ratio to -Oz (times)"
        addresses = [f"{server.url}/boards/test-ic/", f"{server.url}/api/v1/boards/test-ic/"]
        for source in (["test-ic", "--url", server.url], *([one] for one in addresses)):
            target = tmp_path / "board.png"
            done = run("plot", *source, "--output", target)
            assert done.exit_code == 0, done.output
            assert target.read_bytes().startswith(b"\x89PNG")
            target.unlink()


def test_a_board_without_entries_and_one_that_is_unknown_are_refused(
    world: World, anonymous: APIClient
) -> None:
    from optarena import plots  # noqa: PLC0415 - every process of a run collects this file

    recorded = recorded_board(anonymous)
    recorded.add("boards/none/")
    with serving(recorded) as server:
        with Client(server.url, "") as client, pytest.raises(InvalidInput, match="does not have an entry"):
            plots.board(client, world.board.slug)
        done = run("plot", "none", "--url", server.url)
    assert done.exit_code == 2
    assert "none" in done.stderr


def test_an_item_is_drawn_from_its_recorded_replay(
    world: World, anonymous: APIClient, tmp_path: Path
) -> None:
    made = submit(world.user, document([[1, 2, 3]] * 3))
    recorded = Recorded(anonymous)
    item = f"submissions/{made.pk}/items/0/"
    target = tmp_path / "item.svg"
    with serving(recorded) as server:
        recorded.add(item)
        done = run("plot", f"{server.url}/{item}", "--output", target)
        assert "You may not read the actions of this item: it is pending." in done.stderr
        record_all(made, 90, 92, 88)
        recorded.add(item)
        done = run("plot", f"{server.url}/{item}", "--output", target)
        assert done.exit_code == 0, done.output
        assert "boards-v0/" in target.read_text()
        done = run("plot", f"{server.url}/{item}", "--output", target, "--kind", "blocks")
        assert "was measured in blocks" in done.stderr
