"""GCC's actions and their text form, a command line."""

from __future__ import annotations

import random

import pytest

from optarena.errors import InvalidAction, InvalidCommandline
from optarena.gcc.options import CHOICES
from optarena.specs import environment_spec

LINE = "gcc -Oz -fno-tree-vrp --param=max-hoist-depth=60 -c program.c -o program.o"


def test_a_command_line_is_read_and_written() -> None:
    actions = CHOICES.parse(LINE)
    assert [CHOICES.text(action) for action in actions] == [
        "-Oz",
        "-fno-tree-vrp",
        "--param=max-hoist-depth=60",
    ]
    assert CHOICES.commandline(actions) == LINE
    assert CHOICES.parse("gcc -c program.c -o program.o") == ()
    assert environment_spec("gcc-v0").parse(LINE) == (CHOICES, actions)


def test_what_was_chosen_last_counts_and_the_order_is_the_tables() -> None:
    vrp, level = CHOICES.names.index("-ftree-vrp"), CHOICES.names.index("-O")
    assert (
        CHOICES.commandline([(vrp, 2), (level, 1), (level, 7)])
        == "gcc -Oz -fno-tree-vrp -c program.c -o program.o"
    )
    assert CHOICES.commandline([(vrp, 2), (vrp, 0)]) == "gcc -c program.c -o program.o"
    assert CHOICES.text((vrp, 0)) == "unset:-ftree-vrp"
    shuffled = LINE.replace("-Oz -fno-tree-vrp", "-fno-tree-vrp -Oz")
    assert CHOICES.commandline(CHOICES.parse(shuffled)) == LINE


def test_random_states_survive_as_text() -> None:
    drawn = random.Random(5)  # noqa: S311 # nothing secret
    for _ in range(200):
        actions = [
            tuple(drawn.randrange(size) for size in CHOICES.sizes) for _ in range(drawn.randrange(300))
        ]
        state = CHOICES.applied(actions)
        again = CHOICES.parse(CHOICES.commandline(actions))
        assert CHOICES.applied(again) == state
        assert list(again) == CHOICES.leading([-1] * len(state), state)


@pytest.mark.parametrize(
    ("action", "message"),
    [
        ((397, 0), "Action 397, component 0 is not in the action space"),
        ((0, 11), "Action 11, component 1 is not in the action space"),
        ((0, -1), "Action -1, component 1 is not in the action space"),
        ((0,), "does not have the form of this action space"),
        (3, "does not have the form of this action space"),
        (("-Oz", 1), "is not an integer"),
    ],
)
def test_what_is_not_in_the_space_is_refused(action: object, message: str) -> None:
    with pytest.raises(InvalidAction, match=message):
        CHOICES.check(action)


def test_numbers_beyond_the_last_value_begin_again() -> None:
    flag = CHOICES.names.index("-fgcse")
    assert [CHOICES.check((flag, value))[1] for value in range(7)] == [0, 1, 2, 0, 1, 2, 0]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("-fno-tree-vrp -ftree-vrp", r"'-ftree-vrp' is given after -fno-tree-vrp\. Give each option once"),
        ("-Os -Oz", "'-Oz' is given after -Os"),
        ("-fno-tree-vpr", r"is not an option of gcc-12\.2-choices-v0\. Did you mean '-fno-tree-vrp'"),
        ("--param=max-hoist-depth=31", "has a value that is not in the table. Give one of: 0, 3, 7, 15"),
        ("-fira-region=some", "Give one of: one, all, mixed"),
        ("-ffast-math", "is not allowed: changes what floating-point arithmetic computes"),
        ("-Ofast", "is not allowed"),
        ("-fpack-struct=2", "is not allowed: changes the binary interface"),
        ("--param=asan-stack=1", "is not allowed: adds code that checks"),
        ("-fplugin=evil.so", "is not an option"),
        ("-fdump-rtl-all", "is not an option"),
        ("-specs=evil", "is not an option"),
        ("-dumpdir /etc/", "is not an option"),
    ],
)
def test_each_kind_of_bad_word_has_its_error(words: str, message: str) -> None:
    with pytest.raises(InvalidCommandline, match=message):
        CHOICES.parse(f"gcc -fgcse {words} -c program.c -o program.o")


@pytest.mark.parametrize(
    "line", ["", "gcc", "clang -Oz -c program.c -o program.o", "gcc -Oz -c other.c -o program.o", "gcc -Oz"]
)
def test_another_form_is_refused(line: str) -> None:
    with pytest.raises(
        InvalidCommandline, match=r"Write it as: gcc -Os -fno-tree-vrp … -c program\.c -o program\.o"
    ):
        CHOICES.parse(line)
