"""The LLVM environment: what a program in LLVM IR offers beyond gymnasium's calls."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from optarena import limits, paths
from optarena.env import CompilerEnv
from optarena.errors import InvalidInput
from optarena.llvm.parameters import BASELINE
from optarena.suggestions import unknown_name

if TYPE_CHECKING:
    from optarena.datasets import Benchmark, Workload
    from optarena.env.session_client import SessionClient
    from optarena.llvm.making import Inputs
    from optarena.specs import EnvironmentSpec
    from optarena.state import EnvState

_NUMBER: Final = re.compile("[0-9]{1,6}")
_MAX_RUNS: Final = 10_000
_DEFINITION: Final = re.compile(r'^define [^@]*@("(?:[^"])*"|[\w.$-]+)\(', re.MULTILINE)
_INSTRUCTION: Final = re.compile(r"^  [^\s\]]")
# The attributes that session parameters of CompilerGym's clients set, with their smallest values.
_PARAMETERS: Final = {
    "llvm.set_runtimes_per_observation_count": ("runtime_observation_count", 1),
    "llvm.set_warmup_runs_count_per_runtime_observation": ("runtime_warmup_count", 0),
}


class LlvmEnv(CompilerEnv):
    """An environment whose programs are LLVM modules; see ``CompilerEnv`` for its other arguments.

    Args:
        environment: Id or spec of the environment.
        runtime_observation_count: How often the workloads are run for one observation of ``Runtime``.
        runtime_warmup_count: How often they are run before that without being timed.
    """

    def __init__(
        self,
        environment: str | EnvironmentSpec,
        *,
        runtime_observation_count: int = 1,
        runtime_warmup_count: int = 0,
        **arguments: Any,  # noqa: ANN401 # those of CompilerEnv
    ) -> None:
        counts = {
            "runtime_observation_count": _runs(runtime_observation_count, "runtime_observation_count", 1),
            "runtime_warmup_count": _runs(runtime_warmup_count, "runtime_warmup_count", 0),
        }
        super().__init__(environment, **arguments)
        self._given.update(counts)

    @property
    def runtime_observation_count(self) -> int:
        """How often the workloads are run for one observation of ``Runtime``; at least 1."""
        return int(self._given["runtime_observation_count"])

    @runtime_observation_count.setter
    def runtime_observation_count(self, value: int) -> None:
        self._assign("runtime_observation_count", value, 1)

    @property
    def runtime_warmup_count(self) -> int:
        """How often the workloads are run before they are timed."""
        return int(self._given["runtime_warmup_count"])

    @runtime_warmup_count.setter
    def runtime_warmup_count(self, value: int) -> None:
        self._assign("runtime_warmup_count", value, 0)

    def parameter(self, key: str, value: str = "", *, keep: bool = False) -> str:
        """Send a parameter, as in every environment; one that sets a number of runs sets the attribute, too.

        The attribute decides how often workloads are run, and stays. A kept parameter sets it again at every
        ``reset()``, until the attribute is assigned: then the parameter is no longer kept.
        """
        name, least = _PARAMETERS.get(key, ("", 0))
        if not name:
            return super().parameter(key, value, keep=keep)
        number = _runs(int(value) if _NUMBER.fullmatch(str(value)) else value, key, least)
        reply = super().parameter(key, value, keep=keep)
        self._set_runs(name, number, least)
        return reply

    def _send_kept(self, session: SessionClient) -> None:
        super()._send_kept(session)
        for key in _PARAMETERS.keys() & self._kept.keys():
            name, least = _PARAMETERS[key]
            self._set_runs(name, int(self._kept[key]), least)

    @property
    def state(self) -> EnvState:
        """What this episode has found so far.

        Raises:
            InvalidInput: A parameter has changed the program, so the actions alone do not lead to it.
            ResetNeeded: There was no episode yet.
        """
        sent = [value for _, key, value in self._any().parameters if key == BASELINE]
        if sent:
            raise InvalidInput(
                f"The parameter {BASELINE} has changed the program, so no command line leads to its state.",
                field=BASELINE,
                value=sent[-1],
                remedy="Start an episode without it, or read env.benchmark, env.actions and env.observation.",
            )
        return super().state

    def make_benchmark(  # noqa: PLR0913 # all but the first by name
        self,
        inputs: Inputs,
        *,
        copt: Sequence[str] = (),
        system_includes: bool = True,
        timeout: float = limits.COMPILE_SECONDS,
        name: str | None = None,
        workloads: Sequence[Workload] = (),
        record_workloads: bool = False,
        clang: str | Path | None = None,
        sandbox: bool = True,
        drop_optnone: bool = False,
    ) -> Benchmark:
        """Make a benchmark from C or C++ sources, LLVM IR, or a compiler's command line, on this machine.

        The environment does not select it: pass it to ``reset()``. Arguments, result and errors are those of
        ``optarena.llvm.make_benchmark``.
        """
        # Imported late: an environment with a remote service also works where LLVM does not.
        from optarena.llvm.making import make_benchmark  # noqa: PLC0415 # needs LLVM

        return make_benchmark(
            inputs,
            copt=copt,
            system_includes=system_includes,
            timeout=timeout,
            name=name,
            workloads=workloads,
            record_workloads=record_workloads,
            clang=clang,
            sandbox=sandbox,
            drop_optnone=drop_optnone,
        )

    @property
    def ir(self) -> str:
        """The module as text."""
        return str(self.observe("Ir"))

    def write_ir(self, path: Path | str) -> Path:
        """Write the module as text (``.ll``) and return the path."""
        target = Path(path)
        with paths.naming(target):
            target.write_text(self.ir, encoding="utf-8")
        return target

    def write_bitcode(self, path: Path | str) -> Path:
        """Write the module as bitcode (``.bc``) and return the path."""
        target = Path(path)
        with paths.naming(target):
            target.write_bytes(self.observe("Bitcode"))
        return target

    def instruction_counts(self, level: str = "") -> dict[str, dict[str, int]]:
        """The number of instructions by ``function`` and by ``kind of instruction``, each by name.

        Args:
            level: For the program as given at this level, such as ``O2`` or ``Oz``; else the present state.
        """
        if level:
            with self._twin(_episode=None) as twin:
                twin.reset(options={"benchmark": self.benchmark})
                twin.parameter(BASELINE, f"-{level}")
                return twin.instruction_counts()
        counts = self.observe("InstCountDict")
        kinds = {
            name.removesuffix("Count").lower(): int(count)
            for name, count in counts.items()
            if not name.startswith("Total")
        }
        return {"function": _sizes(self.ir), "kind of instruction": kinds}

    def text_of_function(self, name: str, text: str = "") -> str:
        """One function of the module, as text.

        Args:
            name: Its name, without ``@``.
            text: The module's text; the present one if empty.

        Raises:
            UnknownName: The module does not define it; the message names similar ones.
        """
        text = text or self.ir
        heads = {head[1].strip('"'): head.start() for head in _DEFINITION.finditer(text)}
        if name not in heads:
            raise unknown_name("function", name, list(heads))
        begin = heads[name]
        return text[begin : text.index("\n}", begin) + 2]

    def _assign(self, name: str, value: int, least: int) -> None:
        self._set_runs(name, value, least)
        replaced = {key for key, (sets, _) in _PARAMETERS.items() if sets == name}
        self._kept = {key: kept for key, kept in self._kept.items() if key not in replaced}

    def _set_runs(self, name: str, value: int, least: int) -> None:
        # A forked environment shares the old dict.
        self._given = {**self._given, name: _runs(value, name, least)}

    def _program_text(self) -> str:
        return self.ir


def _runs(value: object, name: str, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= _MAX_RUNS:
        remedy = f"Give an integer from {least} to {_MAX_RUNS}."
        raise InvalidInput(f"{name} is {value!r:.100}.", field=name, value=value, remedy=remedy)
    return value


def _sizes(text: str) -> dict[str, int]:
    # Instructions of each function in LLVM's text, where each has a line with an indentation of two.
    sizes: dict[str, int] = {}
    name = ""
    for line in text.splitlines():
        if head := _DEFINITION.match(line):
            name = head[1].strip('"')
            sizes[name] = 0
        elif line == "}":
            name = ""
        elif name and _INSTRUCTION.match(line):
            sizes[name] += 1
    return sizes
