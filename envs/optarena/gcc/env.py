"""The GCC environment: the choices as a property, beside gymnasium's calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optarena.env import CompilerEnv
from optarena.errors import InvalidInput
from optarena.gcc.options import UNSET
from optarena.gcc.session import PARAMETER, GccSession

if TYPE_CHECKING:
    from collections.abc import Sequence


class GccEnv(CompilerEnv):
    """An environment whose programs are preprocessed C; see ``CompilerEnv`` for its arguments."""

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
        table = GccSession.table
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
        for option, choice in zip(options, given, strict=True):
            if isinstance(choice, bool) or choice not in range(UNSET, len(option.choices)):
                raise InvalidInput(
                    f"choices: the number for {option.name} is {choice!r:.100}.",
                    field="choices",
                    value=choice,
                    remedy=f"Give an integer from {UNSET} to {len(option.choices) - 1}.",
                )
        present = self.choices
        self.multistep(
            [(index, int(new) + 1) for index, new in enumerate(given) if int(new) != present[index]]
        )

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
        told = super().parameter(key, value)
        chosen = [int(one) for one in told.split(",")]
        self._alive().actions[:] = GccSession.table.of_choices(chosen)
        self.multistep([])  # reads what they earned
        return told

    def _program_text(self) -> str:
        """The assembly, for ``render()``."""
        return "; the compiler failed\n" if self.error else str(self.observation["asm"])
