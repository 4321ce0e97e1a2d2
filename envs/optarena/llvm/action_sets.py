"""The action spaces of the LLVM session, and what an action of each does to a program."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

from optarena.llvm.tables import FunctionTable, ParameterTable, WordTable
from optarena.machine_code.libllvm import library
from optarena.service.observed import multi_discrete
from optarena.service.proto.compiler_gym_service_pb2 import ActionSpace, CommandlineSpace, Event, Space

if TYPE_CHECKING:
    from optarena.llvm.actions import PassTable
    from optarena.llvm.module import Module
    from optarena.llvm.session import LlvmSession


def commandline(name: str, words: Iterable[str]) -> ActionSpace:
    space = Space()
    space.any_value.Pack(CommandlineSpace(name=words))
    return ActionSpace(name=name, space=space)


@dataclass(frozen=True, slots=True)
class PassActions:
    # A command-line space, of which every client makes a state.
    table: PassTable

    @property
    def message(self) -> ActionSpace:
        return commandline(self.table.name, self.table.names)

    def check(self, action: Event) -> None:
        self.table.action(action.int64_value)

    def apply(self, session: LlvmSession, action: Event) -> str:
        chosen = self.table.action(action.int64_value)
        session.run_passes(chosen.pipeline)
        return chosen.name


@dataclass(frozen=True, slots=True)
class CommandlineActions(PassActions):
    @property
    def message(self) -> ActionSpace:
        return commandline(self.table.name, (action.pipeline for action in self.table.actions))


Table = TypeVar("Table", bound=WordTable)


@dataclass(frozen=True, slots=True)
class StructuredActions(ABC, Generic[Table]):
    table: Table

    @property
    def message(self) -> ActionSpace:
        return multi_discrete(self.table.name, self.table.sizes)

    def check(self, action: Event) -> None:
        self._chosen(action)

    @abstractmethod
    def apply(self, session: LlvmSession, action: Event) -> str:
        """Change the session's module, and return the name of the action for messages."""

    def _chosen(self, action: Event) -> tuple[int, ...]:
        return self.table.check(list(action.int64_tensor.value))


class ActionSet(Protocol):
    # The session counts actions, limits growth and finds out whether an action had an effect; a set only
    # carries actions out, and names them for messages.

    @property
    def message(self) -> ActionSpace:
        """The action space."""

    def check(self, action: Event) -> None:
        """Refuse an action that is not in it."""

    def apply(self, session: LlvmSession, action: Event) -> str:
        """Change the session's module, and return the name of the action for messages."""


class FunctionActions(StructuredActions[FunctionTable]):
    __slots__ = ()

    def apply(self, session: LlvmSession, action: Event) -> str:
        # A function without a name cannot be found again and is left as it is.
        chosen = self._chosen(action)
        name = self.table.text(chosen)
        number, names = chosen[1], session.function_names
        if number >= len(names):
            return name
        function = defined_function(session.module, names[number])
        if function is not None:
            session.module.run(self.table.pipeline(chosen), function)
        return f"{name} ({names[number]})"


def defined_function(module: Module, name: str) -> int | None:
    llvm = library()
    text = name.encode(errors="surrogateescape")
    function: int | None = llvm.GetNamedFunctionWithLength(module.handle, text, len(text)) if text else None
    return None if function is None or llvm.IsDeclaration(function) else function


_OF_FUNCTION: Final = 2**32 - 1
_ADDED: Final = b"inlinehint"
_REMOVED: Final = (b"minsize", b"optsize")


class ParameterActions(StructuredActions[ParameterTable]):
    __slots__ = ()

    def apply(self, session: LlvmSession, action: Event) -> str:
        chosen = self._chosen(action)
        run = self.table.run(chosen)
        if run.attributes:
            with inliner_attributes(session.module, run.attributes):
                session.module.run(run.pipeline)
        else:
            session.module.run(run.pipeline)
        return self.table.text(chosen)


@contextmanager
def inliner_attributes(module: Module, attributes: Mapping[str, str]) -> Iterator[None]:
    # LLVM gives up a call as soon as its cost exceeds the threshold without the attributes, so functions also
    # get inlinehint, and lose minsize and optsize: that threshold must be high. The pass inside may delete
    # functions but must not create any: a new one could be mistaken for a deleted one.
    llvm = library()
    context = llvm.GetModuleContext(module.handle)
    texts = {name.encode(): value.encode() for name, value in attributes.items()}
    kinds = {name: llvm.GetEnumAttributeKindForName(name, len(name)) for name in (_ADDED, *_REMOVED)}
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
    # Returns the attributes that were replaced; they outlive the function.
    llvm = library()
    index = _OF_FUNCTION
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
    return (one for one in module.functions() if not library().IsDeclaration(one))
