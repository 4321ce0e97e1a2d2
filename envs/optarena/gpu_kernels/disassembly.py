"""The text of machine code, by NVIDIA's nvdisasm: a program of its own, which starts for about a second."""

from __future__ import annotations

import subprocess
import tempfile
from functools import cache
from typing import TYPE_CHECKING, Final

from optarena.cuda.missing import is_sandboxed
from optarena.cuda.packages import find_packaged
from optarena.errors import InvalidInput, ServiceError, ToolMissing
from optarena.gpu_kernels.ptxas import EXTRA

if TYPE_CHECKING:
    from pathlib import Path

DISTRIBUTION: Final = "nvidia-cuda-nvdisasm"
_SECONDS: Final = 60.0


def disassemble(cubin: bytes) -> str:
    if is_sandboxed():
        raise InvalidInput(
            "sass is not available in a confined session, which may not start nvdisasm.",
            field="observation_space",
            value="sass",
            remedy="Use an environment with sandbox=False; features and cubin work in both.",
        )
    return _run(_program(), cubin)


def _run(program: Path, cubin: bytes) -> str:
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        command = [str(program), "--print-code", file.name]
        try:
            done = subprocess.run(  # noqa: S603 # NVIDIA's program on a file of ours
                command, capture_output=True, text=True, timeout=_SECONDS, check=False
            )
        except subprocess.TimeoutExpired as error:
            raise ServiceError(f"nvdisasm did not end within {_SECONDS:g} s.") from error
    if done.returncode:
        raise ServiceError(f"nvdisasm ended with code {done.returncode}: {done.stderr[-500:]}")
    return done.stdout


@cache
def _program() -> Path:
    try:
        return find_packaged(DISTRIBUTION, "nvdisasm")
    except FileNotFoundError:
        raise ToolMissing(
            f"sass needs nvdisasm of the package {DISTRIBUTION}, which is missing.",
            field="observation_space",
            value="sass",
            remedy=f"Install it: pip install 'optarena[{EXTRA}]'.",
        ) from None
