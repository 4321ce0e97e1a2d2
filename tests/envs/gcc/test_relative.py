"""CompilerGym's action space of GCC, and the environment with unsafe options."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

import optarena
from optarena.errors import InvalidCommandline, InvalidInput
from optarena.gcc.description import CODESIZE
from optarena.gcc.options import (
    CHOICES,
    DEFAULT,
    UNSAFE_CHOICES,
    UNSET,
    GccOption,
    OptionTable,
    RelativeTable,
    whole_table,
)
from optarena.specs import environment_spec
from tests.kit.gcc import needs_gcc

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optarena.gcc.env import GccEnv

URI = "benchmark://gcc-kernels-v0/hashtable"


def number(last: int) -> GccOption:
    return GccOption(name="--param=x=", kind="number", choices=("--param=x=0",), whole=(0, last))


@pytest.mark.parametrize(
    ("last", "steps"),
    [
        (9, "+1 -1"),
        (48, "+1 -1"),
        (49, "+1 -1 +10 -10"),
        (499, "+1 -1 +10 -10 +100 -100"),
        (2**31 - 1, "+1 -1 +10 -10 +100 -100 +1000 -1000"),
    ],
)
def test_an_option_of_many_values_is_moved(last: int, steps: str) -> None:
    table = RelativeTable(whole_table(OptionTable("some", [number(last)]), "default"))
    assert table.names == tuple(f"--param=x[{step}]" for step in steps.split())


def test_an_option_of_few_values_is_set() -> None:
    table = RelativeTable(whole_table(OptionTable("some", [number(8)]), "default"))
    assert table.names == tuple(f"--param=x={value}" for value in range(9))
    assert DEFAULT.names[:9] == (
        "-O0", "-O1", "-O2", "-O3", "-Og", "-Os", "-Oz", "-ftree-vectorize", "-fno-tree-vectorize"
    )  # fmt: skip


def test_moving_stops_at_both_ends() -> None:
    table = RelativeTable(whole_table(OptionTable("some", [number(50)]), "default"))
    up, down, ten, back = range(4)
    assert table.after([UNSET], down) == (UNSET,)
    assert table.after([UNSET], up) == (0,)
    assert table.after([45], ten) == (50,)
    assert table.after([5], back) == (UNSET,)
    assert table.leading([3], [27]) == [ten, ten, up, up, up, up]
    assert table.leading([27], [UNSET]) == [back, back] + [down] * 8


def test_a_command_line_is_the_names_of_the_actions() -> None:
    line = "gcc-default -Os --param=max-hoist-depth[+10] -fno-gcse"
    assert DEFAULT.commandline(DEFAULT.parse(line)) == line
    with pytest.raises(InvalidCommandline, match=r"max-hoist-depth\[\+10\]"):
        DEFAULT.parse("gcc-default --param=max-hoist-depth[+11]")


@pytest.fixture(scope="module")
def env() -> Iterator[GccEnv]:
    with optarena.make("gcc-v0", benchmark=URI, action_space="default") as made:
        yield made


@needs_gcc
def test_relative_actions_lead_to_a_command_line_beyond_the_list(env: GccEnv) -> None:
    env.reset()
    moves = " ".join(f"--param=max-hoist-depth[{by}]" for by in ("+10", "+10", "-1"))
    steps = f"gcc-default -Os {moves}"
    env.multistep(DEFAULT.parse(steps))
    line = "gcc -Os --param=max-hoist-depth=18 -c program.c -o program.o"
    assert env.observation["command_line"] == line
    assert env.state.commandline == steps
    *_, info = env.step(DEFAULT.names.index("-Os"))
    assert info["action_had_no_effect"]
    index = [option.name for option in DEFAULT.options.options].index("--param=max-hoist-depth=")
    assert env.choices[index] == 18
    wanted = list(env.choices)
    wanted[index] = 7
    env.choices = wanted
    assert env.observation["command_line"] == line.replace("=18", "=7")
    assert env.parameter("choices", ",".join(map(str, wanted))) == ",".join(map(str, wanted))
    assert env.validate().okay()


@needs_gcc
def test_choices_that_no_action_leads_to_are_refused(env: GccEnv) -> None:
    env.reset()
    env.step(DEFAULT.names.index("-Os"))
    taken_away = [UNSET] * len(env.choices)
    with pytest.raises(InvalidInput, match=r"-O cannot be set so .* no action takes it away again"):
        env.choices = taken_away
    far = list(env.choices)
    far[far.index(UNSET, 100)] = UNSET
    unbounded = next(i for i, one in enumerate(DEFAULT.options.options) if one.whole == (0, 2**31 - 1))
    far[unbounded] = 2**31 - 1
    with pytest.raises(InvalidInput, match="the choices take more than 10000 actions"):
        env.choices = far
    for index in [i for i, one in enumerate(DEFAULT.options.options) if one.whole == (0, 2**31 - 1)][:2]:
        far[index] = 9_000_000
    with pytest.raises(InvalidInput, match="the choices take more than 10000 actions"):
        env.parameter("choices", ",".join(map(str, far)))
    with pytest.raises(InvalidInput, match="Give an integer from -1 to 2147483647"):
        env.choices = [*far[:unbounded], 2**31, *far[unbounded + 1 :]]
    assert env.observation["command_line"] == "gcc -Os -c program.c -o program.o"


@needs_gcc
def test_unsafe_options_have_an_environment_that_no_board_takes() -> None:
    spec = environment_spec("gcc-unsafe-v0")
    assert spec.digest != environment_spec("gcc-v0").digest
    line = "gcc -Ofast -ffast-math -fpack-struct=1 -ftrapv -c program.c -o program.o"
    with pytest.raises(InvalidCommandline, match="is not allowed"):
        CHOICES.parse(line)
    assert UNSAFE_CHOICES.commandline(UNSAFE_CHOICES.parse(line)) == line
    with optarena.make("gcc-unsafe-v0", benchmark=URI) as env:
        env.reset()
        env.multistep(UNSAFE_CHOICES.parse(line))
        assert env.observation["command_line"] == line
        assert env.observation["load_size_bytes"] > env.observation["load_size_bytesOz"]
    board = replace(CODESIZE, slug="unsafe", environment=spec.slug)
    with pytest.raises(InvalidInput, match="gcc-unsafe-v0"):
        optarena.register(boards=[board])
