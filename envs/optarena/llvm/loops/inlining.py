"""Carries out a decision on one call, and leaves all other calls as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from optarena.llvm.loops.columns import CALL_SITE_COLUMNS
from optarena.llvm.loops.tables import call_sites
from optarena.llvm.module import Module
from optarena.machine_code.libllvm import library

if TYPE_CHECKING:
    from optarena.llvm.loops.decisions import Decision
    from optarena.llvm.loops.tables import CallSite

_CHOSEN: Final = "optarena-chosen"
_HELD: Final = "optarena-held"
_NEVER: Final = "noinline"
_ALWAYS: Final = "alwaysinline"
_OF_FUNCTION: Final = 2**32 - 1  # LLVMAttributeFunctionIndex


def decide(module: Module, row: int, decision: Decision) -> bool:
    """Carry out a decision on a call; returns whether that was done.

    A call is inlined in a copy first, as loops are: if LLVM cannot inline it, the module stays untouched.
    """
    sites = call_sites(module)
    if row >= len(sites):
        return False
    if not decision.pipeline:
        return _forbid(module, sites[row])
    with Module.parse(module.bitcode()) as trial:
        if not _inline(trial, row, decision.pipeline):
            return False
    return _inline(module, row, decision.pipeline)


def _forbid(module: Module, site: CallSite) -> bool:
    attributes = _CallAttributes(module)
    if attributes.has(site.instruction, _NEVER):
        return False
    attributes.remove(site.instruction, _ALWAYS)
    attributes.add(site.instruction, _NEVER)
    return True


def _inline(module: Module, row: int, pipeline: str) -> bool:
    """Mark the call, protect all others that would be inlined as well, and run the pass."""
    attributes = _CallAttributes(module)
    for number, site in enumerate(call_sites(module)):
        attributes.unmark(site.instruction, _HELD)  # the original program may contain our marks
        attributes.unmark(site.instruction, _CHOSEN)
        if number != row and not attributes.has(site.instruction, _NEVER):
            if attributes.has(site.instruction, _ALWAYS) or _is_always_inlined(site):
                attributes.add(site.instruction, _NEVER)
                attributes.mark(site.instruction, _HELD)
        elif number == row:
            forbidden = attributes.has(site.instruction, _NEVER)
            told = attributes.has(site.instruction, _ALWAYS)
            attributes.remove(site.instruction, _NEVER)
            attributes.add(site.instruction, _ALWAYS)
            attributes.mark(site.instruction, _CHOSEN)
    module.run(pipeline)
    done = True
    for site in call_sites(module):
        if attributes.unmark(site.instruction, _HELD):
            attributes.remove(site.instruction, _NEVER)
        if attributes.unmark(site.instruction, _CHOSEN):
            done = False
            if not told:
                attributes.remove(site.instruction, _ALWAYS)
            if forbidden:
                attributes.add(site.instruction, _NEVER)
    return done


def _is_always_inlined(site: CallSite) -> bool:
    return bool(site.row[CALL_SITE_COLUMNS.index("callee_alwaysinline")])


class _CallAttributes:
    """The attributes of the calls of a module.

    Args:
        module: The module; it must outlive this object.
    """

    def __init__(self, module: Module) -> None:
        self._llvm = library()
        self._context: int = self._llvm.GetModuleContext(module.handle)

    def has(self, call: int, name: str) -> bool:
        """Whether a call has the attribute."""
        return bool(self._llvm.GetCallSiteEnumAttribute(call, _OF_FUNCTION, self._kind(name)))

    def add(self, call: int, name: str) -> None:
        """Give a call the attribute."""
        attribute = self._llvm.CreateEnumAttribute(self._context, self._kind(name), 0)
        self._llvm.AddCallSiteAttribute(call, _OF_FUNCTION, attribute)

    def remove(self, call: int, name: str) -> None:
        """Take the attribute from a call if it has it."""
        if self.has(call, name):
            self._llvm.RemoveCallSiteEnumAttribute(call, _OF_FUNCTION, self._kind(name))

    def mark(self, call: int, text: str) -> None:
        """Give a call one of OptArena's own attributes."""
        attribute = self._llvm.CreateStringAttribute(self._context, text.encode(), len(text), b"", 0)
        self._llvm.AddCallSiteAttribute(call, _OF_FUNCTION, attribute)

    def unmark(self, call: int, text: str) -> bool:
        """Take the attribute away again; returns whether the call had it."""
        if not self._llvm.GetCallSiteStringAttribute(call, _OF_FUNCTION, text.encode(), len(text)):
            return False
        self._llvm.RemoveCallSiteStringAttribute(call, _OF_FUNCTION, text.encode(), len(text))
        return True

    def _kind(self, name: str) -> int:
        kind: int = self._llvm.GetEnumAttributeKindForName(name.encode(), len(name))
        return kind
