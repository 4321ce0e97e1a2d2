"""Gives a program what its executable would have around ``main``, before it is compiled just in time.

LLVM's just-in-time compiler runs no constructors and has no thread-local storage. Programs with constructors
or destructors get ``native/start.c``; the others stay as they are. A program has one thread, so its
thread-local variables become ordinary ones. Its exit handlers are a matter of ``machine_code.program``.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from functools import lru_cache
from importlib import resources
from itertools import chain
from typing import Final

from optarena.errors import InvalidInput
from optarena.llvm.module import Module, linked_list, value_name
from optarena.machine_code.libllvm import library
from optarena.machine_code.program import AT_EXIT, OWN_FUNCTIONS, is_in_libraries

_CONSTRUCTORS, _DESTRUCTORS = b"llvm.global_ctors", b"llvm.global_dtors"
# By it, libraries tell whose exit handler is whose; here all are the program's.
_OWNER: Final = b"__dso_handle"
_AT_EXIT: Final = b"atexit"
# What programs may need beside the libraries.
PROVIDED: Final = frozenset({_OWNER.decode(), _AT_EXIT.decode(), *OWN_FUNCTIONS})
_WEAK: Final = 12  # LLVMExternalWeakLinkage
_THREAD_LOCAL_ADDRESS: Final = b"llvm.threadlocal.address.p0"
# A linker gathers these; C and C++ have other means.
HOOK_SECTIONS: Final = (".init_array", ".fini_array", ".preinit_array", ".ctors", ".dtors")
# Flags such as the size of wchar_t, which are the program's own.
_NAMED_METADATA: Final = re.compile(rb"^!llvm\..*\n", re.MULTILINE)


@lru_cache(maxsize=1)
def start_program() -> bytes:
    # Read before processes are confined.
    text = resources.files("optarena.llvm.native").joinpath("start.ll").read_bytes()
    return _NAMED_METADATA.sub(b"", text)


def add_start(module: Module) -> None:
    # Right before the program is compiled: no pass sees what is added.
    llvm = library()
    for variable in list(linked_list(llvm.GetFirstGlobal(module.handle), llvm.GetNextGlobal)):
        if (llvm.GetSection(variable) or b"").decode(errors="replace").startswith(HOOK_SECTIONS):
            name = value_name(variable).decode(errors="replace")
            raise InvalidInput(f"The hook {name} is in a section that only a linker reads.", field="program")
        if llvm.IsThreadLocal(variable) and not llvm.IsDeclaration(variable):
            llvm.SetThreadLocal(variable, 0)
    if (alias := thread_local_alias(module)) is not None:
        raise InvalidInput(f"The alias {alias} is thread-local.", field="program")
    _settle_weak(module)
    _replace_addresses(llvm.GetNamedFunction(module.handle, _THREAD_LOCAL_ADDRESS))
    if (owner := llvm.GetNamedGlobal(module.handle, _OWNER)) and llvm.IsDeclaration(owner):
        llvm.ReplaceAllUsesWith(owner, llvm.ConstNull(llvm.TypeOf(owner)))
    if (add := llvm.GetNamedFunction(module.handle, _AT_EXIT)) and llvm.IsDeclaration(add):
        _rename(add, AT_EXIT.encode())
    if any(llvm.GetNamedGlobal(module.handle, name) for name in (_CONSTRUCTORS, _DESTRUCTORS)):
        _link_start(module)


def thread_local_alias(module: Module) -> str | None:
    llvm = library()
    aliases = linked_list(llvm.GetFirstGlobalAlias(module.handle), llvm.GetNextGlobalAlias)
    found = next((one for one in aliases if llvm.IsThreadLocal(one)), None)
    return None if found is None else value_name(found).decode(errors="replace")


def is_null(value: int) -> bool:
    """Whether it is a weak declaration that nothing provides, which a linker makes null."""
    llvm = library()
    is_weak = llvm.IsDeclaration(value) and llvm.GetLinkage(value) == _WEAK
    return bool(is_weak) and not is_provided(value_name(value).decode(errors="replace"))


def is_provided(name: str) -> bool:
    return name in PROVIDED or is_in_libraries(name)


def _settle_weak(module: Module) -> None:
    llvm = library()
    variables = linked_list(llvm.GetFirstGlobal(module.handle), llvm.GetNextGlobal)
    for value in list(chain(variables, module.functions())):
        if is_null(value):
            llvm.ReplaceAllUsesWith(value, llvm.ConstNull(llvm.TypeOf(value)))


def _rename(value: int | None, name: bytes) -> None:
    if value:
        library().SetValueName2(value, name, len(name))


def _replace_addresses(intrinsic: int | None) -> None:
    llvm = library()
    while intrinsic and (use := llvm.GetFirstUse(intrinsic)):
        call = llvm.GetUser(use)
        llvm.ReplaceAllUsesWith(call, llvm.GetOperand(call, 0))
        llvm.InstructionEraseFromParent(call)


def _link_start(module: Module) -> None:
    llvm = library()
    handle = module.handle
    _add_list(handle, b"optarena_constructors", _hooks(handle, _CONSTRUCTORS))
    # The system runs them from the last to the first.
    _add_list(handle, b"optarena_destructors", _hooks(handle, _DESTRUCTORS)[::-1])
    _rename(llvm.GetNamedFunction(handle, b"main"), b"optarena_main")
    module.link(start_program())


def _hooks(module: int, name: bytes) -> list[int]:
    # The functions of a list, by priority, and taken out of it.
    llvm = library()
    variable = llvm.GetNamedGlobal(module, name)
    if not variable:
        return []
    entries = list(_entries(llvm.GetInitializer(variable)))
    llvm.DeleteGlobal(variable)
    return [function for _, function in sorted(entries, key=lambda entry: entry[0])]


def _entries(values: int | None) -> Iterator[tuple[int, int]]:
    # Each with its priority; LLVM stops at a null.
    llvm = library()
    for index in range(llvm.GetNumOperands(values) if values else 0):
        entry = llvm.GetOperand(values, index)
        if llvm.IsNull(entry) or llvm.IsNull(function := llvm.GetOperand(entry, 1)):
            return
        yield llvm.ConstIntGetZExtValue(llvm.GetOperand(entry, 0)), function


def _add_list(module: int, name: bytes, functions: list[int]) -> None:
    llvm = library()
    pointer = llvm.PointerTypeInContext(llvm.GetModuleContext(module), 0)
    values = (ctypes.c_void_p * (len(functions) + 1))(*functions, llvm.ConstNull(pointer))
    array = llvm.ConstArray2(pointer, values, len(values))
    variable = llvm.AddGlobal(module, llvm.TypeOf(array), name)
    llvm.SetInitializer(variable, array)
