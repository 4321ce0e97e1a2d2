"""Tables of named actions: their command lines, and what is refused with the nearest name."""

from __future__ import annotations

from typing import Any

import pytest

from optarena.actions import NamedActions
from optarena.errors import InvalidAction, InvalidCommandline, InvalidInput

TABLE = NamedActions("moves-v0", ("left", "right", "turn-around"), "walk")


def test_the_command_line_is_the_program_and_the_names() -> None:
    assert TABLE.commandline([2, 0]) == "walk turn-around left"
    assert TABLE.commandline([]) == "walk"
    assert TABLE.parse("  walk   left\tright ") == (0, 1)


@pytest.mark.parametrize("text", ["", "run left", "left", "walking left"])
def test_another_program_is_refused(text: str) -> None:
    with pytest.raises(InvalidCommandline, match="'walk'"):
        TABLE.parse(text)


def test_an_unknown_action_is_named_with_its_place_and_the_nearest() -> None:
    with pytest.raises(InvalidCommandline, match=r"Action 2 .*'lift'.*'left'"):
        TABLE.parse("walk right lift")
    with pytest.raises(InvalidCommandline, match="action table"):
        TABLE.parse("walk xyz")
    with pytest.raises(InvalidAction, match="position 1"):
        TABLE.commandline([0, 3])


@pytest.mark.parametrize(
    ("name", "names", "program", "descriptions"),
    [
        ("moves-v0", (), "walk", ()),
        ("moves-v0", ("left", "left"), "walk", ()),
        ("moves-v0", ("go left",), "walk", ()),
        ("moves-v0", ("",), "walk", ()),
        ("moves-v0", ("left",), "walk on", ()),
        ("", ("left",), "walk", ()),
        ("moves-v0", ("left",), "walk", ("To the left.", "And more.")),
        ("moves-v0", (1,), "walk", ()),
        ("moves-v0", ("left", None), "walk", ()),
        ("moves-v0", ([],), "walk", ()),
        ("moves-v0", "left", "walk", ()),
        ("moves-v0", 1, "walk", ()),
        ("moves-v0", ("left",), 1, ()),
        (1, ("left",), "walk", ()),
        ("moves-v0", ("left",), "walk", (1,)),
        ("moves-v0", ("left",), "walk", "T"),
    ],
)
def test_tables_that_could_not_be_written_down_are_refused(
    name: Any, names: Any, program: Any, descriptions: Any
) -> None:
    with pytest.raises(InvalidInput, match="action table"):
        NamedActions(name, names, program, descriptions=descriptions)
