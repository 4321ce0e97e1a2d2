"""What the GPU check runs: kernels compiled in many ways, which can travel in a file to a machine with a GPU.

Compiling needs LLVM and ptxas but no GPU, and running needs neither of them; so two machines can share the
check, as two runners share a measurement.
"""

from __future__ import annotations

import base64
import gzip
import json
import os
import random
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import optarena
from optarena.cuda.variables import STAND_IN
from optarena.errors import ServiceError
from optarena.gpu_kernels import device_jobs, programs
from optarena.gpu_kernels.actions import PIPELINES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from optarena.env import CompilerEnv

DATASET = "gpu-kernels-v0"
SEED = 23
MOST_PASSES = 40
GIVEN, BEST_LEVEL = "as given", "-O3"
IS_EMULATED = bool(os.environ.get(STAND_IN, "").strip())
"""On a stand-in, small cases and IR take the place of large ones and of machine code: to test the check."""
CASE = "odd" if IS_EMULATED else programs.TIMED


@dataclass(frozen=True)
class Forms:
    """A kernel in all forms that are checked.

    Attributes:
        name: The kernel's name in the dataset.
        launch: A job of its launch without code; see ``device_jobs.job``.
        codes: What the device loads, by the form's name.
    """

    name: str
    launch: dict[str, Any]
    codes: dict[str, bytes]

    def job(self, form: str, *, pairs: int = 0) -> dict[str, Any]:
        """A job of a form; beside -O3 if ``pairs`` are wanted."""
        reference = self.codes.get(BEST_LEVEL, self.codes[GIVEN]) if pairs else b""
        told = {"cubin": self.codes[form], "reference": reference}
        return {**self.launch, **_map(told, _text), "pairs": pairs}


def compiled(name: str, count: int) -> Forms:
    """Compile a kernel as given, at each level, and after ``count`` random sequences."""
    with optarena.make("gpu-kernels-v0", benchmark=f"{DATASET}/{name}", reward_space=None) as env:
        env.reset()
        program = programs.parse(env.benchmark.program())
        codes = dict(_variants(env, count))
    return Forms(name, device_jobs.job(program.kernel, program.case(CASE), b""), codes)


def code(env: CompilerEnv) -> bytes:
    """What the device loads."""
    if IS_EMULATED:
        return programs.parse(env.observation["ir"].encode()).ir.encode()
    return bytes(env.observation["cubin"])


def _variants(env: CompilerEnv, count: int) -> Iterator[tuple[str, bytes]]:
    uri = env.benchmark.uri
    yield GIVEN, code(env)
    with optarena.make("gpu-levels-v0", benchmark=uri, reward_space=None) as levels:
        levels.reset()
        for level in levels.action_table.names:
            levels.step(levels.action_table.names.index(level))
            yield level, code(levels)
    if not IS_EMULATED:
        yield BEST_LEVEL, bytes(env.observation["reference_cubin"])
    drawn = random.Random(f"{SEED} {uri}")  # noqa: S311 # nothing secret
    for number in range(count):
        made = code_after(
            env, [drawn.randrange(len(PIPELINES)) for _ in range(drawn.randint(3, MOST_PASSES))]
        )
        if made is not None:
            yield f"random {number}", made


def code_after(env: CompilerEnv, actions: list[int]) -> bytes | None:
    """What the device loads after some actions; None if a pass or ptxas fails."""
    env.reset()
    env.multistep(actions)
    if env.error is not None:
        return None
    try:
        return code(env)
    except ServiceError:
        return None


def write(path: Path, kernels: Sequence[Forms]) -> None:
    """Write kernels to a compressed JSON file."""
    told = [{**asdict(one), "codes": _map(one.codes, _text)} for one in kernels]
    path.write_bytes(gzip.compress(json.dumps(told).encode()))


def read(path: Path) -> list[Forms]:
    """Read kernels that ``write`` wrote.

    Raises:
        SystemExit: The file cannot be read, or is not one of these.
    """
    try:
        told = json.loads(gzip.decompress(path.read_bytes()))
        return [Forms(**{**one, "codes": _map(one["codes"], base64.b64decode)}) for one in told]
    except (OSError, EOFError, ValueError, TypeError, KeyError) as error:
        raise SystemExit(f"{path} cannot be read: {error}. Write it with --prepare {path}.") from error


def _text(code: bytes) -> str:
    return base64.b64encode(code).decode()


def _map(values: dict[str, Any], change: Callable[[Any], Any]) -> dict[str, Any]:
    return {name: change(value) for name, value in values.items()}
