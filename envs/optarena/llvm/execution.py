"""Runs a program given as bitcode: one worker compiles it, and another links it and runs it."""

from __future__ import annotations

import hashlib
import math
from functools import partial
from typing import Any, Final

from optarena import limits
from optarena.errors import InfrastructureFault, InvalidInput, ToolMissing
from optarena.isolation.limits import ProcessLimits
from optarena.llvm.toolchain import LIBCXX_MARK
from optarena.machine_code.execution import NotRunnable, answer, failure_of, objects, run_object, spawn
from optarena.machine_code.libllvm import find_library, required_cxx_libraries
from optarena.specs.results import Execution

__all__ = ["Execution", "NotRunnable", "answer", "failure_of", "optimise", "run_program", "spawn"]

SESSION_TYPE: Final = "optarena.llvm.session:LlvmSession"
_COMPILE: Final = "optarena.llvm.program:compile_main"
_OPTIMISE: Final = "optarena.llvm.program:optimise_main"


def optimise(program: bytes, level: str, *, sandbox: bool = True, ends: float = math.inf) -> bytes:
    allowed = ProcessLimits(cpu_seconds_per_call=limits.seconds(limits.CODE_CPU_SECONDS))
    payload = level.encode() + b"\n" + program
    try:
        with spawn(SESSION_TYPE, _OPTIMISE, payload, allowed, sandbox=sandbox) as worker:
            return answer(worker, allowed, ends)
    except NotRunnable as error:
        message = f"LLVM cannot optimise the program at -{level}: {error}"
        raise InvalidInput(message, field="program", remedy="Report the benchmark.") from error


def run_program(
    bitcode: bytes,
    *,
    sandbox: bool = True,
    ends: float = math.inf,
    session_type: str = SESSION_TYPE,
    **given: Any,  # noqa: ANN401 # the other arguments of `run_object`
) -> Execution:
    # As `run_object`; `ends` is the value of time.monotonic() at which compiling stops, too. The session type
    # is that of the release whose bitcode it is.
    make = partial(_compiled, bitcode, session_type, sandbox=sandbox, ends=ends)
    return run_object(make, sandbox=sandbox, ends=ends, session_type=session_type, **given)


def _compiled(bitcode: bytes, session_type: str, *, sandbox: bool, ends: float) -> bytes:
    key = hashlib.sha256(session_type.encode() + bitcode).digest()
    code = objects.get(key)
    if code is None:
        if LIBCXX_MARK in bitcode:
            try:
                required_cxx_libraries(find_library())
            except ToolMissing as error:  # a replay would take it for a refusal of the program
                raise InfrastructureFault(str(error), reason="infra:toolchain-missing") from error
        allowed = ProcessLimits(cpu_seconds_per_call=limits.seconds(limits.CODE_CPU_SECONDS))
        with spawn(session_type, _COMPILE, bitcode, allowed, sandbox=sandbox) as worker:
            code = answer(worker, allowed, ends)
        objects.put(key, code)
    return code
