"""The environment of another GCC as plain data: what it is asked for becomes its actions and its version."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from optarena.errors import InvalidInput
from optarena.gcc import measures
from optarena.gcc.actions import CHOICES
from optarena.gcc.other import FIELD, GccPlace, OtherGcc, ask
from optarena.gcc.other_session import name_of, tables_of
from optarena.machine_code.times import RUNTIME_REWARD

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optarena.specs import EnvironmentSpec


def spec_of(gcc_bin: object, base: EnvironmentSpec, given: Mapping[str, Any]) -> EnvironmentSpec:
    """The environment of another GCC, which no board takes.

    Args:
        gcc_bin: The path or the name of its driver, or ``docker:IMAGE``.
        base: The environment of the pinned GCC.
        given: The other arguments of the environment.

    Raises:
        InvalidInput: It has another form, or is given with a service, another environment, or an image and a
            sandbox.
        ToolMissing: There is no such GCC.
    """
    if given.get("service") is not None:
        remedy = "Give one of them; the machine of a service has its own GCC."
        raise InvalidInput(f"{FIELD} is given with a service.", field=FIELD, value=gcc_bin, remedy=remedy)
    if base.action_table is not CHOICES:
        remedy = "Leave it out, or make optarena/gcc-v0."
        raise InvalidInput(f"{base.id} takes no {FIELD}.", field=FIELD, value=gcc_bin, remedy=remedy)
    place = GccPlace.parse(gcc_bin)
    if place.image and given.get("sandbox"):
        remedy = "Leave out sandbox=True, or name a gcc of this machine."
        message = f"{place} cannot be confined: a confined process does not reach Docker."
        raise InvalidInput(message, field=FIELD, value=gcc_bin, remedy=remedy)
    return _spec(place, base)


def _spec(place: GccPlace, base: EnvironmentSpec) -> EnvironmentSpec:
    other = ask(place)
    choices, relative = tables_of(other)
    smallest = "Oz" if "Oz" in other.levels else "Os"
    rewards = {**measures.rewards(smallest, is_recorded=False), RUNTIME_REWARD.name: RUNTIME_REWARD}
    return replace(
        base,
        service=name_of(place),
        compiler=f"GCC {other.version}",
        action_table=choices,
        further_tables=(relative,),
        rewards=rewards,
        reward_space=base.reward_space if base.reward_space in rewards else f"LoadSize{smallest}",
        boardable=False,
        version=partial(_version, other),
        requires="",
        probe=None,
    )


def _version(other: OtherGcc) -> dict[str, Any]:
    """What the results of the environment depend on."""
    choices, _ = tables_of(other)
    return measures.version(choices) | {
        "compiler": f"GCC {other.version}",
        "programs": dict(other.hashes),
        "front_end": list(other.front_end),
    }
