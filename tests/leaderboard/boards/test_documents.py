"""Reading submissions: every unusable value becomes a problem with its place and remedy."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from leaderboard.submissions import documents
from leaderboard.submissions.documents import DocumentTooLarge, MalformedDocument, read_csv, read_json
from optarena.limits import MAX_SUBMISSION_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable

URI = "benchmark://kernels-v0/quicksort"


def document(**changes: object) -> dict[str, Any]:
    base = {"board": "b", "agent": "a", "items": [{"benchmark": URI, "actions": [1]}]}
    return base | changes


def item(**changes: object) -> dict[str, Any]:
    return document(items=[{"benchmark": URI, "actions": [1]} | changes])


def problems(data: object) -> list[tuple[str, int | None]]:
    return [(one.field, one.row) for one in read_json(json.dumps(data).encode()).problems]


def test_a_good_document_reads_as_it_was_written() -> None:
    data = document(
        description="two\nlines",
        url="https://example.org/x",
        effort={"compilations": 5, "walltime_seconds": 1.5, "trained_on_test_set": True},
        items=[
            {"benchmark": URI, "commandline": "opt x", "reward": -1.0, "walltime": 0, "claims": {"m": 3}},
            {"benchmark": URI, "actions": []},
        ],
    )
    read = read_json(json.dumps(data).encode())
    assert read.problems == ()
    assert (read.about.compilations, read.about.walltime_seconds, read.about.trained_on_test_set) == (
        5,
        1.5,
        True,
    )
    assert [one.row for one in read.items] == [0, 1]
    assert read.items[0].claims == {"m": 3.0}
    assert read.items[1].actions == ()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'"text"',
        b"\xff\xfe",
        b'{"a": NaN}',
        b'{"a": -Infinity}',
        b"[" * 100_000,
        b'{"a": ' + b"9" * 5000 + b"}",
    ],
    ids=["empty", "cut", "list", "text", "not-utf8", "nan", "infinity", "deep", "long-number"],
)
def test_what_is_no_json_object_is_malformed(body: bytes) -> None:
    with pytest.raises(MalformedDocument):
        read_json(body)
    with pytest.raises(MalformedDocument):
        read_csv(b"\xff", about={}, metrics=())


def test_a_body_over_the_limit_is_too_large_in_both_formats() -> None:
    body = b" " * (MAX_SUBMISSION_BYTES + 1)
    with pytest.raises(DocumentTooLarge, match="5,000,000"):
        read_json(body)
    with pytest.raises(DocumentTooLarge):
        read_csv(body, about={}, metrics=())


@pytest.mark.parametrize(
    ("values", "changed", "field"),
    [
        ([True, "12", 1e300, -1, [1]], lambda one: item(claims={"m": one}), "claims.m"),
        ([[1.5], ["1"], [True], {"a": 1}, "1,2", [None]], lambda one: item(actions=one), "actions"),
        (["", " ", None, 3, "x" * 81, "a\0b"], lambda one: document(agent=one), "agent"),
        (
            ["javascript:alert(1)", "ftp://x", "http://", "https://a b", "http://[", 5],
            lambda one: document(url=one),
            "url",
        ),
        ([None, [], {}, "x", 0], lambda one: document(items=one), "items"),
        ([[]], lambda one: document(effort=one), "effort"),
        ([1.5, -1], lambda one: document(effort={"compilations": one}), "effort.compilations"),
        (["1"], lambda one: document(effort={"walltime_seconds": one}), "effort.walltime_seconds"),
        ([1], lambda one: document(effort={"trained_on_test_set": one}), "effort.trained_on_test_set"),
        (["opt"], lambda one: item(commandline=one), "commandline"),
        ([URI], lambda one: document(items=[{"benchmark": one}]), "commandline"),
    ],
    ids=lambda one: one if isinstance(one, str) else None,
)
def test_an_unusable_value_is_named(
    values: list[Any], changed: Callable[[Any], dict[str, Any]], field: str
) -> None:
    for value in values:
        assert {name for name, _ in problems(changed(value))} == {field}, value


def test_a_number_too_large_for_a_double_is_refused() -> None:
    body = json.dumps(item(claims={"m": 1})).replace('"m": 1', '"m": 1e999').encode()
    assert [one.field for one in read_json(body).problems] == ["claims.m"]


def test_unknown_fields_are_named_at_every_level() -> None:
    data = item(rewards=1) | {"agnet": "x", "effort": {"compilation": 1}}
    assert sorted(problems(data)) == sorted([("agnet", None), ("effort.compilation", None), ("rewards", 0)])


def test_every_problem_is_listed_at_once_with_its_row() -> None:
    data = document(
        agent="",
        items=[{"benchmark": URI, "actions": "x"}, 7, {"benchmark": "", "actions": [1], "reward": "y"}],
    )
    assert problems(data) == [("agent", None), ("actions", 0), ("items", 1), ("benchmark", 2), ("reward", 2)]


def test_csv_rows_keep_their_numbers_and_problems_do_not_hide_the_good_ones_or_the_fields_beside_it() -> None:
    body = f"benchmark,commandline\n\n{URI},opt x\n".encode()
    assert [one.row for one in read_csv(body, about={"board": "b", "agent": "a"}, metrics=()).items] == [3]
    body = f"{URI},,,opt x\n{URI},1\n{URI},nan,,opt y\n".encode()
    read = read_csv(body, about={"board": "b"}, metrics=())
    assert [(one.field, one.row) for one in read.problems] == [("agent", None), ("row", 2), ("reward", 3)]
    assert [(one.row, one.reward) for one in read.items] == [(1, None), (3, None)]


def test_fields_beside_a_csv_are_read_from_texts() -> None:
    about = documents.about_from_query(
        {
            "board": "b",
            "agent": "a",
            "compilations": "12",
            "walltime_seconds": "",
            "trained_on_test_set": "True",
        }
    )
    assert about == {
        "board": "b",
        "agent": "a",
        "effort": {"compilations": "12", "trained_on_test_set": "True"},
    }
    read = read_csv(f"{URI},,,opt x\n".encode(), about=about, metrics=())
    assert (read.about.compilations, read.about.trained_on_test_set, read.problems) == (12, True, ())
    about = documents.about_from_query({"board": "b", "agent": "a", "compilations": "many"})
    (problem,) = read_csv(f"{URI},,,opt x\n".encode(), about=about, metrics=()).problems
    assert (problem.field, problem.value) == ("effort.compilations", "many")
