"""The same item in JSON and in CSV: the same values, the same verdict and the same problems."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from leaderboard.submissions.documents import Document, read_csv, read_json
from leaderboard.submissions.uploads import SUBMISSION_SCHEMA
from optarena.documents.kinds import spelled_number
from optarena.errors import Problem
from optarena.state import COLUMNS
from tests.kit.boards import URIS

if TYPE_CHECKING:
    from rest_framework.response import Response
    from rest_framework.test import APIClient

URI = "benchmark://kernels-v0/quicksort"
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


def found(document: Document) -> list[tuple[str, str, str, str]]:
    """Every problem, but for its row; a claim's field is named by its column in CSV."""

    def of(one: Problem) -> tuple[str, str, str, str]:
        return one.field.removeprefix("claims."), one.value, one.message, one.remedy

    return sorted(map(of, document.problems))


@given(items)
@example({"benchmark": URI, "commandline": " "})
def test_an_item_reads_the_same_from_both_formats(item: dict[str, Any]) -> None:
    texts = [one for one in [*item.values(), *item.get("claims", {}).values()] if isinstance(one, str)]
    assume(all(one < "\ud800" or one > "\udfff" for text in texts for one in text))  # UTF-8 holds no halves
    assume(not any("\0" in text or "\r" in text for text in texts))  # which csv itself reads otherwise
    assume(not any(isinstance(spelled_number(one), (int, float)) for one in texts))  # CSV has no types
    assume(any(str(one or "").strip() for name, one in item.items() if name != "claims"))  # no blank row
    from_json, from_csv = read_json(as_json(item)), read_csv(as_csv(item), about=ABOUT, metrics=METRICS)
    assert found(from_json) == found(from_csv)
    assert [replace(one, row=0) for one in from_json.items] == [replace(one, row=0) for one in from_csv.items]
    for problem in from_json.problems:
        assert problem.field
        assert problem.message.endswith(".")
        assert problem.remedy.endswith(".")


def test_a_problem_without_a_remedy_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="no remedy"):
        Problem(field="x", message="It is wrong.", remedy="")


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.floats(-2, 2)
    | st.text(st.characters(codec="ascii"), max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["a", "claims"]), inner, max_size=2)
    ),
    max_leaves=4,
)
bodies = st.fixed_dictionaries(
    {},
    optional={
        "board": st.just("b") | json_values,
        "agent": st.just("a") | st.just("a" * 81) | json_values,
        "description": json_values,
        "url": st.just("https://example.org") | json_values,
        "effort": json_values
        | st.fixed_dictionaries(
            {},
            optional={
                "compilations": json_values,
                "walltime_seconds": json_values,
                "trained_on_test_set": json_values,
            },
        ),
        "items": json_values | st.lists(items | st.fixed_dictionaries({"actions": json_values}), max_size=2),
        "more": json_values,
    },
)
schema = jsonschema.Draft202012Validator(SUBMISSION_SCHEMA)


@given(bodies)
def test_the_schema_takes_what_the_reader_takes(body: dict[str, Any]) -> None:
    if not read_json(json.dumps(body).encode()).problems:
        assert list(schema.iter_errors(body)) == []


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


COMMAND = "opt -passes=globaldce input.bc -o output.bc"


@pytest.mark.parametrize(
    ("item", "count"),
    [
        ({"benchmark": URIS[0], "commandline": COMMAND, "claims": {"speed": 1}}, 1),
        ({"benchmark": URIS[0], "commandline": COMMAND, "claims": {"ir_instructions_oz": 1}}, 1),
        ({"benchmark": URIS[0], "commandline": "opt -passes=globaldec input.bc -o output.bc"}, 1),
        ({"benchmark": URIS[0] + "x", "commandline": "gcc -O2", "reward": "high"}, 3),
        ({"benchmark": "benchmark://no dataset/x", "walltime": -1, "claims": {"speed": 1}}, 4),
        ({"commandline": "a\x1bb", "reward": 1e300}, 3),
    ],
    ids=["metric", "level", "pass", "several", "more", "control"],
)
def test_the_server_answers_both_formats_alike(api: APIClient, item: dict[str, Any], count: int) -> None:
    columns = [*COLUMNS, *item.get("claims", {})]
    cells = [(item | item.get("claims", {})).get(name) for name in columns]
    row = ["" if one is None else one if isinstance(one, str) else json.dumps(one) for one in cells]
    output = io.StringIO(newline="")
    csv.writer(output, lineterminator="\n").writerows([columns, row])
    about = {"board": "test-ic", "agent": "a"}
    address = "/api/v1/submissions/validate/"
    from_json = api.post(address, about | {"items": [item]}, format="json")
    from_csv = api.generic(
        "POST", f"{address}?board=test-ic&agent=a", output.getvalue(), content_type="text/csv"
    )

    def said(response: Response) -> list[tuple[str, str, str]]:
        assert response.status_code == 422
        return sorted((one["value"], one["message"], one["remedy"]) for one in response.json()["errors"])

    assert said(from_json) == said(from_csv)
    assert len(said(from_json)) == count
