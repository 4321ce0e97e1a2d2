"""The GCC environment: the choices as a property, beside gymnasium's calls."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, cast

from optarena.env import CompilerEnv
from optarena.errors import InvalidInput
from optarena.gcc.options import UNSET
from optarena.gcc.session import PARAMETER
from optarena.specs import environment_spec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optarena.gcc.session import GccActions
    from optarena.specs import EnvironmentSpec


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
            from optarena.gcc.other_spec import spec_of  # noqa: PLC0415 # asks a compiler

            base = environment_spec(environment) if isinstance(environment, str) else environment
            environment = spec_of(gcc_bin, base, given)
        super().__init__(environment, **given)

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
        """The actions of the action space that is in force."""
        return cast("GccActions", self.action_table)

    def _program_text(self) -> str:
        """The assembly, for ``render()``."""
        return str(self.observation["asm"])


def _integer(given: Any) -> int | None:  # noqa: ANN401 # whatever a user gave
    """A number that is an integer, also one of numpy's; None for anything else."""
    try:
        return None if isinstance(given, bool) else operator.index(given)
    except TypeError:
        return None
