"""Actions that are passes on one function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optarena.llvm.action_sets.definition import StructuredActions
from optarena.llvm.tables.functions import FunctionTable
from optarena.machine_code.libllvm import library

if TYPE_CHECKING:
    from optarena.llvm.live_session import LiveSession
    from optarena.llvm.module import Module
    from optarena.service.proto.compiler_gym_service_pb2 import Event


class FunctionActions(StructuredActions[FunctionTable]):
    """The passes of a table, each on one function: a space of one choice in each component."""

    __slots__ = ()

    def apply(self, session: LiveSession, action: Event) -> str:
        """Run the pass on the function, if the program still defines it.

        A function without a name cannot be found again and is left as it is.

        Raises:
            ServiceError: The pass reports an error.
        """
        chosen = self._chosen(action)
        name = self.table.text(chosen)
        number, names = chosen[1], session.function_names
        if number >= len(names):
            return name
        function = defined_function(session.module, names[number])
        if function is not None:
            session.module.run_on_function(function, self.table.pipeline(chosen))
        return f"{name} ({names[number]})"


def defined_function(module: Module, name: str) -> int | None:
    """The function of this name, None if the module does not define it or the name is empty."""
    llvm = library()
    text = name.encode(errors="surrogateescape")
    function: int | None = llvm.GetNamedFunctionWithLength(module.handle, text, len(text)) if text else None
    return None if function is None or llvm.IsDeclaration(function) else function
