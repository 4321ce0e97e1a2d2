"""Comparisons of entries, levels and the best of everybody: who is ahead, and how sequences are aligned."""

from __future__ import annotations

import itertools
import math
import time
import uuid
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from django.test import Client
from rest_framework.test import APIClient

from leaderboard.compare.alignments import (
    MOST_ALIGNED,
    Result,
    Results,
    align,
    beats,
    count_duel,
    geometric_mean,
    winners,
)
from leaderboard.models import Board, Submission
from leaderboard.submissions.services import withdraw
from tests.factories import PROGRAMS, make_board, make_token
from tests.kit.arena import rolled_back
from tests.kit.boards import World, document, make_world, record, record_all, submit, verifications
from tests.kit.credit import entry
from tests.kit.pages import text

if TYPE_CHECKING:
    from pytest_django import DjangoDbBlocker


pytestmark = pytest.mark.django_db
COMPARE = "/api/v1/compare/"


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """Made once: what a test does beside it is undone."""
    with django_db_blocker.unblock(), rolled_back():
        yield make_world()


@pytest.fixture(scope="module")
def one(world: World) -> Submission:
    """An entry of ada: 90, 80 and 70 instructions."""
    made = submit(world.user, document(((1,), (2,), (3,)), agent="one"))
    record_all(made, 90, 80, 70)
    return made


@pytest.fixture(scope="module")
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
    part = submit(world.other, document(((14,), (15,)), agent="part"))
    record_all(part, 75, 80)
    found = compared(one, part)
    assert found["common"] == 2
    means = by_letter(found, "geometric_mean")
    assert means["A"] == pytest.approx((100 / 90 * 100 / 80) ** 0.5)
    assert means["B"] == pytest.approx((100 / 75 * 100 / 80) ** 0.5)


def test_wins_are_counted_on_the_programs_that_all_have(world: World, one: Submission) -> None:
    part = submit(world.other, document(((14,), (15,)), agent="part"))
    record_all(part, 95, 85)
    found = compared(one, part, "level:Oz")
    assert [row["winner"] for row in found["results"]] == ["A", "A", "A"]
    assert (found["common"], by_letter(found, "wins")) == (2, {"A": 2, "B": 0, "C": 0})
    page = text(Client().get("/compare/", {"entry": names(one, part, "level:Oz")}))
    assert "2 of 2 programs that all have" in page


def test_levels_and_the_virtual_best_are_compared(world: World, one: Submission, other: Submission) -> None:
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
    assert by_letter(found, "wins") == {"A": 0, "B": None, "C": 1, "D": 1}
    aside = "The virtual best is not counted as ahead."
    for others, is_said in ((names("level:Oz", one), True), (names("level:Oz"), False)):
        given = {"entry": [*others, "virtual-best"], "board": "test-ic"}
        assert (aside in text(Client().get("/compare/", given))) is is_said
    only = compared("level:O2", "virtual-best", board="test-ic")
    assert [row["winner"] for row in only["results"]] == ["B", "B", "B"]


def test_programs_that_the_board_does_not_compare_are_left_out(one: Submission, other: Submission) -> None:
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
        ([], {}, "entry", "2 to 4 entries can be compared, not 0"),
        (["virtual-best"], board, "entry", "2 to 4 entries can be compared, not 1"),
        (["virtual-best"] * 2, board, "entry", "more than once"),
        (five, board, "entry", "not 5"),
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
    for entries in (["best"], ["best", "virtual-best"]):
        answer = client.get("/compare/", {"entry": entries})
        assert answer.status_code == 422
        page = answer.content.decode()
        assert '<code class="wrap">best</code> This names neither' in page
        assert "<code>level:</code> and a level" in page


def test_one_chooses_on_the_page(client: Client, one: Submission) -> None:
    for place in (one.get_absolute_url(), "/boards/test-ic/"):
        assert f"/compare/?entry={one.pk}" in text(client.get(place)), place
    page = text(client.get("/compare/", {"entry": names(one)}))
    assert f'value="{one.pk}" checked' in page
    assert 'value="virtual-best"' in page
    assert 'value="level:Oz"' in page
    assert "?board=test-ic" in text(client.get("/compare/"))


CLEAR = Result(0.2, (1e-6, 10.0))
UNCLEAR = Result(0.21, (1e-1, 10.0))
NAN = math.nan


def results(*ratios: float) -> Results:
    """Exact results; NaN stands for none."""
    unknown = np.full(len(ratios), NAN)
    return Results(np.log(ratios), unknown, unknown)


def measured(*ratios: float, variance: float = 1e-6) -> Results:
    return Results(np.log(ratios), np.full(len(ratios), variance), np.full(len(ratios), 10.0))


def keys(rows: tuple[tuple[int | None, ...], ...], *sequences: str) -> list[str]:
    """The rows as texts: ``ab`` stands for a of the first and b of the second, ``-`` for nothing."""
    return [
        "".join("-" if at is None else one[at] for one, at in zip(sequences, row, strict=True))
        for row in rows
    ]


def test_a_measured_result_is_ahead_only_by_more_than_chance_and_an_exact_one_by_anything() -> None:
    assert beats(CLEAR, Result(0.1, (1e-6, 10.0)), exact=False)
    assert not beats(UNCLEAR, CLEAR, exact=False)
    assert not beats(Result(2.0), Result(1.0), exact=False)  # without an error nobody can tell
    assert [beats(Result(one), Result(1.0), exact=True) for one in (1.1, 1.0, 0.9)] == [True, False, False]


@pytest.mark.parametrize(
    ("columns", "places"),
    [
        ([[1.0], [1.2]], [1]),
        ([[1.2], [1.2]], [-1]),
        ([[1.2], [1.2], [1.1]], [-1]),
        ([[NAN], [1.2], [1.1]], [1]),
        ([[NAN], [1.2]], [-1]),
        ([[NAN], [NAN]], [-1]),
        ([[1.0], [1.1], [1.3], [1.2]], [2]),
        ([[1.0, 1.2, NAN], [1.1, 1.1, 1.0], [1.0, 1.2, NAN]], [1, -1, -1]),
    ],
)
def test_the_winner_of_a_program_is_alone_ahead(columns: list[list[float]], places: list[int]) -> None:
    assert winners([results(*one) for one in columns], exact=True).tolist() == places


def test_of_measured_results_the_winner_differs_by_more_than_chance() -> None:
    assert winners([measured(1.1), measured(1.2)], exact=False).tolist() == [1]
    assert winners([measured(1.1), measured(1.2, variance=0.1)], exact=False).tolist() == [-1]
    assert winners([results(1.0), results(2.0)], exact=False).tolist() == [-1]


def test_pairs_count_programs_that_both_have() -> None:
    one = results(1.0, 1.2, 1.0, 9.0, NAN)
    other = results(1.0, 1.1, 1.3, NAN, 9.0)
    assert count_duel(one, other, exact=True) == (1, 1, 1)
    assert count_duel(other, one, exact=True) == (1, 1, 1)
    assert count_duel(one, results(*[NAN] * 5), exact=True) == (0, 0, 0)
    assert count_duel(measured(1.0, 1.2), measured(1.1, 1.2), exact=False) == (0, 1, 1)


def test_the_geometric_mean_does_not_underflow() -> None:
    assert geometric_mean(np.log([2.0, 0.5])) == pytest.approx(1.0)
    assert geometric_mean(np.log(np.full(500, 1e-30))) == pytest.approx(1e-30)
    assert geometric_mean(np.array([])) is None


@pytest.mark.parametrize(
    ("sequences", "rows", "common"),
    [
        (("abc", "abc"), ["aa", "bb", "cc"], 3),
        (("abc", "abd"), ["aa", "bb", "cd"], 2),
        (("abc", "ab"), ["aa", "bb", "c-"], 2),
        (("axyb", "azb"), ["aa", "xz", "y-", "bb"], 1),
        (("abc", "acb"), ["aa", "-c", "bb", "c-"], 1),
        (("ab", "cd"), ["ac", "bd"], 0),
        (("", "ab"), ["-a", "-b"], 0),
        (("axb", "ayb", "azzb"), ["aaa", "xyz", "--z", "bbb"], 1),
        (("aba", "ab"), ["aa", "bb", "a-"], 2),
    ],
)
def test_states_of_all_stand_in_one_row(sequences: tuple[str, ...], rows: list[str], common: int) -> None:
    found = align(sequences)
    assert found.common == common
    assert keys(found.rows, *sequences) == rows
    for place, sequence in enumerate(sequences):
        assert [row[place] for row in found.rows if row[place] is not None] == list(range(len(sequence)))


def test_as_many_states_as_possible_are_aligned() -> None:
    for letters in itertools.permutations("abcd"):
        one, other = "abcd", "".join(letters)
        longest = max(
            len(some)
            for number in range(5)
            for some in itertools.combinations(one, number)
            if all(other.index(a) < other.index(b) for a, b in itertools.pairwise(some))
        )
        shared = [row for row in keys(align((one, other)).rows, one, other) if row[0] == row[1]]
        assert len(shared) == longest, other


def test_long_sequences_are_cut_and_take_little_time() -> None:
    one = [f"s{number}" for number in range(10_000)]
    four = [one, one[::-1], one, one[1:]]
    began = time.process_time()
    found = align(four)
    assert time.process_time() - began < 2
    assert max(len([row for row in found.rows if row[n] is not None]) for n in range(4)) == MOST_ALIGNED
    assert align([one, one]).common == 10_000
    assert math.isfinite(found.common)
