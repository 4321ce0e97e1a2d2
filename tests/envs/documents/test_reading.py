"""Reading documents: what is refused while loading, how problems are named and grouped, what can be shown."""

from __future__ import annotations

import json
import re
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optarena.documents import kinds
from optarena.documents.kinds import Field, Kind, Table
from optarena.documents.loading import json_document, load_json, toml_document
from optarena.documents.places import SHOWN, Place, group_problems, list_numbers, quote_value
from optarena.documents.texts import escape_surrogates, is_encodable, is_printable, one_line, printable
from optarena.errors import InvalidDocument, Problem

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
KINDS: list[Kind[Any]] = [
    kinds.text(),
    kinds.text(longest=3, lines=True, is_trimmed=True, is_optional=True),
    kinds.data(),
    kinds.data(has_nul=False, is_optional=True),
    kinds.matching(re.compile(r"[a-z]+"), form="small letters"),
    kinds.choice("a", "b"),
    kinds.address(),
    kinds.address(schemes=("https",), is_plain=True, longest=30),
    kinds.DAY,
    kinds.FLAG,
    kinds.number(),
    kinds.number(low=0, above=True, high=5),
    kinds.number(low=1, is_whole=True),
    kinds.list_of(kinds.text(), least=1),
    kinds.INTEGERS,
    kinds.map_of(kinds.number(low=0), is_nullable=True),
    kinds.ANY_OBJECT,
    kinds.record({"a": Field(kinds.number(), needed=True), "b": Field(kinds.text())}),
]
_NAMES = [f"{number}-{kind.what}" for number, kind in enumerate(KINDS)]


@pytest.mark.parametrize("kind", KINDS, ids=_NAMES)
@given(value=json_values, spelled=st.booleans())
def test_every_value_is_read_or_is_a_problem_with_a_remedy(
    kind: Kind[Any],
    value: object,
    spelled: bool,  # noqa: FBT001 # hypothesis gives it by name
) -> None:
    place = Place(path="here", is_spelled=spelled)
    read = kind.read(value, place)
    assert read is not None or place.problems
    for problem in place.problems:
        assert problem.field.startswith("here")
        assert problem.message.endswith(".")
        assert problem.remedy.endswith(".")
        assert len(problem.value) <= SHOWN
        assert is_printable(problem.value + problem.field)


@pytest.mark.parametrize("kind", KINDS, ids=_NAMES)
def test_a_missing_value_is_a_problem_and_reads_as_an_empty_one(kind: Kind[Any]) -> None:
    table = Table({}, Place())
    assert type(table.need("x", kind)) is type(kind.empty)
    (problem,) = table.place.problems
    assert (problem.field, problem.message) == ("x", "The value is missing.")
    assert kind.what in problem.remedy


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Expecting value"),
        ('{"a": 1, "a": 2}', "'a' appears twice"),
        ('{"a": NaN}', "NaN is not a finite number"),
        ("[-Infinity]", "-Infinity is not a finite number"),
        ("[" * 33 + "]" * 33, "nested too deeply"),
        ("[" * 100_000, "nested too deeply"),
        ("9" * 5000, "5,000 digits"),
        (r'["\ud800"]', "half of a surrogate pair"),
    ],
    ids=["empty", "twice", "nan", "infinity", "deep", "very-deep", "long", "half"],
)
def test_json_that_two_readers_could_understand_differently_is_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        load_json(text)


def test_brackets_inside_texts_are_no_nesting() -> None:
    assert load_json(json.dumps(["[" * 99, "\\", '"[{'])) == ["[" * 99, "\\", '"[{']


@pytest.mark.parametrize("data", [b"\xff", b"{"])
def test_a_document_that_cannot_be_loaded_names_the_file(data: bytes) -> None:
    for load in (json_document, toml_document):
        with pytest.raises(InvalidDocument) as caught:
            load(data, field="file.x")
        (problem,) = caught.value.problems
        assert problem.field == "file.x"
        assert "UTF-8" in problem.remedy


def test_places_are_named_as_their_author_wrote_them() -> None:
    place = Place(row=3)
    assert place.at("workloads").element(0).at("name").path == "workloads[0].name"
    assert place.at("effort").at("\x1b[2J").path == r"effort.\x1b[2J"
    assert place.at("a").record(5) == Place(place.problems, "", 5)


@pytest.mark.parametrize(
    ("value", "seen"),
    [
        (None, ""),
        ("text", "text"),
        ("\x1b[2J", r"\x1b[2J"),
        (True, "true"),
        ([1, "é"], '[1, "é"]'),
        (date(2026, 11, 21), '"2026-11-21"'),
        ("x" * 500, "x" * (SHOWN - 1) + "…"),
        (10**5000, "(a value of type int, too large to be shown)"),
    ],
    ids=["none", "text", "control", "true", "list", "day", "long", "huge"],
)
def test_a_value_is_shown_on_one_short_line(value: object, seen: str) -> None:
    assert quote_value(value) == seen


@pytest.mark.parametrize("text", ["a", "é ٣ 漢", "a\u200db", "a\u00a0b", ""])
def test_what_can_be_seen_is_printable(text: str) -> None:
    assert is_printable(text)
    assert printable(text) == text == one_line(text)


@pytest.mark.parametrize("text", ["a\n", "\x1b", "a\u202eb", "\u2028", "\ud800", "\ufeff"])
def test_what_acts_instead_of_being_seen_is_not(text: str) -> None:
    assert not is_printable(text)
    assert is_printable(printable(text))
    assert is_printable(one_line(text))


def test_breaks_of_a_line_become_spaces_and_the_rest_is_shown() -> None:
    assert one_line("a\r\nb\nc\td\re\x1bf\u2028") == r"a b c d\re\x1bf\u2028"


@given(st.text(st.characters(exclude_categories=())))
def test_every_text_can_be_made_printable_and_whole(text: str) -> None:
    assert is_printable(printable(text))
    assert is_printable(one_line(text))
    assert is_encodable(escape_surrogates(text))
    assert (escape_surrogates(text) == text) == is_encodable(text)


def test_lines_may_be_allowed() -> None:
    assert is_printable("a\n\tb", lines=True)
    assert not is_printable("a\x1bb", lines=True)


def test_an_entry_that_is_not_a_whole_number_is_named() -> None:
    place = Place(path="actions")
    assert kinds.INTEGERS.read([0, 5, "x", 7.5], place) is None
    [problem] = place.problems
    assert (problem.value, "Entry 2 of the list" in problem.message) == ("x", True)


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ([], ""),
        ([3], "3"),
        ([4, 3], "3 to 4"),
        ([1, 3, 3], "1 and 3"),
        ([12, 3, 5, 6, 7, 8, 9], "3, 5 to 9 and 12"),
    ],
)
def test_numbers_are_listed_as_people_do(numbers: list[int], text: str) -> None:
    assert list_numbers(numbers) == text


def test_problems_that_differ_in_their_rows_and_values_alone_are_one() -> None:
    def problem(row: int | None, value: str = "x") -> Problem:
        return Problem(field="reward", row=row, value=value, message="Wrong.", remedy="Mend it.")

    found = group_problems([problem(2), problem(5, "y"), problem(4), problem(None)])
    assert [(one.value, rows) for one, rows in found] == [("x, y", [2, 5, 4])]
    [(one, _)] = group_problems([problem(number, f"v{number}") for number in range(5)])
    assert one.value == "v0, v1, v2, …"


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("plain: é ٣ 漢 \\x1b", "plain: é ٣ 漢 \\x1b"),
        ("a\nb\tc\r", r"a\nb\tc\r"),
        ("\x1b[31mred\x00\x7f\x9b", r"\x1b[31mred\x00\x7f\x9b"),
        ("turned \u202e round \u2028 half \udcff", r"turned \u202e round \u2028 half \udcff"),
        ("", ""),
    ],
)
def test_what_cannot_be_seen_is_escaped(text: str, escaped: str) -> None:
    assert printable(text) == escaped


def test_lines_may_be_kept() -> None:
    assert printable("a\nb\tc\x1b", keep="\n\t") == "a\nb\tc\\x1b"
