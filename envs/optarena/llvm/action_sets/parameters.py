"""Actions that are passes with choices for their parameters."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from optarena.llvm.action_sets.definition import StructuredActions
from optarena.llvm.tables.parameters import ParameterTable
from optarena.machine_code.libllvm import library

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from optarena.llvm.live_session import LiveSession
    from optarena.llvm.module import Module
    from optarena.service.proto.compiler_gym_service_pb2 import Event

_OF_THE_FUNCTION: Final = 2**32 - 1
_ADDED: Final = b"inlinehint"
_TAKEN_AWAY: Final = (b"minsize", b"optsize")


class ParameterActions(StructuredActions[ParameterTable]):
    """The passes of a table and the choices of their parameters: a space of one choice in each component."""

    __slots__ = ()

    def apply(self, session: LiveSession, action: Event) -> str:
        """Run the pass with its parameters.

        Raises:
            ServiceError: The pass reports an error.
        """
        chosen = self._chosen(action)
        run = self.table.run(chosen)
        if run.attributes:
            with marked(session.module, run.attributes):
                session.module.run(run.pipeline)
        else:
            session.module.run(run.pipeline)
        return self.table.text(chosen)


@contextmanager
def marked(module: Module, attributes: Mapping[str, str]) -> Iterator[None]:
    """Give every defined function attributes of the inliner inside the ``with`` block.

    Functions then also have ``inlinehint``, and neither ``minsize`` nor ``optsize``: LLVM gives up a call as
    soon as its cost exceeds the threshold without the attributes, so that threshold must be high. The pass
    inside may delete functions but must not create any: a new one could be mistaken for a deleted one.
    """
    llvm = library()
    context = llvm.GetModuleContext(module.handle)
    texts = {name.encode(): value.encode() for name, value in attributes.items()}
    kinds = {name: llvm.GetEnumAttributeKindForName(name, len(name)) for name in (_ADDED, *_TAKEN_AWAY)}
    added = [llvm.CreateEnumAttribute(context, kinds[_ADDED], 0)] + [
        llvm.CreateStringAttribute(context, name, len(name), value, len(value))
        for name, value in texts.items()
    ]
    before = {function: _replace(function, texts, kinds, added) for function in _defined(module)}
    try:
        yield
    finally:
        for function in _defined(module):
            _replace(function, texts, kinds, before[function])


def _replace(
    function: int, texts: Mapping[bytes, bytes], kinds: Mapping[bytes, int], added: list[int]
) -> list[int]:
    """Replace some attributes of a function by others, and return those it had; they outlive the function."""
    llvm = library()
    index = _OF_THE_FUNCTION
    had = [llvm.GetStringAttributeAtIndex(function, index, name, len(name)) for name in texts]
    had += [llvm.GetEnumAttributeAtIndex(function, index, kind) for kind in kinds.values()]
    for name in texts:
        llvm.RemoveStringAttributeAtIndex(function, index, name, len(name))
    for kind in kinds.values():
        llvm.RemoveEnumAttributeAtIndex(function, index, kind)
    for attribute in added:
        llvm.AddAttributeAtIndex(function, index, attribute)
    return [attribute for attribute in had if attribute]


def _defined(module: Module) -> Iterator[int]:
    llvm = library()
    function = llvm.GetFirstFunction(module.handle)
    while function:
        if not llvm.IsDeclaration(function):
            yield function
        function = llvm.GetNextFunction(function)
