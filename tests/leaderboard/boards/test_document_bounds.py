"""A hostile submission costs little: reading ends at the first 200 problems, and counts what it reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from optarena.limits import MAX_ITEMS_PER_SUBMISSION, MAX_JSON_NAMES, MAX_PROBLEMS
from tests.kit.boards import URIS, document
from tests.kit.posting import errors, nothing_stored, post, post_csv

if TYPE_CHECKING:
    from rest_framework.test import APIClient


@pytest.mark.parametrize(
    "item",
    [
        {f"field {number}": 1 for number in range(300)},
        {"benchmark": URIS[0], "actions": [1], "claims": {f"c{n}": "x" for n in range(100)}},
        {"benchmark": URIS[0], "actions": [1], "reward": "x"},
        {"actions": [1]},
    ],
    ids=["fields", "claims", "numbers", "missing"],
)
def test_reading_ends_at_the_first_two_hundred_problems(api: APIClient, item: dict[str, Any]) -> None:
    errors = post(api, document(items=[item] * 500)).json()["errors"]
    assert len(errors) == MAX_PROBLEMS + 1
    assert {error["row"] for error in errors[:-1]} <= set(range(MAX_PROBLEMS))


def test_as_many_problems_as_are_listed_are_listed_without_a_remark(api: APIClient) -> None:
    for number in (MAX_PROBLEMS, MAX_PROBLEMS + 1):
        body = post(api, document() | {f"field {one:03}": 1 for one in range(number)}).json()
        assert ("more problems" in body["errors"][-1]["message"]) == (number > MAX_PROBLEMS)


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
