"""Equal problems of many rows are told once, with all rows."""

from __future__ import annotations

import pytest

from optarena.documents.places import group_problems, list_numbers
from optarena.errors import Problem


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


def test_problems_that_differ_in_their_rows_alone_are_one() -> None:
    def problem(row: int | None, value: str = "x") -> Problem:
        return Problem(field="reward", row=row, value=value, message="Wrong.", remedy="Mend it.")

    found = group_problems([problem(2), problem(5, "y"), problem(4), problem(None)])
    assert [(one.value, rows) for one, rows in found] == [("x", [2, 4]), ("y", [5])]
