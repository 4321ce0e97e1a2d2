"""The state format: everything a person can get wrong in it, and the round trip."""

from __future__ import annotations

import csv
import io
import json
import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optarena import limits
from optarena.documents.places import quote_value
from optarena.errors import InvalidDocument, InvalidInput, Problem
from optarena.state import COLUMNS, EnvState, Format, read_states, write_states

METRICS = ("ir_instructions", "text_size_bytes")
URI = "benchmark://kernels-v0/quicksort"
COMMAND = "opt -passes=function(sroa),invalidate<all>,globaldce input.bc -o output.bc"


def problems(text: str | bytes, *, format: Format = "csv") -> list[Problem]:  # noqa: A002 # as read_states
    with pytest.raises(InvalidDocument) as caught:
        read_states(text, format=format, metrics=METRICS)
    return caught.value.problems


def only_problem(text: str | bytes, *, format: Format = "csv") -> Problem:  # noqa: A002 # as read_states
    found = problems(text, format=format)
    assert len(found) == 1, found
    return found[0]


def one(text: str | bytes, *, format: Format = "csv") -> EnvState:  # noqa: A002 # as read_states
    (state,) = read_states(text, format=format, metrics=METRICS)
    return state


words = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=20)
texts = st.lists(words, min_size=1, max_size=4).map(" ".join)
numbers = st.floats(-1e18, 1e18) | st.integers(-(10**18), 10**18)
sizes = st.floats(0, 1e18) | st.integers(0, 10**18)
states = st.builds(
    EnvState,
    benchmark=texts,
    commandline=texts,
    reward=st.none() | numbers,
    walltime=st.none() | sizes,
    claims=st.dictionaries(st.sampled_from(METRICS), sizes),
)


@given(st.lists(states, min_size=1, max_size=5), st.sampled_from(["csv", "json"]))
def test_written_states_are_read_back_the_same(rows: list[EnvState], form: Format) -> None:
    assert read_states(write_states(rows, format=form), format=form, metrics=METRICS) == rows


@given(st.permutations([*COLUMNS, *METRICS]))
def test_columns_may_come_in_any_order(order: list[str]) -> None:
    values: dict[str, object] = {
        "benchmark": URI,
        "reward": 0.5,
        "walltime": 2,
        "commandline": COMMAND,
        "ir_instructions": 7,
        "text_size_bytes": 9,
    }
    output = io.StringIO()
    csv.writer(output).writerows([order, [values[name] for name in order]])
    assert one(output.getvalue()) == EnvState(
        benchmark=URI,
        commandline=COMMAND,
        reward=0.5,
        walltime=2,
        claims={"ir_instructions": 7, "text_size_bytes": 9},
    )


HEADER = "benchmark,commandline"


@pytest.mark.parametrize(
    ("document", "place", "message", "remedy"),
    [
        *((empty, (None, "document"), "empty", "") for empty in ("", "\n\n", "  ", b"", b"\xef\xbb\xbf")),
        (f"{HEADER}\n", (None, "document"), "no states", ""),
        (f"{URI},0.5,1,{COMMAND}\n", (1, "row"), "instead of 4", "quotes"),
        (f"{URI},1\n", (1, "row"), "2 columns instead of 4", ""),
        (f"{URI}\n", (1, "row"), "1 column instead of 4", ""),
        (f"{HEADER},cycles\n{URI},x,1\n", (1, "cycles"), "", "ir_instructions"),
        (f"benchmark,reward\n{URI},1\n", (1, "commandline"), "", ""),
        (f"{HEADER},reward,reward\n{URI},x,1,2\n", (1, "reward"), "twice", ""),
        (f"{HEADER},walltime\n{URI},x,-1\n", (2, "walltime"), "negative", ""),
        (f"{HEADER},ir_instructions\n{URI},x,-1\n", (2, "ir_instructions"), "negative", ""),
        (b"benchmark,commandline\n\xff\xfe,x\n", (None, "document"), "byte 22 is 0xff", ""),
        (f'{HEADER}\n{URI},"x" y\n', (2, "document"), "", ""),
        ("x" * (limits.MAX_SUBMISSION_BYTES + 1), (None, "document"), "", str(limits.MAX_SUBMISSION_BYTES)),
        (f'{URI},,,"opt \n -o"', (1, "commandline"), "printable", ""),
    ],
)
def test_what_is_no_document_is_refused_with_its_place_and_a_remedy(
    document: str | bytes, place: tuple[int | None, str], message: str, remedy: str
) -> None:
    problem = problems(document)[0]
    assert (problem.row, problem.field) == place
    assert message in problem.message
    assert remedy in problem.remedy


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("nan", "finite"),
        ("-NaN", "finite"),
        ("inf", "finite"),
        ("-Infinity", "finite"),
        ("1e999", "finite"),
        ("1e300", "out of range"),
        ("9" * 30, "out of range"),
        ("9" * 5000, "number"),
        ("ten", "number"),
        ("0x10", "number"),
        ("1_000", "number"),
        ("1,5", "number"),
        ("١٢", "number"),
    ],
)
@pytest.mark.parametrize("column", ["reward", "walltime", "ir_instructions"])
def test_what_is_no_usable_number_is_refused(column: str, value: str, message: str) -> None:
    problem = only_problem(f'benchmark,commandline,{column}\n{URI},x,"{value}"\n')
    assert (problem.row, problem.field) == (2, column)
    assert message in problem.message
    assert problem.value == quote_value(value)
    assert problem.remedy


PLAIN = EnvState(benchmark=URI, commandline=COMMAND)
LONG = "opt -passes=" + ",invalidate<all>,".join(["function(loop-mssa(licm))"] * 10_000)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (f'{URI},0.25,1.5,"{COMMAND}"\n', replace(PLAIN, reward=0.25, walltime=1.5)),  # without a header
        (f'benchmark,reward,walltime,commandline\n{URI},,,"{COMMAND}"\n', PLAIN),
        *(
            (end.join(["", HEADER, f'{URI},"{COMMAND}"', "", ""]), PLAIN)  # of every system, and blank lines
            for end in ("\n", "\r\n", "\r")
        ),
        (f'{HEADER}\n{URI},"{COMMAND}"'.encode("utf-8-sig"), PLAIN),
        (f'\ufeff{HEADER}\n{URI},"{COMMAND}"', PLAIN),
        (f'Benchmark , COMMANDLINE\n{URI},"{COMMAND}"', PLAIN),
        (f'{HEADER},reward\n{URI},"{COMMAND}",-1.5\n', replace(PLAIN, reward=-1.5)),
        (f'{URI},,,"{LONG}"', replace(PLAIN, commandline=LONG)),
    ],
    ids=range(10),
)
def test_forms_of_a_document_that_are_read(document: str | bytes, expected: EnvState) -> None:
    found = one(document)
    assert found == expected
    assert (found.reward, found.walltime) == (expected.reward, expected.walltime)


def test_json_is_a_list_or_one_state_and_its_rows_count_from_zero() -> None:
    claims = {"ir_instructions": 3}
    document = {"benchmark": URI, "commandline": "x", "claims": claims}
    expected = EnvState(benchmark=URI, commandline="x", claims=claims)
    assert one(json.dumps(document), format="json") == expected
    assert only_problem(json.dumps([document, {"benchmark": URI}]), format="json").row == 1


def test_every_problem_of_a_document_is_reported_at_once() -> None:
    document = f"benchmark,commandline,reward\n,,nan\n{URI},x,1\n{URI},x\n{URI},x,y\n"
    found = [(problem.row, problem.field) for problem in problems(document)]
    assert sorted(found, key=str) == sorted(
        [(2, "benchmark"), (2, "commandline"), (2, "reward"), (4, "row"), (5, "reward")], key=str
    )


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("[]", "no items"),
        ("[1]", "object"),
        ('{"benchmark":"b","benchmark":"c","commandline":"x"}', "twice"),
        ('{"benchmark":"b","commandline":"x","reward":NaN}', "finite"),
        ('{"benchmark":"b","commandline":"x","reward":-Infinity}', "finite"),
        ('{"benchmark":"b","commandline":"x","reward":' + "9" * 5000 + "}", "finite"),
        ('{"benchmark":"b","commandline":"x","reward":true}', "number"),
        ('{"benchmark":"b","commandline":"x","reward":[1]}', "number"),
        ('{"benchmark":7,"commandline":"x"}', "text"),
        ('{"benchmark":"b"}', "missing"),
        ('{"benchmark":"b","commandline":"x","claims":[]}', "object"),
        ('{"benchmark":"b","commandline":"x","claims":{"cycles":1}}', "no metric"),
        ('{"benchmark":"b","commandline":"x","cycles":1}', "no metric"),
        ('{"benchmark":"b","commandline":"x","claims":{"ir_instructions":-1}}', "negative"),
    ],
)
def test_bad_json_is_refused(document: str, message: str) -> None:
    assert message in only_problem(document, format="json").message


@pytest.mark.parametrize(
    "fields",
    [
        {"benchmark": ""},
        {"commandline": " x"},
        {"reward": math.nan},
        {"walltime": -1},
        {"claims": {"a": math.inf}},
        {"reward": 10**400},
    ],
)
def test_a_state_cannot_be_made_with_bad_values(fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        EnvState(**{"benchmark": URI, "commandline": "x", **fields})


def test_states_are_equal_whose_rewards_are_almost_the_same_or_missing() -> None:
    state = EnvState(benchmark=URI, commandline=COMMAND, reward=1.0, walltime=3)
    same = [
        EnvState(benchmark=URI, commandline=COMMAND, reward=reward)
        for reward in (1.0, 1.000009, 0.999991, None)
    ]
    assert all(one == state and state == one and hash(one) == hash(state) for one in same)
    others = [
        EnvState(benchmark=URI, commandline=COMMAND, reward=1.00002),
        EnvState(benchmark=f"{URI}2", commandline=COMMAND, reward=1.0),
        EnvState(benchmark=URI, commandline=f"{COMMAND}2", reward=1.0),
        EnvState(benchmark=URI, commandline=COMMAND, reward=1.0, claims={"cycles": 1}),
    ]
    assert not any(one == state for one in others)
    assert state != "a state"


def test_a_state_is_short_in_a_shell_and_whole_where_it_is_printed() -> None:
    long = "opt -passes='" + ",invalidate<all>,".join(["function(sroa)"] * 40) + "' input.bc -o output.bc"
    state = EnvState(benchmark=URI, commandline=long, reward=0.73456789, claims={"cycles": 1})
    for text in (repr(state), str(state)):
        assert f"benchmark={URI!r}" in text
        assert "reward=0.734568, claims={'cycles': 1}" in text
    assert long in str(state)
    assert len(repr(state)) < 200
    assert "opt -passes='function(sroa)" in repr(state)
    assert "input.bc -o output.bc" in repr(state)
