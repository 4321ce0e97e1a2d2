"""Reading submissions: every unusable value becomes a problem with its place and remedy, at little cost."""

from __future__ import annotations

import copy
import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from leaderboard.boards.models import is_current
from leaderboard.models import Board, Submission, SubmissionItem
from leaderboard.submissions import documents
from leaderboard.submissions.documents import (
    Document,
    DocumentTooLarge,
    MalformedDocument,
    read_csv,
    read_json,
)
from leaderboard.submissions.uploads import SUBMISSION_SCHEMA
from optarena.documents.kinds import spelled_number
from optarena.errors import Problem
from optarena.limits import (
    MAX_ACTIONS_PER_ITEM,
    MAX_ITEMS_PER_SUBMISSION,
    MAX_JSON_NAMES,
    MAX_PROBLEMS,
    MAX_SUBMISSION_BYTES,
)
from optarena.specs import environment_spec
from optarena.state import COLUMNS
from runner.models import EnvironmentVersion, Verification
from tests.factories import make_dataset
from tests.kit.boards import URIS, World, document, submit
from tests.kit.posting import ADDRESS, errors, nothing_stored, post, post_csv

if TYPE_CHECKING:
    from rest_framework.test import APIClient


URI = "benchmark://kernels-v0/quicksort"


def small_document(**changes: object) -> dict[str, Any]:
    base = {"board": "b", "agent": "a", "items": [{"benchmark": URI, "actions": [1]}]}
    return base | changes


def item(**changes: object) -> dict[str, Any]:
    return small_document(items=[{"benchmark": URI, "actions": [1]} | changes])


def problems_of(data: object) -> list[tuple[str, int | None]]:
    return [(one.field, one.row) for one in read_json(json.dumps(data).encode()).problems]


def test_a_good_document_reads_as_it_was_written() -> None:
    data = small_document(
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
        b'"text"',
        b"\xff\xfe",
        b'{"a": NaN}',
        b'{"a": -Infinity}',
        b"[" * 100_000,
        b'{"a": ' + b"9" * 5000 + b"}",
    ],
    ids=["empty", "cut", "text", "not-utf8", "nan", "infinity", "deep", "long-number"],
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
        (["", " ", None, 3, "x" * 81, "a\0b"], lambda one: small_document(agent=one), "agent"),
        (
            ["javascript:alert(1)", "ftp://x", "http://", "https://a b", "http://[", 5],
            lambda one: small_document(url=one),
            "url",
        ),
        ([None, [], {}, "x", 0], lambda one: small_document(items=one), "items"),
        ([[]], lambda one: small_document(effort=one), "effort"),
        ([1.5, -1], lambda one: small_document(effort={"compilations": one}), "effort.compilations"),
        (["1"], lambda one: small_document(effort={"walltime_seconds": one}), "effort.walltime_seconds"),
        ([1], lambda one: small_document(effort={"trained_on_test_set": one}), "effort.trained_on_test_set"),
        (["opt"], lambda one: item(commandline=one), "commandline"),
        ([URI], lambda one: small_document(items=[{"benchmark": one}]), "commandline"),
    ],
    ids=lambda one: one if isinstance(one, str) else None,
)
def test_an_unusable_value_is_named(
    values: list[Any], changed: Callable[[Any], dict[str, Any]], field: str
) -> None:
    for value in values:
        assert {name for name, _ in problems_of(changed(value))} == {field}, value


def test_a_number_too_large_for_a_double_is_refused() -> None:
    body = json.dumps(item(claims={"m": 1})).replace('"m": 1', '"m": 1e999').encode()
    assert [one.field for one in read_json(body).problems] == ["claims.m"]


def test_unknown_fields_are_named_at_every_level() -> None:
    data = item(rewards=1) | {"agnet": "x", "effort": {"compilation": 1}}
    assert sorted(problems_of(data)) == sorted(
        [("agnet", None), ("effort.compilation", None), ("rewards", 0)]
    )


def test_every_problem_is_listed_at_once_with_its_row() -> None:
    data = small_document(
        agent="",
        items=[{"benchmark": URI, "actions": "x"}, 7, {"benchmark": "", "actions": [1], "reward": "y"}],
    )
    assert problems_of(data) == [
        ("agent", None),
        ("actions", 0),
        ("items", 1),
        ("benchmark", 2),
        ("reward", 2),
    ]


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


def test_texts_beside_json_are_read_as_what_they_spell_and_its_own_fields_as_they_are() -> None:
    body = {**ABOUT, "effort": {"compilations": "12"}, "items": [{"benchmark": URI, "commandline": "x"}]}
    sent = json.dumps(body).encode()
    for about in ({}, {"agent": "x"}, {"walltime_seconds": "2", "agent": " "}):
        read = read_json(sent, about=documents.about_from_query(about))
        assert [one.field for one in read.problems] == ["effort.compilations"], about
    read = read_json(sent, about=documents.about_from_query({"agent": "x", "compilations": "3", "open": "1"}))
    assert (read.about.agent, read.about.compilations, read.about.open, read.problems) == ("x", 3, True, ())
    read = read_json(sent, about=documents.about_from_query({"compilations": "many"}))
    assert [(one.field, one.value) for one in read.problems] == [("effort.compilations", "many")]


def test_an_equal_version_of_another_environment_keeps_no_board_current() -> None:
    own, other = environment_spec("llvm-v0"), environment_spec("gcc-v0")
    current, former, gone = (
        Board(environment_version=EnvironmentVersion(env_id=env_id, digest=digest))
        for env_id, digest in ((own.slug, own.digest), (own.slug, other.digest), ("gone-v0", own.digest))
    )
    assert list(map(is_current, (current, former, gone))) == [True, False, False]


METRICS = ("ir_instructions", "text_size_bytes")
ABOUT = {"board": "b", "agent": "a"}
words = st.text(max_size=8) | st.sampled_from(
    ["ten", "x" * 251, " padded ", "a\u200db", "a\u202eb", "a\u2028b"]
)
numbers = (
    st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from([0, 10**18, 10**18 + 1, -1])
)
values = st.none() | numbers | st.booleans() | words.filter(str.strip)
items = st.fixed_dictionaries(
    {},
    optional={
        "benchmark": st.just(URI) | words,
        "commandline": st.just("opt -passes=sroa input.bc -o output.bc") | words,
        "reward": values,
        "walltime": values,
        "claims": st.dictionaries(st.sampled_from(METRICS), values, max_size=2),
    },
)


def as_csv(item: dict[str, Any]) -> bytes:
    """A row with a header; a text is its own cell, anything else is written as JSON writes it."""
    claims = item.get("claims", {})
    cells = [(item | claims).get(name) for name in (*COLUMNS, *METRICS)]
    output = io.StringIO(newline="")
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow((*COLUMNS, *METRICS))
    writer.writerow(
        ["" if one is None else one if isinstance(one, str) else json.dumps(one) for one in cells]
    )
    return output.getvalue().encode()


def as_json(item: dict[str, Any]) -> bytes:
    return json.dumps(ABOUT | {"items": [item]}).encode()


def problems_in(document: Document) -> list[tuple[str, str, str, str]]:
    """Every problem, but for its row; a claim's field is named by its column in CSV."""

    def of(one: Problem) -> tuple[str, str, str, str]:
        return one.field.removeprefix("claims."), one.value, one.message, one.remedy

    return sorted(map(of, document.problems))


@given(items)
@example({"benchmark": URI, "commandline": " "})
@example({"benchmark": "", "commandline": "opt"})
@example({"benchmark": " ", "commandline": "opt"})
def test_an_item_reads_the_same_from_both_formats(item: dict[str, Any]) -> None:
    texts = [one for one in [*item.values(), *item.get("claims", {}).values()] if isinstance(one, str)]
    assume(all(one < "\ud800" or one > "\udfff" for text in texts for one in text))  # UTF-8 holds no halves
    assume(not any("\0" in text or "\r" in text for text in texts))  # which csv itself reads otherwise
    assume(not any(isinstance(spelled_number(one), (int, float)) for one in texts))  # CSV has no types
    assume(any(str(one or "").strip() for name, one in item.items() if name != "claims"))  # no blank row
    from_json, from_csv = read_json(as_json(item)), read_csv(as_csv(item), about=ABOUT, metrics=METRICS)
    assert problems_in(from_json) == problems_in(from_csv)
    assert [replace(one, row=0) for one in from_json.items] == [replace(one, row=0) for one in from_csv.items]
    for problem in from_json.problems:
        assert problem.field
        assert problem.message.endswith(".")
        assert problem.remedy.endswith(".")


def test_a_problem_without_a_remedy_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="no remedy"):
        Problem(field="x", message="It is wrong.", remedy="")


schema = jsonschema.Draft202012Validator(SUBMISSION_SCHEMA)


@pytest.mark.parametrize(
    "change",
    [
        {"board": None},
        {"agent": "a" * 81},
        {"description": "d" * 2001},
        {"url": 5},
        {"effort": {"compilations": -1}},
        {"effort": {"compilation": 1}},
        {"items": []},
        {"items": [{"commandline": "opt"}]},
        {"items": [{"benchmark": "b" * 251, "actions": []}]},
        {"items": [{"benchmark": URI, "actions": ["1"]}]},
        {"items": [{"benchmark": URI, "actions": [], "claims": {"m": -1}}]},
        {"items": [{"benchmark": URI, "actions": [], "reward": 1e19}]},
        {"items": [{"benchmark": URI, "actions": [], "speed": 1}]},
    ],
    ids=json.dumps,
)
def test_what_has_another_shape_is_refused_by_the_schema_and_by_the_reader(change: dict[str, Any]) -> None:
    good = ABOUT | {"items": [{"benchmark": URI, "actions": [1]}]}
    assert not read_json(json.dumps(good).encode()).problems
    assert schema.is_valid(good)
    assert read_json(json.dumps(good | change).encode()).problems
    assert not schema.is_valid(good | change)


def test_reading_ends_at_the_first_two_hundred_problems(api: APIClient) -> None:
    good = {"benchmark": URIS[0], "actions": [1]}
    items: list[dict[str, Any]] = [
        {f"field {number}": 1 for number in range(300)},
        good | {"claims": {f"c{n}": "x" for n in range(100)}},
        good | {"reward": "x"},
        {"actions": [1]},
    ]
    for item in items:
        errors = post(api, document(items=[item] * 500)).json()["errors"]
        assert len(errors) == MAX_PROBLEMS + 1
        assert {error["row"] for error in errors[:-1]} <= set(range(MAX_PROBLEMS))
    for number in (MAX_PROBLEMS, MAX_PROBLEMS + 1):
        body = post(api, document() | {f"field {one:03}": 1 for one in range(number)}).json()
        assert ("more problems" in body["errors"][-1]["message"]) == (number > MAX_PROBLEMS)
    assert body["detail"] == "At least 200 values cannot be used; the first 200 are listed."


def test_only_so_many_similar_names_are_looked_for(api: APIClient) -> None:
    items = [{"benchmark": f"{URIS[0]}{number}", "actions": [1]} for number in range(MAX_PROBLEMS)]
    remedies = [error["remedy"] for error in post(api, document(items=items)).json()["errors"]]
    assert "Did you mean" in remedies[0]
    assert "Did you mean" not in remedies[-1]
    assert "All are listed" in remedies[-1]


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"], ids=["CR", "LF", "CRLF"])
def test_rows_are_counted_whatever_ends_them(api: APIClient, end: str) -> None:
    rows = ["benchmark,commandline", *(f"b{number},x" for number in range(MAX_ITEMS_PER_SUBMISSION + 1))]
    as_json = '{"items": [' + ",".join(["{}"] * (MAX_ITEMS_PER_SUBMISSION + 1)) + "]}"
    for response in (post_csv(api, end.join(rows)), post(api, as_json.encode())):
        assert response.status_code == 413
        assert "10,000" in response.json()["detail"]
    assert nothing_stored()


def test_line_ends_in_quotes_are_no_rows(api: APIClient) -> None:
    lines = "\n" * MAX_ITEMS_PER_SUBMISSION
    response = post_csv(api, f'benchmark,commandline\n{URIS[0]},"x{lines}"\n{URIS[1]},"x{lines}"\n')
    second = 2 + MAX_ITEMS_PER_SUBMISSION + 1  # the line of the file in which it begins
    assert errors(response) == [("commandline", 2), ("commandline", second)]


def test_very_many_columns_or_claims_are_one_problem(api: APIClient) -> None:
    response = post_csv(api, "benchmark,commandline" + ",x" * 1_000_000)
    assert errors(response)[0] == ("row", 1)
    assert "1,000,002 columns; at most 200" in response.json()["errors"][0]["message"]
    item = {"benchmark": URIS[0], "actions": [1], "claims": {f"c{n}": 1 for n in range(101)}}
    response = post(api, document(items=[item]))
    assert errors(response) == [("claims", 0)]
    assert "101 fields; at most 100" in response.json()["errors"][0]["message"]


def test_a_document_has_only_so_many_names_and_brackets(api: APIClient) -> None:
    for part, what in (('"k%d": 1', "keys"), ('"k%d": []', "brackets")):
        body = "{" + ", ".join(part % number for number in range(MAX_JSON_NAMES + 1)) + "}"
        response = post(api, body.encode())
        assert response.status_code == 400
        assert f"more than 300,000 {what}" in response.json()["detail"]


def csv_of(*rows: str) -> str:
    return "\n".join(rows) + "\n"


def line(uri: str, *actions: int, quote: str = '"') -> str:
    commandline = environment_spec("llvm-ic-v0").commandline(actions)
    return f"{uri},,,{quote}{commandline}{quote}"


def changed(**item: Any) -> dict[str, Any]:
    body = copy.deepcopy(document())
    body["items"][1] |= item
    return body


def test_a_good_submission_is_accepted_and_located(api: APIClient) -> None:
    response = post(api, document(description="d", effort={"compilations": 1}))
    assert response.status_code == 202
    body = response.json()
    assert response["Location"].endswith(f"/api/v1/submissions/{body['id']}/")
    assert (body["state"], body["progress"]) == ("verifying", {"done": 0, "total": 3})
    assert (body["owner"], body["board"], body["agent"]) == ("ada", "test-ic", "agent")
    assert body["effort"]["effort_class"] == "zero-shot"
    assert body["url"].endswith(f"/submissions/{body['id']}/")
    assert Verification.objects.count() == 3


def test_a_command_line_is_stored_in_its_canonical_form(api: APIClient) -> None:
    spec = environment_spec("llvm-ic-v0")
    spaced = "  " + spec.commandline((3, 4)).replace(" input.bc", "   input.bc")
    given = [{"benchmark": URIS[0].removeprefix("benchmark://"), "commandline": spaced}]
    assert post(api, document(items=given)).status_code == 202
    item = SubmissionItem.objects.get()
    assert (item.benchmark_uri, item.actions, item.commandline) == (URIS[0], [3, 4], spec.commandline((3, 4)))


OF_PASSES = "opt -passes=no-such-pass input.bc -o output.bc"


@pytest.mark.parametrize(
    ("changes", "field", "said"),
    [
        (
            {"benchmark": "benchmark://boards-v0/beto"},
            "benchmark",
            "Did you mean 'benchmark://boards-v0/beta",
        ),
        ({"benchmark": "benchmark://other-v7/alpha"}, "benchmark", ""),
        ({"benchmark": "benchmark://elsewhere-v0/alpha"}, "benchmark", "boards-v0 only"),
        ({"benchmark": "file:///etc/passwd"}, "benchmark", ""),
        ({"benchmark": "not a uri"}, "benchmark", ""),
        ({"benchmark": "benchmark://boards-v0/a\0b"}, "benchmark", ""),
        ({"benchmark": URIS[0]}, "benchmark", ""),
        ({"actions": [1, 9999]}, "actions", ""),
        ({"actions": [-1]}, "actions", ""),
        ({"actions": [10**30]}, "actions", ""),
        ({"actions": [1] * (MAX_ACTIONS_PER_ITEM + 1)}, "actions", "10,000"),
        ({"actions": None, "commandline": "rm -rf /"}, "commandline", ""),
        ({"actions": None, "commandline": OF_PASSES}, "commandline", ""),
        ({"claims": {"ir_instructions": 1e300}}, "claims.ir_instructions", ""),
        ({"claims": {"speed": 1}}, "claims.speed", ""),
        ({"reward": "good"}, "reward", ""),
    ],
    ids=lambda one: repr(one)[:40],
)
def test_a_bad_value_is_named(api: APIClient, changes: dict[str, Any], field: str, said: str) -> None:
    make_dataset("elsewhere-v0", ["alpha"])
    response = post(api, changed(**changes), **{"Idempotency-Key": "k"})
    assert response.status_code == 422
    assert errors(response) == [(field, 1)]
    [problem] = response.json()["errors"]
    assert said in problem["message"] + problem["remedy"]
    assert problem["value"] in str(changes) or field != "benchmark", "it was given"
    assert nothing_stored()


def test_a_problem_quotes_what_was_sent(api: APIClient) -> None:
    numbers = {"ir_instructions": 7, "speed": 1}
    sent: list[tuple[dict[str, Any], str]] = [
        ({"benchmark": " benchmark://cbench-v1/qsort"}, " benchmark://cbench-v1/qsort"),
        ({"benchmark": "file:///home/me/mine.bc"}, "file:///home/me/mine.bc"),
        ({"benchmark": "boards-v0/beto"}, "boards-v0/beto"),
        ({"benchmark": "Boards-v0/alpha"}, "Boards-v0/alpha"),
        ({"benchmark": URIS[0].removeprefix("benchmark://")}, URIS[0].removeprefix("benchmark://")),
        ({"actions": [[1, 2]]}, "[1, 2]"),
        ({"claims": numbers}, "1"),
        ({"rewards": 2}, "2"),
    ]
    for changes, value in sent:
        [problem] = post(api, changed(**changes)).json()["errors"]
        assert problem["value"] == value, changes
    rows = f'benchmark,commandline,IR_instruction\n"{URIS[0]}", opt "x",1\n{URIS[1]},"a,\nb"\n'
    found = post_csv(api, rows).json()["errors"]
    assert [one["value"] for one in found] == ["IR_instruction", f'{URIS[1]},"a,\\nb"', 'opt "x"']


def test_a_list_alone_is_taken_with_the_fields_of_the_query(api: APIClient) -> None:
    items = document()["items"]
    for body, query, agent in (
        (items, "board=test-ic&agent=a&compilations=5", "a"),
        (items[0], "board=test-ic&agent=b&compilations=5", "b"),
        (document(effort={"walltime_seconds": 2}), "agent=c&compilations=5", "c"),
    ):
        answer = api.generic("POST", f"{ADDRESS}?{query}", json.dumps(body), content_type="application/json")
        assert answer.status_code == 202, answer.content
        found = Submission.objects.latest("created")
        assert (found.agent, found.compilations) == (agent, 5)
    assert found.walltime_seconds == 2
    answer = api.generic(
        "POST", f"{ADDRESS}?agnet=c", json.dumps(document()), content_type="application/json"
    )
    assert errors(answer) == [("agnet", None)]
    assert errors(post(api, items)) == [("board", None), ("agent", None)]
    assert errors(post(api, [])) == [("board", None), ("agent", None), ("document", None)]


def test_a_claim_in_a_csv_must_be_a_finite_number(api: APIClient) -> None:
    for claim in ("nan", "inf", "-inf", "1e400", "-1", "1e20", "many"):
        row = f"{URIS[0]},{line(URIS[0], 1)[len(URIS[0]) + 3 :]},{claim}"
        response = post_csv(api, csv_of("benchmark,commandline,ir_instructions", row))
        assert (response.status_code, errors(response)) == (422, [("ir_instructions", 2)])
    assert nothing_stored()


def test_a_bad_csv_is_explained_and_nothing_is_stored(api: APIClient) -> None:
    unknown = [("speed", 1), ("benchmark", 2), ("commandline", 2)]
    expected: dict[str, list[tuple[str, int | None]]] = {
        "": [("document", None)],
        "\n \n": [("document", None)],
        "benchmark,commandline\n": [("document", None)],
        f"{URIS[0]},1,2\n": [("row", 1)],
        f"{URIS[0]},,,opt -passes=a,b input.bc -o output.bc\n": [("row", 1)],
        "benchmark,commandline,speed\nx,y,1\n": list(unknown),
        f'"{URIS[0]}\n': [("document", 1)],
    }
    for text, problems in expected.items():
        response = post_csv(api, text)
        assert (response.status_code, errors(response)) == (422, problems)
    assert nothing_stored()


def test_the_same_key_gives_the_same_submission_or_a_conflict(api: APIClient) -> None:
    first = post(api, document(), **{"Idempotency-Key": "k"})
    second = post(api, document(), **{"Idempotency-Key": "k"})
    assert (first.status_code, second.status_code) == (202, 200)
    assert first.json()["id"] == second.json()["id"]
    assert second["Location"] == first["Location"]
    response = post(api, document(agent="another"), **{"Idempotency-Key": "k"})
    assert response.status_code == 409
    assert response.json()["type"].endswith("idempotency-key-reused")
    assert errors(response) == [("Idempotency-Key", None)]
    assert Submission.objects.count() == 1


def test_the_fields_beside_a_csv_are_part_of_the_body(api: APIClient) -> None:
    text = csv_of(line(URIS[0], 1))
    assert post_csv(api, text, **{"Idempotency-Key": "k"}).status_code == 202
    assert post_csv(api, text, "?board=test-ic&agent=b", **{"Idempotency-Key": "k"}).status_code == 409


def test_a_repeated_request_is_answered_even_after_the_board_was_frozen(api: APIClient) -> None:
    post(api, document(), **{"Idempotency-Key": "k"})
    Board.objects.update(state=Board.State.FROZEN)
    assert post(api, document(), **{"Idempotency-Key": "k"}).status_code == 200
    assert errors(post(api, document())) == [("board", None)]
    assert Submission.objects.count() == 1


def test_a_key_belongs_to_its_owner(world: World, api: APIClient) -> None:
    theirs = submit(world.other, key="k")
    response = post(api, document(), **{"Idempotency-Key": "k"})
    assert response.status_code == 202
    assert response.json()["id"] != str(theirs.pk)


def test_a_refused_request_leaves_its_key_free(api: APIClient) -> None:
    refused = post(api, document(board="nothing"), **{"Idempotency-Key": "k"})
    assert (refused.status_code, errors(refused)) == (422, [("board", None)])
    assert post(api, document(), **{"Idempotency-Key": "k"}).status_code == 202


def test_an_unusable_key_is_refused(api: APIClient) -> None:
    for key in ("", "x" * 201):
        response = post(api, document(), **{"Idempotency-Key": key})
        assert (response.status_code, errors(response)) == (422, [("Idempotency-Key", None)])
    assert nothing_stored()


def test_a_dry_run_checks_everything_and_stores_nothing(api: APIClient) -> None:
    good = api.generic("POST", f"{ADDRESS}validate/", json.dumps(document()), content_type="application/json")
    assert good.status_code == 200
    wait = good.json()["wait"]
    assert good.json() == {"board": "test-ic", "items": 3, "wait": wait}
    assert (wait["new_replays"], wait["position"], wait["seconds_to_end"]) == (3, 1, None)
    assert wait["text"].startswith("3 new replays, with none waiting before the first. No runner of class")
    bad = api.generic(
        "POST", f"{ADDRESS}validate/", json.dumps(document(board="x")), content_type="application/json"
    )
    assert errors(bad) == [("board", None)]
    assert nothing_stored()
