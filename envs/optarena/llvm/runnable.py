"""Checks in advance whether the runner can run a program.

The sandbox forbids new processes, and only a linker could do some of the rest. The error for such a program
names what it uses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from optarena.errors import InvalidInput
from optarena.llvm.module import Module, linked_list, value_name
from optarena.llvm.starting import HOOK_SECTIONS, is_null, is_provided, thread_local_alias
from optarena.llvm.toolchain import instrumentation_remedy
from optarena.machine_code.libllvm import library, required_cxx_libraries
from optarena.machine_code.program import is_in_libraries

_EXIT_HANDLERS: Final = frozenset({"at_quick_exit", "on_exit"})
_PROCESSES: Final = frozenset(
    {"fork", "vfork", "clone", "system", "popen", "posix_spawn", "posix_spawnp", "pthread_create"}
    | {"thrd_create", "execl", "execle", "execlp", "execv", "execve", "execvp", "execvpe", "dlopen"}
)
# The types of a main that is called rightly; other exit codes are what a register happens to hold.
_MAINS: Final = ("i32 ()", "i32 (i32, ptr)", "i32 (i32, ptr, ptr)")
# The operators new and delete that a program can replace; others, such as those of an arena, are its own.
_ALLOCATION: Final = re.compile(r"_Z(?:n[wa]m|d[la]Pvm?)(?:St11align_val_t)?(?:RKSt9nothrow_t)?$")
_UNSUPPORTED: Final = "Remove it."
_HOOK: Final = "Use a function with __attribute__((constructor)) or __attribute__((destructor))."
_HANDLER: Final = "Use atexit()."
_DEFINE: Final = "Define it, or link the file that does. Assembly outside functions defines nothing here."
_CXX: Final = f"{_DEFINE} If it is of another C++ library than libc++, compile with -stdlib=libc++."
_OF_FUNCTION: Final = 2**32 - 1  # LLVMAttributeFunctionIndex
# Marks by which the code generator calls a run-time library, and the flag of clang that sets them.
_MARKS: Final = {b"safestack": "-fsanitize=safe-stack", b"split-stack": "-fsplit-stack"}
_MAIN: Final = "Define int main(void), or int main(int, char **)."


def check_runnable(data: bytes) -> None:
    with Module.parse(data) as module:
        found = next(_problems(module), None)
    if found:
        problem, remedy = found
        raise InvalidInput(f"The program cannot be run: it {problem}.", field="program", remedy=remedy)


def _problems(module: Module) -> Iterator[tuple[str, str]]:
    llvm = library()
    main = llvm.GetNamedFunction(module.handle, b"main")
    if not main or llvm.IsDeclaration(main):
        yield "defines no main()", _MAIN
    elif (kind := llvm.take_string(llvm.PrintTypeToString(llvm.GlobalGetValueType(main)))) not in _MAINS:
        yield f"has a main() of the type {kind:.100}", _MAIN
    if llvm.GetFirstGlobalIFunc(module.handle):
        yield "chooses a function when it is loaded (ifunc)", _UNSUPPORTED
    if (alias := thread_local_alias(module)) is not None:
        yield f"has a thread-local alias ({alias})", _UNSUPPORTED
    for variable in linked_list(llvm.GetFirstGlobal(module.handle), llvm.GetNextGlobal):
        yield from _variable_problems(variable)
    for function in module.functions():
        if not llvm.IsDeclaration(function):
            yield from _mark_problems(function)
        elif not llvm.GetIntrinsicID(function) and not is_null(function):
            yield from _function_problems(_name(function))
    yield from _allocation_problems(module)


def _variable_problems(variable: int) -> Iterator[tuple[str, str]]:
    llvm = library()
    name = _name(variable)
    section = (llvm.GetSection(variable) or b"").decode(errors="replace")
    if section.startswith(HOOK_SECTIONS):
        yield f"has a global constructor or destructor ({name}, in the section {section})", _HOOK
    elif not llvm.IsDeclaration(variable):
        return
    elif llvm.IsThreadLocal(variable):
        yield f"needs the thread-local variable {name}", _remedy(name)
    elif not (is_provided(name) or is_null(variable)):
        yield f"needs the variable {name}, which the C library does not have", _remedy(name)


def _allocation_problems(module: Module) -> Iterator[tuple[str, str]]:
    # In an executable, the C++ library's own code would use the program's operators, too.
    functions = [(_name(one), library().IsDeclaration(one)) for one in module.functions()]
    own = next((name for name, is_declared in functions if not is_declared and _ALLOCATION.match(name)), None)
    if own and any(
        is_declared and name.startswith("_Z") and is_in_libraries(name) for name, is_declared in functions
    ):
        yield f"replaces an operator that the C++ library uses ({own})", _UNSUPPORTED


def _mark_problems(function: int) -> Iterator[tuple[str, str]]:
    llvm = library()
    for mark, flag in _MARKS.items():
        kind = llvm.GetEnumAttributeKindForName(mark, len(mark))
        if (kind and llvm.GetEnumAttributeAtIndex(function, _OF_FUNCTION, kind)) or (
            llvm.GetStringAttributeAtIndex(function, _OF_FUNCTION, mark, len(mark))
        ):
            marked = f"functions such as {_name(function)} are marked {mark.decode()}"
            yield f"needs a run-time library, since {marked}", f"Compile without {flag}."


def _function_problems(name: str) -> Iterator[tuple[str, str]]:
    if name in _EXIT_HANDLERS:
        yield f"registers an exit handler ({name})", _HANDLER
    elif name in _PROCESSES:
        yield f"starts a process or thread, or loads code ({name})", _UNSUPPORTED
    elif not is_provided(name):
        yield f"calls {name}, which the C library does not have", _remedy(name)


def _remedy(name: str) -> str:
    if remedy := instrumentation_remedy(name):
        return remedy
    if not name.startswith("_Z"):
        return _DEFINE
    required_cxx_libraries(library().path)
    return _CXX


def _name(value: int) -> str:
    return value_name(value).decode(errors="replace")
