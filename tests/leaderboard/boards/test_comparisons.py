"""Comparisons of entries, levels and the best of everybody, as page and as JSON."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from leaderboard.management.commands.prune import prune
from leaderboard.models import Board
from leaderboard.submissions.services import withdraw
from tests.factories import PROGRAMS, make_board, make_token
from tests.kit.boards import document, record, record_all, submit, verifications
from tests.kit.credit import entry
from tests.kit.pages import text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leaderboard.models import Submission
    from tests.kit.boards import World

COMPARE = "/api/v1/compare/"


@pytest.fixture
def one(world: World) -> Submission:
    """An entry of ada: 90, 80 and 70 instructions."""
    made = submit(world.user, document(((1,), (2,), (3,)), agent="one"))
    record_all(made, 90, 80, 70)
    return made


@pytest.fixture
def other(world: World) -> Submission:
    """An entry of bob: 90, 85 and 60 instructions."""
    made = submit(world.other, document(((4,), (5,), (6,)), agent="other"))
    record_all(made, 90, 85, 60)
    return made


def names(*entries: Submission | str) -> list[str]:
    return [each if isinstance(each, str) else str(each.pk) for each in entries]


def compared(*entries: Submission | str, api: APIClient | None = None, **query: str) -> Any:
    answer = (api or APIClient()).get(COMPARE, {"entry": names(*entries)} | query)
    assert answer.status_code == 200, answer.content
    return answer.json()


def by_letter(found: Any, name: str) -> dict[str, Any]:
    return {column["letter"]: column[name] for column in found["columns"]}


def test_programs_have_values_ratios_and_a_winner(one: Submission, other: Submission) -> None:
    found = compared(one, other)
    assert [row["winner"] for row in found["results"]] == [None, "A", "B"]
    values = [[cell["value"] for cell in row["cells"]] for row in found["results"]]
    assert values == [[90, 90], [80, 85], [70, 60]]
    assert found["results"][2]["cells"][1]["ratio"] == pytest.approx(100 / 60)
    assert found["pairs"] == [{"one": "A", "other": "B", "wins": 1, "ties": 1, "losses": 1}]
    assert by_letter(found, "wins") == {"A": 1, "B": 1}


def test_means_are_over_the_programs_that_all_have(world: World, one: Submission) -> None:
    part = submit(world.other, document(((4,), (5,)), agent="part"))
    record_all(part, 75, 80)
    found = compared(one, part)
    assert found["common"] == 2
    means = by_letter(found, "geometric_mean")
    assert means["A"] == pytest.approx((100 / 90 * 100 / 80) ** 0.5)
    assert means["B"] == pytest.approx((100 / 75 * 100 / 80) ** 0.5)


def test_levels_and_the_virtual_best_can_be_compared(
    world: World, one: Submission, other: Submission
) -> None:
    found = compared("level:Oz", "virtual-best", one, other)
    assert by_letter(found, "kind") == {
        "A": "level",
        "B": "virtual-best",
        "C": "submission",
        "D": "submission",
    }
    best = [row["cells"][1]["value"] for row in found["results"]]
    assert best == [90, 80, 60]
    assert {row["cells"][0]["ratio"] for row in found["results"]} == {1.0}
    score = by_letter(found, "score")["B"]
    assert score == pytest.approx((100**3 / (90 * 80 * 60)) ** (1 / 3))
    assert [row["winner"] for row in found["results"]] == [None, "C", "D"]
    only = compared("level:O2", "virtual-best", board="test-ic")
    assert [row["winner"] for row in only["results"]] == ["B", "B", "B"]


def test_items_of_programs_that_the_board_does_not_compare_are_left_out(
    one: Submission, other: Submission
) -> None:
    programs = [row["benchmark"] for row in compared(one, other)["results"]]
    Board.objects.filter(pk=one.board_id).update(benchmarks=programs[:2])
    found = compared(one, other, "virtual-best", "level:Oz")
    assert [row["benchmark"] for row in found["results"]] == programs[:2]
    assert found["common"] == 2
    assert found["pairs"][0] == {"one": "A", "other": "B", "wins": 1, "ties": 1, "losses": 0}


def test_withdrawn_and_pending_results_do_not_count(world: World, one: Submission, other: Submission) -> None:
    withdraw(submission_id=other.pk, actor=world.other)
    waiting = submit(world.other, document(((7,), (8,), (9,)), agent="waiting"))
    record(verifications(waiting)[0], 75)
    found = compared("virtual-best", one, waiting, other)
    assert [row["cells"][0]["value"] for row in found["results"]] == [75, 80, 70]
    assert [row["cells"][2]["value"] for row in found["results"]] == [75, None, None]
    assert {row["cells"][3]["verdict"] for row in found["results"]} == {"withdrawn"}
    assert by_letter(found, "score")["C"] is None


def test_sequences_are_aligned_by_states(world: World, one: Submission) -> None:
    padded = entry(world.other, ((1, 9, 9), (2, 9), (3, 9)), value=90, agent="padded")
    found = compared(one, padded, program="alpha")["alignment"]
    assert (found["by"], found["equal"]) == ("states", True)
    assert [one["without_effect"] for one in found["sequences"]] == [0, 2]
    assert [one["parts_at"] for one in found["sequences"]] == [None, None]
    assert [row["shared"] for row in found["rows"]] == [True, True]
    assert found["rows"][0]["steps"][0] == {"number": 0, "name": "unoptimised", "cost": 400}


def test_the_first_step_where_they_part_is_named(one: Submission, other: Submission) -> None:
    assert compared(one, other)["alignment"]["benchmark"].endswith("/beta"), "on which somebody is ahead"
    found = compared(one, other, program="gamma")["alignment"]
    assert not found["equal"]
    assert [one["parts_at"] for one in found["sequences"]] == [1, 1]
    assert [row["shared"] for row in found["rows"]] == [True, False]


def test_without_stored_states_actions_are_aligned(world: World) -> None:
    made = entry(world.user, ((1, 2, 3), (2,), (3,)), agent="one")
    entry(world.user, ((7,), (8,), (9,)), value=85, agent="one")  # the steps of the best entry stay
    second = entry(world.other, ((1, 3), (5,), (6,)), value=80, agent="other")
    assert prune(before=timezone.now() + timedelta(hours=1)).traces == 3
    found = compared(made, second, program="alpha")["alignment"]
    assert found["by"] == "actions"
    assert [one["parts_at"] for one in found["sequences"]] == [2, 2]
    assert [row["shared"] for row in found["rows"]] == [True, False, True]


def test_hidden_sequences_stay_hidden_from_all_but_their_owner(world: World, one: Submission) -> None:
    waiting = submit(world.other, document(((7,), (8,), (9,)), agent="waiting"))
    found = compared(one, waiting, program="alpha")
    assert found["alignment"]["sequences"][1]["absent"].startswith("Only its owner")
    assert all(len(row["steps"]) == 1 for row in found["alignment"]["rows"])
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {make_token(world.other)[1]}")
    mine = compared(one, waiting, api=client, program="alpha")["alignment"]
    assert [each["absent"] for each in mine["sequences"]] == ["", ""]
    secret = mine["rows"][-1]["steps"][-1]["name"]  # the name of its action
    public = text(Client().get("/compare/", {"entry": names(one, waiting), "program": "alpha"}))
    assert f"<code>{secret}</code>" not in public


def test_a_bad_question_is_answered_with_field_value_and_remedy(world: World, one: Submission) -> None:
    best, board = ["level:Oz", "virtual-best"], {"board": "test-ic"}
    make_board(slug="second")
    elsewhere = entry(world.other, ((7,), (8,), (9,)), board="second")
    five = [*best, "level:O1", "level:O2", "level:O3"]
    questions: list[tuple[Sequence[str], dict[str, str], str, str]] = [
        ([], {}, "entry", "0 entries are given"),
        (["virtual-best"], board, "entry", "1 entries are given"),
        (["virtual-best"] * 2, board, "entry", "more than once"),
        (five, board, "entry", "5 "),
        (best, {}, "board", "says which board"),
        (best, {"board": "nowhere"}, "board", "There is no board"),
        (["level:O9", "virtual-best"], board, "entry", "no level 'O9'"),
        (["best", "virtual-best"], board, "entry", "neither a submission"),
        ([str(uuid.uuid4()), "virtual-best"], board, "entry", "no such submission"),
        (best, board | {"program": "omega"}, "program", "program"),
        (best, board | {"colour": "red"}, "colour", "colour"),
        (names(one, elsewhere), {}, "entry", "second and test-ic"),
        (names(one, "virtual-best"), {"board": "second"}, "board", ""),
        *(
            ([str(one.pk), same], {}, "entry", "")
            for same in (f"{{{one.pk}}}", f"urn:uuid:{one.pk}", one.pk.hex, str(one.pk).upper())
        ),
    ]
    for entries, more, field, words in questions:
        answer = APIClient().get(COMPARE, {"entry": entries} | more)
        assert answer.status_code == 422, entries
        problems = answer.json()["errors"]
        assert field in {each["field"] for each in problems}, problems
        assert any(words in each["message"] for each in problems), problems
        assert all(each["remedy"] for each in problems)


def test_programs_come_in_pages(one: Submission, other: Submission) -> None:
    first = compared(one, other, page_size="2")
    assert [row["benchmark"].rpartition("/")[2] for row in first["results"]] == list(PROGRAMS[:2])
    second = APIClient().get(first["next"]).json()
    assert len(second["results"]) == 1
    assert second["pairs"] == first["pairs"]


def test_the_page_says_the_same(client: Client, one: Submission, other: Submission) -> None:
    page = text(client.get("/compare/", {"entry": names(one, other, "level:Oz"), "program": "gamma"}))
    for words in ("one by ada", "other by bob", "1.6667", "Sequences of gamma", "step 1"):
        assert words in page, words
    assert f'value="{one.pk}" checked' in page
    answer = client.get("/compare/", {"entry": names(one, "level:O9")})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "Levels: level:" in page
    assert f'value="{one.pk}" checked' in page


def test_one_chooses_on_the_page(client: Client, one: Submission) -> None:
    for place in (one.get_absolute_url(), "/boards/test-ic/"):
        assert f"/compare/?entry={one.pk}" in text(client.get(place)), place
    page = text(client.get("/compare/", {"entry": names(one)}))
    assert f'value="{one.pk}" checked' in page
    assert 'value="virtual-best"' in page
    assert 'value="level:Oz"' in page
    assert "?board=test-ic" in text(client.get("/compare/"))
