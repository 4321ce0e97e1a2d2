"""The sessions of GPU kernels: one kernel, what was done to it, and what LLVM and ptxas make of it.

A GPU is only used by child processes, so a session can be forked.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Final

from optarena import limits
from optarena.cuda.timing import UnsteadyDevice
from optarena.errors import DeviceUnavailable, InvalidInput, SessionLimitExceeded, ToolMissing
from optarena.gpu_kernels import device_jobs, emulation, engine, pinned, programs, ptxas
from optarena.gpu_kernels.actions import (
    LEVEL_ACTIONS,
    LEVEL_PIPELINES,
    PASSES,
    PIPELINES,
    REFERENCE_LEVEL,
    REFERENCE_PIPELINE,
)
from optarena.gpu_kernels.features import NAMES, Features, thread_bytes
from optarena.gpu_kernels.ptxas import disassemble
from optarena.service.observed import Observed, count, counts, named_actions, octets, real, text
from optarena.service.session import CompilationSession

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.isolation.tools import ToolAccess
    from optarena.service.proto.compiler_gym_service_pb2 import (
        ActionSpace,
        Benchmark,
        Event,
        ObservationSpace,
    )

_KEPT: Final = 64  # assembled kernels of a session that are kept


class KernelSession(CompilationSession):
    compiler_version: ClassVar[str] = pinned.COMPILER

    def __init__(self, working_directory: Path, action_space: ActionSpace, benchmark: Benchmark) -> None:
        super().__init__(working_directory, action_space, benchmark)
        try:
            self.program = programs.parse(benchmark.program.contents)
            self.module = engine.KernelModule(self.program.ir)
        except InvalidInput as error:
            raise InvalidInput(
                f"{benchmark.uri}: {error.message}", field=error.field, value=error.value, remedy=error.remedy
            ) from error
        self.level = REFERENCE_LEVEL
        self._bitcode = self.module.bitcode()
        self._max_instructions = limits.max_instructions(self.module.instruction_count())
        kernel = self.program.kernel
        self._assemble = lru_cache(_KEPT)(
            lambda ptx, level: ptxas.assemble(ptx, kernel, level, self.working_directory)
        )
        self._timing: dict[str, Any] | None = None

    @classmethod
    def preload(cls) -> None:  # a confined session can load nothing
        engine.kernels()
        cls.tools()
        emulation.fibers()
        device_jobs.reference_digest()

    @classmethod
    def tools(cls) -> ToolAccess | None:  # IR and PTX can be observed without ptxas
        try:
            return ptxas.access()
        except ToolMissing:
            return None

    def get_observation(self, observation_space: ObservationSpace) -> Event:
        return _OBSERVED[observation_space.name].compute(self)

    def ir(self) -> str:
        return f"{self.program.header}\n{self.module.text()}"

    def digest(self) -> str:
        return hashlib.sha256(f"{self.level}\n{self.module.text()}".encode()).hexdigest()

    @cached_property
    def ptx(self) -> str:
        return self.module.ptx()

    @property
    def assembled(self) -> ptxas.Assembled:  # equal PTX is assembled once
        return self._assemble(self.ptx, self.level)

    @property
    def features(self) -> Features:
        return Features.of(
            ir_instructions=self.module.instruction_count(),
            ptx=self.ptx,
            assembled=self.assembled,
            thread_bytes=self.thread_bytes(),
            threads=self.program.main.threads,
        )

    def thread_bytes(self) -> int:
        return thread_bytes(self._assemble(self.ptx, REFERENCE_LEVEL))

    @cached_property
    def _reference_ptx(self) -> str:
        module = engine.KernelModule(self.program.ir)
        try:
            module.run(REFERENCE_PIPELINE)
            return module.ptx()
        finally:
            module.close()

    @property
    def reference(self) -> ptxas.Assembled:
        return self._assemble(self._reference_ptx, REFERENCE_LEVEL)

    def nvcc_cubin(self) -> bytes:
        if not self.program.nvcc:
            raise InvalidInput(
                f"The program of {self.program.kernel} has no code of nvcc.",
                field="observation_space",
                value="nvcc_cubin",
                remedy="Take a kernel of gpu-kernels-v1, or compare with reference_cubin.",
            )
        return self.program.nvcc

    def timed(self) -> dict[str, Any]:  # actions without an effect keep the times
        if self._timing is None:
            try:
                self._timing = device_jobs.run(self.job())
            except UnsteadyDevice as error:  # the episode goes on
                raise DeviceUnavailable(str(error)) from error
        return self._timing

    def job(self) -> dict[str, Any]:
        return device_jobs.job(self.program.kernel, self.program.case(programs.TIMED), self.assembled.cubin)

    def verify(self) -> str:
        return self.module.problem()

    def run_program(self, arguments: Sequence[str], stdin: bytes) -> tuple[bytes, int]:
        # On the CPU; `arguments` names a case. A line for each output, and 0; or what the kernel did wrong,
        # and 1.
        del stdin
        if len(arguments) != 1:
            raise InvalidInput(
                f"A kernel's workload has one argument, the name of a case, and not {len(arguments)}."
            )
        emulated = emulation.Emulated(self.module.text(), self.program.kernel)
        try:
            return emulation.output_text(emulated.outputs(self.program.case(arguments[0]))).encode(), 0
        except emulation.WrongAccess as error:
            return f"{error}\n".encode(), 1
        finally:
            emulated.close()

    def close(self) -> None:
        self.module.close()

    def _record_change(self, level: int) -> bool:
        bitcode = self.module.bitcode()
        is_new = bitcode != self._bitcode
        changed = is_new or level != self.level
        self._bitcode, self.level = bitcode, level
        if is_new:
            self.__dict__.pop("ptx", None)
        if changed:
            self._timing = None
        count = self.module.instruction_count()
        if count > self._max_instructions:
            raise SessionLimitExceeded(
                f"The kernel has {count} instructions; it may grow to {self._max_instructions}."
            )
        return changed


class KernelPassesSession(KernelSession):
    """A session whose actions are single passes, and the level of ptxas."""

    action_spaces: ClassVar[list[ActionSpace]] = [named_actions(PASSES.name, PASSES.names)]

    def apply_action(self, action: Event) -> tuple[bool, ActionSpace | None, bool]:
        number, level = action.int64_value, self.level
        if number < len(PIPELINES):
            self.module.run(PIPELINES[number])
        else:
            level = number - len(PIPELINES)
        return False, None, not self._record_change(level)


class KernelLevelsSession(KernelSession):
    """A session whose actions are whole levels: each compiles the kernel as it was given."""

    action_spaces: ClassVar[list[ActionSpace]] = [named_actions(LEVEL_ACTIONS.name, LEVEL_ACTIONS.names)]

    def __init__(self, working_directory: Path, action_space: ActionSpace, benchmark: Benchmark) -> None:
        super().__init__(working_directory, action_space, benchmark)
        self.level = 0  # as the action -O0 leaves it

    def apply_action(self, action: Event) -> tuple[bool, ActionSpace | None, bool]:
        level = action.int64_value
        module = engine.KernelModule(self.program.ir)
        if LEVEL_PIPELINES[level]:
            module.run(LEVEL_PIPELINES[level])
        self.module.close()
        self.module = module
        return False, None, not self._record_change(level)


_HEX_DIGITS: Final = 64
_MEASURED: Final = {"deterministic": False, "platform_dependent": True}


def _single(name: str) -> Observed[KernelSession]:
    # Two of the static features need less than all of them.
    if name == "ir_instructions":
        return count(name, lambda session: session.module.instruction_count())
    if name == "thread_bytes":
        return count(name, KernelSession.thread_bytes)
    return count(name, lambda session: session.features.values[name])


_SPACES: Final[tuple[Observed[KernelSession], ...]] = (
    real("runtime", lambda session: session.timed()["cold"]["median_seconds"], **_MEASURED),
    counts("features", lambda session: list(session.features.values.values()), len(NAMES)),
    *map(_single, NAMES),
    real("occupancy", lambda session: session.features.occupancy, high=1.0),
    count("thread_bytesO3", lambda session: thread_bytes(session.reference)),
    count("ptxas_level", lambda session: session.level, high=3),
    text("ir", KernelSession.ir),
    text("ptx", lambda session: session.ptx),
    text("sass", lambda session: disassemble(session.assembled.cubin)),
    octets("cubin", lambda session: session.assembled.cubin),
    octets("reference_cubin", lambda session: session.reference.cubin),
    octets("nvcc_cubin", KernelSession.nvcc_cubin),
    text("timing", lambda session: json.dumps(session.timed()), **_MEASURED),
    text("counters", lambda session: json.dumps(device_jobs.counters(session.job())), **_MEASURED),
    text(
        "hardware_counters",
        lambda session: json.dumps(device_jobs.hardware_counters(session.job())),
        **_MEASURED,
    ),
    text("summary", lambda session: session.features.summary),
    text("digest", KernelSession.digest, length=_HEX_DIGITS),
)
_OBSERVED: Final = {one.name: one for one in _SPACES}
KernelSession.observation_spaces = [one.message for one in _SPACES]
