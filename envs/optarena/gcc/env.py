"""The GCC environment: the choices as a property, beside gymnasium's calls."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, cast

from optarena.env import CompilerEnv
from optarena.errors import InvalidInput
from optarena.gcc import description
from optarena.gcc.compiling import own_options
from optarena.gcc.options import CHOICES, UNSET
from optarena.gcc.other_session import FIELD, GccPlace, OtherGcc, ask, name_of, tables_of
from optarena.gcc.session import PARAMETER, GccActions
from optarena.machine_code.metrics import RUNTIME_REWARD
from optarena.specs import EnvironmentSpec, environment_spec

_SHOWN: Final = 3


class GccEnv(CompilerEnv):
    """An environment whose programs are preprocessed C; see ``CompilerEnv`` for its other arguments.

    Args:
        gcc_bin: Another GCC instead of the pinned one: the path or the name of its driver, or
            ``docker:IMAGE``. Its options are those that it says it has. No board takes its results.

    Raises:
        ToolMissing: There is no such GCC on this machine.
        InvalidInput: ``gcc_bin`` has another form, or is given with something that it cannot go with.
    """

    def __init__(
        self,
        environment: str | EnvironmentSpec,
        *,
        gcc_bin: str | None = None,
        **given: Any,  # noqa: ANN401 # those of CompilerEnv
    ) -> None:
        if gcc_bin is not None:
            base = environment_spec(environment) if isinstance(environment, str) else environment
            environment = spec_of(gcc_bin, base, given)
        super().__init__(environment, **given)
        self._own_options: tuple[str, list[str]] = "", []  # of the program with this sha256

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode, and warn of functions of the user's own program that options do not reach."""
        started = super().reset(seed=seed, options=options)
        if not self.benchmark.baselines and (fixed := self._options_in_places()):
            warnings.warn(
                f"{self.benchmark.uri} has functions with options of their own, which override those that "
                f"are chosen: {', '.join(fixed[:_SHOWN])}.",
                stacklevel=2,
            )
        return started

    def _options_in_places(self) -> list[str]:
        sha256 = self.benchmark.sha256
        if self._own_options[0] != sha256:
            self._own_options = sha256, own_options(self.benchmark.program()).in_places
        return self._own_options[1]

    @property
    def choices(self) -> tuple[int, ...]:
        """The number of the choice for each option, in the order of the action table; -1 for none.

        Setting it takes one step, with an action for each option whose choice differs, so that it counts like
        any other step of the episode.

        Raises:
            InvalidInput: It is not a sequence of one integer for each option, or one of them is out of range.
        """
        return tuple(int(one) for one in self.observation["choices"])

    @choices.setter
    def choices(self, wanted: Sequence[int]) -> None:
        table = self._table
        options = table.options.options
        remedy = f"Give {len(options)} integers, one for each option."
        try:
            given = list(wanted)
        except TypeError as error:
            message = f"choices is {wanted!r:.100}, which is not a sequence."
            raise InvalidInput(message, field="choices", value=wanted, remedy=remedy) from error
        if len(given) != len(options):
            message = f"choices has {len(given)} numbers."
            raise InvalidInput(message, field="choices", value=given[:10], remedy=remedy)
        chosen = [
            table.options.check_choice(option, choice, _integer(choice))
            for option, choice in zip(options, given, strict=True)
        ]
        self.multistep(table.leading(self.choices, chosen))

    def parameter(self, key: str, value: str = "", *, keep: bool = False) -> str:
        """Send a parameter; one that sets the choices makes them this episode's actions in one step.

        See ``CompilerEnv`` for the arguments.

        Raises:
            InvalidInput: As for ``CompilerEnv``; or the choices are to be kept, though every episode begins
                with none.
        """
        if key != PARAMETER or not value:
            return super().parameter(key, value, keep=keep)
        if keep:
            message = f"{PARAMETER} cannot be kept: every episode begins without options."
            raise InvalidInput(message, field="keep", value=keep, remedy="Set it after each reset().")
        table = self._table
        chosen = table.options.read_choices(value)
        actions = table.leading([UNSET] * len(chosen), chosen)
        told = super().parameter(key, value)
        episode = self._alive()
        episode.actions[:] = actions
        episode.parameters[:] = [(0, key, value)]  # it alone makes the state, whatever was done before
        self.multistep([])  # reads what they earned
        return told

    @property
    def _table(self) -> GccActions:
        return cast("GccActions", self.action_table)

    def _program_text(self) -> str:
        return str(self.observation["asm"])


def _integer(given: Any) -> int | None:  # noqa: ANN401 # whatever a user gave
    # Numpy's integers count, too.
    try:
        return None if isinstance(given, bool) else operator.index(given)
    except TypeError:
        return None


def spec_of(gcc_bin: object, base: EnvironmentSpec, given: Mapping[str, Any]) -> EnvironmentSpec:
    # No board takes this environment.
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
    other = ask(place)
    choices, relative = tables_of(other)
    smallest = "Oz" if "Oz" in other.levels else "Os"
    rewards = {**description.rewards(smallest, is_recorded=False), RUNTIME_REWARD.name: RUNTIME_REWARD}
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
    choices, _ = tables_of(other)
    return description.version(choices) | {
        "compiler": f"GCC {other.version}",
        "programs": dict(other.hashes),
        "front_end": list(other.front_end),
    }
