"""The daily puzzle: drawn, announced by its hash, published on its day, ranked, closed by the next."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

import pytest
from django.contrib import admin
from django.test import Client

from datasets.models import DatasetVersion
from leaderboard.models import Board, PortableBoard, Puzzle, Submission
from leaderboard.portable.measuring import PuzzleCandidate, try_program
from leaderboard.portable.services import drawn_range
from leaderboard.puzzles import services as puzzle_services
from leaderboard.puzzles.services import DailyPuzzle, announce, publish_due
from optarena.service.processes.folders import AnswerUnreadable, importing_environment
from tests.factories import make_old_environment, make_user
from tests.kit.boards import record, verifications
from tests.kit.pages import text
from tests.kit.portable import client_of, make_portable_board

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings


pytestmark = pytest.mark.django_db
DAY = datetime(2026, 11, 30, tzinfo=UTC)
NIGHT = timedelta(days=1)
HOME = "/puzzle/"
LIST = "/api/v1/puzzles/"


@pytest.fixture
def source() -> PortableBoard:
    return make_portable_board()


def tried(seed: int) -> PuzzleCandidate | None:
    uri = f"generator://synthetic-v0/{seed}"
    return try_program(environment="llvm-ic-v0", metric="ir_instructions", uri=uri, evaluations=20)


@pytest.fixture(scope="module")
def candidate() -> PuzzleCandidate:
    """A program that was really made and searched, for the tests that are not about that."""
    found = tried(1609337231)
    assert found is not None
    return found


def another(candidate: PuzzleCandidate) -> PuzzleCandidate:
    """The same program with another hash: bitcode may be padded."""
    return replace(candidate, program=candidate.program + bytes(4))


def publish(source: PortableBoard, candidate: PuzzleCandidate, *, now: datetime = DAY) -> Puzzle:
    number = Puzzle.objects.count() + 1
    announce(candidate, number=number, now=now - NIGHT)
    made = publish_due(source, now=now)
    assert made is not None
    return made


def promise(nonce: str, program: bytes) -> str:
    return hashlib.sha256(nonce.encode() + program).hexdigest()


def play_page(puzzle: Puzzle) -> str:
    return f"/play/puzzle-v{puzzle.number}/program/"


def test_a_trial_has_what_the_program_prints_and_what_levels_leave(candidate: PuzzleCandidate) -> None:
    assert candidate.levels["Oz"] < candidate.levels["O0"]
    assert candidate.best <= candidate.levels["Oz"] < 1.2 * candidate.best
    assert candidate.about["stdout"]
    assert candidate.about["source"]["seed"] == 1609337231


def test_passes_publish_the_first_puzzle_and_announce_the_next(
    source: PortableBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = iter([1095513148, 1609337231, 2183675157])
    monkeypatch.setattr(puzzle_services, "LEAST_GAIN", 0.9)
    monkeypatch.setattr(puzzle_services, "try_program", partial(try_program, evaluations=20))
    monkeypatch.setattr(puzzle_services, "_drawn_uri", lambda *_: f"generator://synthetic-v0/{next(drawn)}")
    daily = DailyPuzzle()
    daily.look(now=DAY)
    assert not Puzzle.objects.exists(), "The first one is too large."
    daily.look(now=DAY)
    assert [one.state for one in Puzzle.objects.all()] == ["announced"]
    daily.look(now=DAY + timedelta(minutes=1))
    tomorrow, today = Puzzle.objects.all()
    assert (tomorrow.state, today.state, str(today.day)) == ("announced", "open", "2026-11-30")
    daily.look(now=DAY + timedelta(minutes=2))
    assert Puzzle.objects.count() == 2
    assert tomorrow.program is not None
    assert promise(tomorrow.about["nonce"], bytes(tomorrow.program)) == tomorrow.sha256 != today.sha256
    assert (source.baseline_level, source.metric) == ("Oz", "ir_instructions")


def test_of_programs_that_leave_too_little_the_best_is_taken(
    source: PortableBoard, candidate: PuzzleCandidate, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = iter([1609337231, 1095513148])
    monkeypatch.setattr(puzzle_services, "LEAST_GAIN", 99)
    monkeypatch.setattr(puzzle_services, "MOST_DRAWN", 2)
    monkeypatch.setattr(puzzle_services, "try_program", partial(try_program, evaluations=20))
    monkeypatch.setattr(puzzle_services, "_drawn_uri", lambda *_: f"generator://synthetic-v0/{next(drawn)}")
    daily = DailyPuzzle()
    daily.look(now=DAY)
    assert not Puzzle.objects.exists()
    daily.look(now=DAY)  # the second one is too large
    assert bytes(Puzzle.objects.get().program or b"") == candidate.program
    assert source.is_open


def test_draws_depend_on_the_key_and_are_in_the_range_of_the_generator(
    source: PortableBoard, settings: Settings
) -> None:
    def drawn() -> list[str]:
        return [puzzle_services._drawn_uri(source, 1, attempt) for attempt in range(20)]

    found = drawn()
    assert found == drawn()
    assert len(set(found)) == 20
    range_ = drawn_range(source.dataset)
    head, _, tail = range_.uri.partition("{n}")
    for uri in found:
        seed = int(uri.removeprefix(head).removesuffix(tail))
        assert range_.parameter_min <= seed <= range_.parameter_max
    settings.SECRET_KEY = "another" * 10
    assert not set(found) & set(drawn())


def test_a_process_that_tries_programs_is_not_given_the_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = tmp_path / "names"
    written = f"import os, pathlib\npathlib.Path({str(names)!r}).write_text(' '.join(os.environ))\n"
    (tmp_path / "sitecustomize.py").write_text(written)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{importing_environment().get('PYTHONPATH', '')}")
    monkeypatch.setenv("OPTARENA_SECRET_KEY", "x" * 40)
    monkeypatch.setenv("OPTARENA_DATABASE_URL", "postgres:///secret")
    with pytest.raises(AnswerUnreadable):
        try_program(environment="llvm-ic-v0", metric="ir_instructions", uri="generator://synthetic-v0/none")
    given = set(names.read_text().split())
    assert "PYTHONPATH" in given
    assert not given & {"OPTARENA_SECRET_KEY", "OPTARENA_DATABASE_URL"}


def test_the_program_is_the_one_that_was_announced(source: PortableBoard, candidate: PuzzleCandidate) -> None:
    puzzle = publish(source, candidate)
    sent = Client().get("/api/v1/datasets/puzzle-v1/benchmarks/program/bitcode/")
    [row] = Client().get(LIST).json()["results"]
    assert len(row["nonce"]) == 64
    assert promise(row["nonce"], b"".join(sent)) == row["sha256"] == puzzle.sha256
    assert puzzle.board is not None
    assert puzzle.board.dataset_version.frozen
    page = text(Client().get(HOME))
    assert puzzle.sha256 in page
    assert row["nonce"] in page
    assert f'href="{play_page(puzzle)}"' in page
    assert "No result is verified yet" in page
    assert (row["state"], row["par"], row["best"]) == ("open", candidate.levels["Oz"], None)
    assert row["benchmark"] == "benchmark://puzzle-v1/program"
    assert row["play_url"].endswith(play_page(puzzle))
    assert Client().get(play_page(puzzle)).status_code == 200


def test_nothing_of_the_next_program_but_its_hash_can_be_had(
    source: PortableBoard, candidate: PuzzleCandidate
) -> None:
    publish(source, candidate)
    announced = announce(another(candidate), number=2, now=DAY)
    for where in (
        "/play/puzzle-v2/program/",
        "/datasets/puzzle-v2/",
        "/datasets/puzzle-v2/program/",
        "/boards/puzzle-2026-12-01/",
        "/api/v1/datasets/puzzle-v2/",
        "/api/v1/datasets/puzzle-v2/archive/",
        "/api/v1/datasets/puzzle-v2/benchmarks/program/bitcode/",
        "/api/v1/boards/puzzle-2026-12-01/",
        "/puzzle/2026-12-01/",
    ):
        assert Client().get(where).status_code == 404, where
    page = text(Client().get(HOME))
    assert announced.sha256 in page
    assert announced.sha256 != hashlib.sha256(another(candidate).program).hexdigest(), "All can be hashed."
    assert announced.about["nonce"] not in page
    told = Client().get(LIST).json()["results"][0]
    known = {name: value for name, value in told.items() if value not in (None, "")}
    assert known.keys() == {"number", "state", "sha256", "announced_at"}
    assert known["sha256"] == announced.sha256
    assert not DatasetVersion.objects.filter(name="puzzle-v2").exists()
    for where in ("/search/?q=puzzle", "/sitemap.xml", "/api/v1/datasets/"):
        shown = text(Client().get(where))
        assert "puzzle-v1" in shown, where
        assert "puzzle-v2" not in shown, where
    assert not admin.site.is_registered(Puzzle)


def test_a_puzzle_is_published_at_midnight_and_not_on_the_day_it_was_announced(
    source: PortableBoard, candidate: PuzzleCandidate
) -> None:
    publish(source, candidate)
    announce(another(candidate), number=2, now=DAY + timedelta(hours=1))
    for hours in (2, 23.999):
        assert publish_due(source, now=DAY + timedelta(hours=hours)) is None
    made = publish_due(source, now=DAY + NIGHT)
    assert made is not None
    assert (made.number, str(made.day)) == (2, "2026-12-01")
    assert publish_due(source, now=DAY + NIGHT + timedelta(hours=1)) is None


def test_what_is_announced_late_waits_for_the_next_day(
    source: PortableBoard, candidate: PuzzleCandidate
) -> None:
    publish(source, candidate)
    late = DAY + NIGHT + timedelta(minutes=5)
    announce(another(candidate), number=2, now=late)
    assert publish_due(source, now=late + timedelta(hours=1)) is None
    assert Puzzle.objects.get(number=1).state == "open"
    assert publish_due(source, now=late + NIGHT) is not None


def test_a_day_without_a_sweeper_is_made_up_for_by_its_next_pass(
    source: PortableBoard, candidate: PuzzleCandidate
) -> None:
    publish(source, candidate)
    announce(another(candidate), number=2, now=DAY)
    assert Puzzle.objects.get(number=1).state == "open"
    made = publish_due(source, now=DAY + 3 * NIGHT)
    assert made is not None
    assert str(made.day) == "2026-12-03"
    assert [str(one.day) for one in Puzzle.objects.all()] == ["2026-12-03", "2026-11-30"]


def test_only_a_result_that_runners_verified_is_the_best(
    source: PortableBoard, candidate: PuzzleCandidate
) -> None:
    puzzle = publish(source, candidate)
    assert puzzle.board is not None
    client = Client()
    client.force_login(make_user("ada"))
    given = {"environment": "llvm-ic-v0", "actions": "1,2", "submit": puzzle.board.slug}
    assert client.post(play_page(puzzle), given).status_code == 302
    assert "Best so far" not in text(Client().get(HOME))
    [replay] = verifications(Submission.objects.get())
    record(replay, 170)
    page = text(Client().get(HOME))
    assert "Best so far" in page
    assert "/users/ada/" in page
    best = Client().get(LIST).json()["results"][0]["best"]
    assert (best["value"], best["owner"], best["agent"]) == (170, "ada", "by hand")


def test_a_closed_puzzle_can_be_played_and_takes_no_submissions(
    source: PortableBoard, candidate: PuzzleCandidate
) -> None:
    former = publish(source, candidate)
    publish(source, another(candidate), now=DAY + NIGHT)
    former.refresh_from_db()
    assert former.state == "closed"
    assert former.board is not None
    client = Client()
    client.force_login(make_user("ada"))
    page = text(client.get(f"{play_page(former)}?actions=1,2"))
    assert puzzle_services.CLOSED in page
    assert "Submit this program" not in page
    given = {"environment": "llvm-ic-v0", "actions": "1,2", "submit": former.board.slug}
    told = text(client.post(play_page(former), given, follow=True))
    assert "takes no submissions any more" in told
    assert not Submission.objects.exists()
    home = text(Client().get(HOME))
    assert f'href="{play_page(former)}"' in home.split("Archive")[1]


def test_par_is_measured_again_if_the_metric_has_changed_since_the_announcement(
    source: PortableBoard, candidate: PuzzleCandidate
) -> None:
    announce(candidate, number=1, now=DAY - NIGHT)
    source.metric = "text_size_bytes"
    source.save()
    made = publish_due(source, now=DAY)
    assert made is not None
    assert made.board is not None
    assert made.board.metric == source.metric
    [row] = Client().get(LIST).json()["results"]
    again = try_program(
        environment="llvm-ic-v0",
        metric=source.metric,
        uri="generator://synthetic-v0/1609337231",
        evaluations=1,
    )
    assert again is not None
    assert row["par"] == again.levels["Oz"] != candidate.levels["Oz"]


def test_a_puzzle_is_closed_when_the_environment_here_is_another_version(
    source: PortableBoard, candidate: PuzzleCandidate
) -> None:
    puzzle = publish(source, candidate)
    assert puzzle.board is not None
    puzzle.board.environment_version = make_old_environment("llvm-ic-v0")
    puzzle.board.save()
    [row] = Client().get(LIST).json()["results"]
    assert row["state"] == "closed"
    page = text(Client().get(HOME))
    assert "It takes no submissions any more" in page
    assert "It is open until" not in page


def test_of_boards_of_puzzles_a_problem_names_only_the_open_one(
    source: PortableBoard, candidate: PuzzleCandidate
) -> None:
    former = publish(source, candidate)
    today = publish(source, another(candidate), now=DAY + NIGHT)
    answer = client_of(make_user("ada")).post(
        "/api/v1/submissions/", {"board": "none", "agent": "mine", "items": []}, format="json"
    )
    told = json.dumps(answer.json())
    assert former.board is not None
    assert today.board is not None
    assert today.board.slug in told
    assert former.board.slug not in told


def test_lists_of_boards_have_no_puzzles(source: PortableBoard, candidate: PuzzleCandidate) -> None:
    puzzle = publish(source, candidate)
    assert puzzle.board is not None
    assert puzzle.board.slug not in text(Client().get("/boards/"))
    assert Client().get("/api/v1/boards/").json()["results"] == []
    assert Client().get(f"/boards/{puzzle.board.slug}/").status_code == 200
    assert HOME in text(Client().get("/"))


def never(**_: object) -> PuzzleCandidate:
    pytest.fail("A program was tried.")


@pytest.mark.usefixtures("source")
def test_a_server_without_a_secret_of_its_own_draws_nothing(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(puzzle_services, "try_program", never)
    settings.SECRET_KEY = "x" * 10
    DailyPuzzle().look(now=DAY)
    assert not Puzzle.objects.exists()


@pytest.mark.usefixtures("source")
def test_an_operator_may_have_no_puzzles(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzle_services, "try_program", never)
    settings.OPTARENA_PUZZLES = False
    DailyPuzzle().look(now=DAY)
    assert not Puzzle.objects.exists()
    assert "No puzzle has been published yet" in text(Client().get(HOME))


def test_what_fails_is_not_tried_again_at_each_pass(
    source: PortableBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = []

    def uri(*_: object) -> str:
        tried.append(source)
        return "generator://synthetic-v0/none"

    monkeypatch.setattr(puzzle_services, "_drawn_uri", uri)
    daily = DailyPuzzle()
    for _ in range(2):
        daily.look(now=DAY)
    assert len(tried) == 1
    assert not Board.objects.exists()


@pytest.mark.usefixtures("source")
def test_an_error_that_is_not_expected_is_not_repeated_at_each_pass_either(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> str:
        raise RuntimeError

    monkeypatch.setattr(puzzle_services, "_drawn_uri", fail)
    daily = DailyPuzzle()
    with pytest.raises(RuntimeError):
        daily.look(now=DAY)
    daily.look(now=DAY)
