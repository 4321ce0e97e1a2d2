"""Builds the dataset gpu-kernels-v0: ``python -m optarena.gpu_kernels.build_dataset [--check] [FOLDER]``.

clang makes NVPTX IR of each kernel, as ``-O3`` would begin with it but without any pass. The kernel is
executed on the CPU and compared with its reference in numpy; what it computed is then the expected output of
its workloads. ``--check`` writes nothing, and fails if the dataset is not what a build gives. It needs clang
22.1.8 (``pip install 'optarena[build,gpu-compile]'``) and takes about two minutes.
"""

from __future__ import annotations

import argparse
import filecmp
import json
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from optarena.datasets import DatasetProgram, Workload, write_manifest
from optarena.gpu_kernels import emulation, engine, pinned, programs, ptxas, references
from optarena.gpu_kernels.actions import PIPELINES, REFERENCE_LEVEL, REFERENCE_PIPELINE
from optarena.gpu_kernels.features import thread_bytes
from optarena.gpu_kernels.kernel_cases import KERNELS

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE: Final = Path(__file__).parent
FOLDER: Final = HERE / "datasets/gpu-kernels-v0"
FRONT_END: Final = (
    "-x", "cuda", "--cuda-device-only", f"--cuda-gpu-arch={pinned.ARCHITECTURE}", "-nocudainc", "-nocudalib",
    "-fdeclspec", "-std=c++17", "-fno-exceptions", "-Wno-unknown-cuda-version", "-Werror",
    "-O3", "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "-o", "-",
)  # fmt: skip
"""At -O1 the front end would forbid to unroll any loop."""
PREPARED: Final = "always-inline,globaldce"
"""What is always run: clang's own wrappers of thread numbers are functions."""
SEQUENCES: Final = 24
LENGTHS: Final = (3, 40)
SEED: Final = 23


def front_end(source: Path, clang: Path) -> str:
    """The NVPTX IR of a kernel in CUDA C, without any optimisation.

    Raises:
        RuntimeError: clang refuses it; has its messages.
    """
    done = subprocess.run(  # noqa: S603 # the pinned compiler on our own file
        [str(clang), *FRONT_END, source.name], cwd=source.parent, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"clang refuses {source.name}: {done.stderr}")
    module = engine.KernelModule(done.stdout)
    module.run(PREPARED)
    return module.text()


def program_text(name: str, ir: str) -> str:
    """The program of a kernel: its launches, then its IR."""
    described = KERNELS[name]
    cases = dict(
        zip(("odd", "even", programs.TIMED), (described.case(*one) for one in described.sizes), strict=True)
    )
    header = json.dumps({"kernel": name.replace("-", "_"), "cases": cases}, separators=(",", ":"))
    return f"{programs.PREFIX}{header}\n{ir}"


def workloads(program: programs.KernelProgram) -> Iterator[Workload]:
    """The workloads of a kernel, each compared with its reference.

    Raises:
        RuntimeError: The kernel does not compute what the reference does.
    """
    emulated = emulation.Emulated(program.ir, program.kernel)
    for name, case in program.cases.items():
        if name == programs.TIMED:
            continue
        outputs = emulated.outputs(case)
        kinds = [one.is_integer for one in case.arguments if one.kind == "output"]
        values = [
            np.frombuffer(one, np.int32 if whole else np.float32)
            for one, whole in zip(outputs, kinds, strict=True)
        ]
        problem = references.difference(program.kernel, values, references.expected(program.kernel, case))
        if problem:
            raise RuntimeError(f"{program.kernel}, case {name}: {problem}")
        yield Workload(name=name, args=(name,), expected_stdout=emulation.told(outputs).encode())


def reaction(program: programs.KernelProgram) -> int:
    """The number of different machine codes after some random sequences of passes."""
    drawn = random.Random(f"{SEED} {program.kernel}")  # noqa: S311 # nothing secret
    found = set()
    for _ in range(SEQUENCES):
        module = engine.KernelModule(program.ir)
        for _ in range(drawn.randint(*LENGTHS)):
            module.run(drawn.choice(PIPELINES))
        found.add(ptxas.assemble(module.ptx(), program.kernel, REFERENCE_LEVEL).cubin)
        module.close()
    return len(found)


def cost(program: programs.KernelProgram, pipeline: str) -> int:
    """The cost of a kernel after a pipeline."""
    module = engine.KernelModule(program.ir)
    if pipeline:
        module.run(pipeline)
    return thread_bytes(ptxas.assemble(module.ptx(), program.kernel, REFERENCE_LEVEL))


def described(name: str, program: programs.KernelProgram) -> DatasetProgram:
    """The manifest's entry of a kernel."""
    about, codes = KERNELS[name], reaction(program)
    return DatasetProgram(
        file=f"{name}.ll",
        title=about.title,
        description=f"{about.title}. After {SEQUENCES} random sequences of passes, ptxas makes {codes} "
        "different machine codes of it.",
        domain=about.domain,
        language="CUDA C",
        baselines={"thread_bytes": {"O0": cost(program, ""), "O3": cost(program, REFERENCE_PIPELINE)}},
        workloads=tuple(workloads(program)),
        source={"files": [f"{name}.cu"], "reaction": {"sequences": SEQUENCES, "codes": codes}},
        split=about.split,
        tags=("reacts-strongly" if codes > SEQUENCES // 2 else "reacts-weakly",),
    )


def build(folder: Path, clang: Path) -> None:
    """Write the programs and their manifest."""
    folder.mkdir(parents=True, exist_ok=True)
    entries = []
    for name in KERNELS:
        text = program_text(name, front_end(HERE / f"kernels/{name}.cu", clang))
        (folder / f"{name}.ll").write_text(text, encoding="utf-8")
        entries.append(described(name, programs.parse(text.encode())))
    write_manifest(
        folder,
        title="GPU kernels",
        description="Kernels in CUDA C for NVIDIA GPUs of compute capability 9, as NVPTX IR, with launches, "
        "inputs by seed and references.",
        licence="MIT",
        programs=entries,
        toolchain={"front_end": "clang 22.1.8", "flags": list(FRONT_END), "compiler": pinned.COMPILER},
    )


def differences(one: Path, other: Path) -> list[str]:
    """The files in which two folders differ."""
    names = sorted({path.name for folder in (one, other) for path in folder.iterdir()})
    _, differing, missing = filecmp.cmpfiles(one, other, names, shallow=False)
    return sorted([*differing, *missing])


def main() -> None:
    """Build or check."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER, help="the dataset's folder")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the dataset differs")
    options = parser.parse_args()
    clang = Path(sys.prefix, "bin", "clang-22")
    if not clang.exists():
        found = shutil.which("clang-22")
        if found is None:
            parser.error("clang-22 is missing. Install it: pip install 'optarena[build,gpu-compile]'")
        clang = Path(found)
    if not options.check:
        build(options.folder, clang)
        return
    with tempfile.TemporaryDirectory() as place:
        build(Path(place) / options.folder.name, clang)
        if problems := differences(options.folder, Path(place) / options.folder.name):
            raise SystemExit(f"{options.folder} differs from a build in {', '.join(problems)}.")


if __name__ == "__main__":
    main()
