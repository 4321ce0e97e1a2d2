"""The API page says what there is: its tables are compared with the environments and the classes."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import gymnasium

from optarena import agents, client, envs, errors, limits, wrappers
from optarena.env import CompilerEnv
from optarena.env.spaces import action_space
from optarena.service.converters import JsonDocument
from optarena.specs import environment_specs
from tests.kit.folders import ROOT

PAGE = (ROOT / "docs/08-api.md").read_text()
COMPILERS = ("LLVM", "loop_tool", "GPU kernels", "GCC")
OWN_PACKAGE = ROOT / "envs/optarena"
CLASSES: dict[str, Any] = {
    name: kind for name in envs.__all__ if inspect.isclass(kind := getattr(envs, name))
}


@cache
def environments() -> tuple[CompilerEnv, ...]:
    """One of each environment; none has a process, so that none needs to be closed."""
    return tuple(gymnasium.make(spec.id).unwrapped for spec in environment_specs())


def described(space: gymnasium.Space[Any]) -> str:
    """A space in a few words: what it is, its shape, its type."""
    if isinstance(space, gymnasium.spaces.Box):
        return f"Box{space.shape} {space.dtype}".replace("()", "")
    if isinstance(space, gymnasium.spaces.MultiDiscrete):
        return f"MultiDiscrete({', '.join(map(str, space.nvec))})"
    if isinstance(space, gymnasium.spaces.Discrete):
        return f"Discrete({space.n})"
    if isinstance(space, (gymnasium.spaces.Text, JsonDocument)):
        return "Text" if isinstance(space, gymnasium.spaces.Text) else "JSON document"
    if isinstance(space, gymnasium.spaces.Sequence):
        return f"Sequence of {described(space.feature_space)}"
    if isinstance(space, gymnasium.spaces.Dict):
        return f"Dict of {len(space.spaces)}"
    raise TypeError(space)


def told(value: bool) -> str:  # noqa: FBT001 # a column
    return "yes" if value else "no"


def rows(*headings: str) -> Iterator[list[str]]:
    """The rows of the tables below some headings of the page."""
    sections = [PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0] for heading in headings]
    assert all(sections), headings
    for line in "\n".join(sections).splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `"):
            yield cells


def observation_rows() -> set[tuple[str, ...]]:
    return {
        (f"`{name}`", described(one.space), told(one.deterministic), told(one.platform_dependent))
        for env in environments()
        for name, one in env.observations.items()
    }


def reward_rows() -> set[tuple[str, ...]]:
    return {
        (f"`{reward.name}`", f"`{reward.cost}`", reward.scale.value, reward.level, told(reward.deterministic))
        for spec in environment_specs()
        for reward in spec.rewards.values()
    }


def action_rows() -> set[tuple[str, ...]]:
    return {
        (
            f"`{message.name}`",
            described(action_space(message)),
            str(len(env.environment.table(message.name).names)),
        )
        for env in environments()
        for message in env.service.action_spaces
    }


def test_every_space_is_described() -> None:
    found = rows(*(f"Observation spaces of {compiler}" for compiler in COMPILERS))
    assert {tuple(cells[:4]) for cells in found} == observation_rows()
    found = rows(*(f"Reward spaces of {compiler}" for compiler in COMPILERS))
    assert {tuple(cells) for cells in found if len(cells) == 5} == reward_rows()
    assert {tuple(cells) for cells in rows("Action spaces") if len(cells) == 3} == action_rows()


def test_every_public_name_is_described() -> None:
    assert len(CLASSES) > 2
    standard = {"close", "fork"} | set(dir(gymnasium.Env))
    members = {name for kind in CLASSES.values() for name in dir(kind) if not name.startswith("_")} - standard
    members |= {
        "observation_space",
        "action_space",
        "reset",
        "step",
        "render",
        "environment",
        "backend",
        "fork",
    }
    assert {name for name in members if not re.search(rf"`(env\.)?{name}\b", PAGE)} == set()
    arguments = {
        name
        for kind in (CompilerEnv, *CLASSES.values())
        for name, one in inspect.signature(kind.__init__).parameters.items()
        if name not in {"self", "environment"} and one.kind is not one.VAR_KEYWORD
    }
    assert {name for name in {*arguments, *CLASSES} if f"`{name}`" not in PAGE} == set()
    methods = {name for name, _ in inspect.getmembers(client.Client, inspect.isfunction) if name[0] != "_"}
    kinds = {
        name for name in client.__all__ if inspect.isclass(kind := getattr(client, name)) and kind is not dict
    }
    named = {*agents.__all__, *kinds, *methods}
    assert {name for name in named if not re.search(rf"`{name}\b", PAGE)} == set()


def test_every_error_is_described() -> None:
    own = {
        name: kind
        for name, kind in vars(errors).items()
        if inspect.isclass(kind) and issubclass(kind, Exception)
    }
    listed = {cells[0].strip("`"): cells[1] for cells in rows("Errors")}
    assert set(listed) == set(own)
    for name, kind in own.items():
        bases = [base.__name__ for base in kind.__bases__ if base is not errors.OptArenaError]
        assert re.findall(r"`(\w+)`", listed[name]) == bases


def test_every_wrapper_is_in_the_manual() -> None:
    text = (ROOT / "docs/07-wrappers.md").read_text()
    assert {name for name in wrappers.__all__ if f"`{name}" not in text} == set()


def test_every_variable_is_described() -> None:
    used = {
        name
        for path in OWN_PACKAGE.rglob("*.py")
        for name in re.findall(r"\"(OPTARENA_[A-Z_]+)\"", path.read_text())
    }
    assert "OPTARENA_DEBUG" in used
    pages = PAGE + (ROOT / "docs/01-first-steps.md").read_text()
    assert {name for name in used if f"`{name}`" not in pages} == set()


def test_limits_are_those_in_force() -> None:
    for number in (
        f"{limits.ACTION_CPU_SECONDS} s of CPU time",
        f"{limits.ACTION_WALL_SECONDS} s on the clock",
        f"{limits.SESSION_MEMORY_BYTES >> 30} GiB",
        f"{limits.IR_GROWTH_FLOOR:,}",
        f"{limits.IR_GROWTH_FACTOR} times",
        f"{limits.CODE_CPU_SECONDS} s for\nmachine code",
    ):
        assert number in PAGE
