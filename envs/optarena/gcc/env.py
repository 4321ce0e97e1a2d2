"""The GCC environment: the choices as a property, beside gymnasium's calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optarena.env import CompilerEnv
from optarena.errors import InvalidInput
from optarena.gcc.options import UNSET
from optarena.gcc.session import GccSession

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
            InvalidInput: There is not one integer for each option, or one of them is out of range.
        """
        return tuple(int(one) for one in self.observation["choices"])

    @choices.setter
    def choices(self, wanted: Sequence[int]) -> None:
        table = GccSession.table
        options = table.options.options
        given = list(wanted)
        if len(given) != len(options):
            raise InvalidInput(
                f"choices has {len(given)} numbers.",
                field="choices",
                value=given[:10],
                remedy=f"Give {len(options)} integers, one for each option.",
            )
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

    def _program_text(self) -> str:
        """The assembly, for ``render()``."""
        return "; the compiler failed\n" if self.error else str(self.observation["asm"])
