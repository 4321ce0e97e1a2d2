"""The place that the message of a failed step names."""

from __future__ import annotations

import pytest

from optarena.actions import NamedActions
from optarena.env.failures import action_name, count_begun, failure_details
from optarena.errors import SessionCrashed

TABLE = NamedActions("words-v0", ("a", "b", "c"), "words")


def crashed(unit: int | None) -> SessionCrashed:
    error = SessionCrashed("It is gone.")
    error.unit = unit
    return error


@pytest.mark.parametrize(
    ("unit", "place", "count"),
    [
        (0, "the session, before action 7 (b)", 1),
        (1, "action 7 (b)", 1),
        (2, "action 8 (c)", 2),
        (3, "Size after action 8 (c)", 2),
        (4, "Text after action 8 (c)", 2),
        (5, "an observation after action 8 (c)", 2),
        (None, "action 7 (b) or action 8 (c) or Size, Text after action 8 (c)", 2),
    ],
)
def test_the_action_or_observation_is_named(unit: int | None, place: str, count: int) -> None:
    error = crashed(unit)
    assert failure_details(error, TABLE, [1, 2], 7, ["Size", "Text"]) == f"In {place}: It is gone."
    assert count_begun(error, [1, 2]) == count


@pytest.mark.parametrize(
    ("unit", "observed", "place"),
    [(0, ["Size"], "the session"), (1, ["Size"], "Size"), (None, [], "the session")],
)
def test_a_step_without_actions_names_what_it_observes(
    unit: int | None, observed: list[str], place: str
) -> None:
    assert failure_details(crashed(unit), TABLE, [], 0, observed) == f"In {place}: It is gone."


def test_of_many_actions_some_are_named() -> None:
    details = failure_details(crashed(None), TABLE, [0] * 30, 0, [])
    assert "action 9 (a) or 20 more actions: " in details


def test_what_no_table_names_is_shown_as_it_is() -> None:
    assert [action_name(TABLE, action) for action in (2, 3, (1, 2))] == ["c", "3", "(1, 2)"]
