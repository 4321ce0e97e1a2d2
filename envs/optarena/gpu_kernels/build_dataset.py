"""Builds the dataset gpu-kernels-v1: ``python -m optarena.gpu_kernels.build_dataset [--check] [FOLDER]``.

clang makes NVPTX IR of each kernel, as ``-O3`` would begin with it but without any pass. The kernel is
executed on the CPU and compared with its reference in numpy; what it computed is then the expected output of
its workloads. At its end each program has the machine code that NVIDIA's nvcc makes of the same source.
``--check`` writes nothing, and fails if the dataset is not what a build gives. It needs clang 22.1.8 and nvcc
(``pip install 'optarena[build,gpu-compile]'``) and a C++ compiler for nvcc, and takes about two minutes.
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
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from optarena.datasets import DatasetProgram, Workload, write_manifest
from optarena.gpu_kernels import emulation, engine, pinned, programs, ptxas, references
from optarena.gpu_kernels.actions import PIPELINES, REFERENCE_LEVEL, REFERENCE_PIPELINE
from optarena.gpu_kernels.features import classes, thread_bytes

TILE: Final = 64


@dataclass(frozen=True, slots=True)
class KernelEntry:
    title: str
    domain: str
    case: Callable[..., dict[str, Any]]
    sizes: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]  # of the cases odd, even and timed
    split: str = "train"


def _floats(count: int, seed: int) -> dict[str, Any]:
    return {"kind": "f32", "count": count, "seed": seed}


def _integers(count: int, seed: int, below: int, kind: str = "i32") -> dict[str, Any]:
    return {"kind": kind, "count": count, "seed": seed, "below": below}


def _output(count: int, *, integers: bool = False) -> dict[str, Any]:
    return {"kind": "output", "count": count, "integers": integers}


def _int(value: int) -> dict[str, Any]:
    return {"kind": "int", "value": value}


def _launch(
    grid: tuple[int, int], block: tuple[int, int], arguments: list[dict[str, Any]], *, moved: int, flops: int
) -> dict[str, Any]:
    return {
        "grid": list(grid),
        "block": list(block),
        "arguments": arguments,
        "bytes": 4 * moved,
        "flops": flops,
    }


def _up(value: int, unit: int) -> int:
    return -(-value // unit)


def _vector_add(n: int) -> dict[str, Any]:
    given = [_floats(n, 1), _floats(n, 2), _output(n), _int(n)]
    return _launch((min(_up(n, 256), 1056), 1), (256, 1), given, moved=3 * n, flops=n)


def _matrix_product(rows: int, columns: int, inner: int) -> dict[str, Any]:
    given = [_floats(rows * inner, 1), _floats(inner * columns, 2), _output(rows * columns)]
    given += [_int(rows), _int(columns), _int(inner)]
    moved = rows * inner + inner * columns + rows * columns
    grid = _up(columns, TILE), _up(rows, TILE)
    return _launch(grid, (16, 16), given, moved=moved, flops=2 * rows * columns * inner)


def _stencil(width: int, height: int) -> dict[str, Any]:
    n = width * height
    given = [_floats(n, 1), _floats(9, 2), _output(n), _int(width), _int(height)]
    return _launch((_up(width, 32), _up(height, 8)), (32, 8), given, moved=2 * n + 9, flops=18 * n)


def _reduction(n: int, blocks: int) -> dict[str, Any]:
    given = [_floats(n, 1), _output(blocks), _int(n), _int(blocks)]
    return _launch((blocks, 1), (256, 1), given, moved=n + blocks, flops=n)


def _softmax(rows: int, columns: int) -> dict[str, Any]:
    n = rows * columns
    return _launch((rows, 1), (128, 1), [_floats(n, 1), _output(n), _int(columns)], moved=2 * n, flops=35 * n)


def _transpose(rows: int, columns: int) -> dict[str, Any]:
    n = rows * columns
    given = [_floats(n, 1), _output(n), _int(rows), _int(columns)]
    return _launch((_up(columns, 32), _up(rows, 32)), (32, 8), given, moved=2 * n, flops=0)


def _sparse_rows(rows: int, columns: int, longest: int) -> dict[str, Any]:
    # Rows have up to `longest` - 1 elements; the arrays have room for all.
    room = rows * longest
    given = [
        _integers(rows + 1, 1, longest, "offsets"),
        _integers(room, 2, columns),
        _floats(room, 3),
        _floats(columns, 4),
        _output(rows),
        _int(rows),
    ]
    elements = rows * (longest - 1) // 2
    return _launch((_up(rows, 128), 1), (128, 1), given, moved=2 * elements + 2 * rows, flops=2 * elements)


def _n_body(n: int) -> dict[str, Any]:
    given = [_floats(4 * n, 1), _output(3 * n), _int(n)]
    return _launch((_up(n, 128), 1), (128, 1), given, moved=7 * n, flops=20 * n * n)


def _histogram(n: int, blocks: int) -> dict[str, Any]:
    given = [_integers(n, 1, 64), _output(64, integers=True), _int(n)]
    return _launch((blocks, 1), (256, 1), given, moved=n + 64, flops=0)


def _scan(n: int) -> dict[str, Any]:
    return _launch((_up(n, 512), 1), (256, 1), [_floats(n, 1), _output(n), _int(n)], moved=2 * n, flops=2 * n)


def _small_inverses(n: int) -> dict[str, Any]:
    given = [_floats(36 * n, 1), _output(36 * n), _int(n)]
    return _launch((_up(n, 128), 1), (128, 1), given, moved=72 * n, flops=6 * (12 + 5 * 24) * n)


def _escape_time(n: int, limit: int) -> dict[str, Any]:
    given = [_floats(n, 1), _floats(n, 2), _output(n, integers=True), _int(n), _int(limit)]
    # Data decide how many steps a pixel takes, of ten operations each.
    c, d = (references.draw_numpy(programs.Argument(kind="f32", count=n, seed=seed)) for seed in (1, 2))
    [steps] = references.escape_time(c, d, None, n, limit)
    return _launch((_up(n, 128), 1), (128, 1), given, moved=3 * n, flops=10 * int(steps.sum()))


def _filter(n: int) -> dict[str, Any]:
    given = [_floats(n, 1), _floats(24, 2), _output(n), _int(n)]
    return _launch((_up(n, 8 * 128), 1), (128, 1), given, moved=2 * n + 24, flops=48 * n)


def _convolution(width: int, height: int) -> dict[str, Any]:
    n = width * height
    given = [_floats(n, 1), _floats(49, 2), _output(n), _int(width), _int(height)]
    return _launch((_up(width, 32), _up(height, 32)), (32, 8), given, moved=2 * n + 49, flops=98 * n)


def _small_products(n: int, blocks: int) -> dict[str, Any]:
    size = 256 * n
    given = [_floats(size, 1), _floats(size, 2), _output(size), _int(n)]
    return _launch((blocks, 1), (16, 4), given, moved=3 * size, flops=32 * size)


IMAGES: Final = "image-processing"
LINEAR_ALGEBRA: Final = "linear-algebra"
REDUCTIONS: Final = "reductions"
SIMULATION: Final = "simulation"
KERNELS: Final[Mapping[str, KernelEntry]] = {
    "vector-add": KernelEntry(
        "Sum of two vectors", LINEAR_ALGEBRA, _vector_add, ((1021,), (2048,), (2**25,)),
    ),
    "matrix-product": KernelEntry(
        "Product of two matrices, blocked for registers", LINEAR_ALGEBRA, _matrix_product,
        ((50, 70, 37), (64, 64, 32), (2048, 2048, 2048)),
    ),
    "stencil": KernelEntry(
        "Weighted sum of a neighbourhood of 3 x 3", IMAGES, _stencil,
        ((45, 33), (64, 16), (8192, 4096)),
    ),
    "reduction": KernelEntry(
        "Sums of a vector in shared memory", REDUCTIONS, _reduction,
        ((4999, 5), (2048, 2), (2**26, 1056)), "validation",
    ),
    "softmax": KernelEntry(
        "Softmax of the rows of a matrix", "machine-learning", _softmax,
        ((5, 301), (4, 256), (16384, 2048)), "test",
    ),
    "transpose": KernelEntry(
        "Transpose of a matrix by tiles", LINEAR_ALGEBRA, _transpose, ((45, 70), (64, 64), (8192, 4096)),
    ),
    "sparse-rows": KernelEntry(
        "Product of a sparse matrix and a vector", LINEAR_ALGEBRA, _sparse_rows,
        ((301, 203, 9), (256, 256, 17), (2**20, 2**18, 33)),
    ),
    "n-body": KernelEntry(
        "Accelerations of bodies by gravity", SIMULATION, _n_body, ((203,), (256,), (16384,)), "validation",
    ),
    "histogram": KernelEntry(
        "Histogram in bins of each block", "counting", _histogram, ((4999, 3), (2048, 2), (2**26, 1056)),
    ),
    "scan": KernelEntry("Running sums of blocks", REDUCTIONS, _scan, ((1300,), (1024,), (2**25,))),
    "small-inverses": KernelEntry(
        "Inverses of small matrices, with many registers", LINEAR_ALGEBRA, _small_inverses,
        ((201,), (128,), (2**20,)),
    ),
    "escape-time": KernelEntry(
        "Steps until a sequence leaves a circle", SIMULATION, _escape_time,
        ((1001, 40), (512, 64), (2**22, 256)), "test",
    ),
    "filter": KernelEntry(
        "Filter of 24 taps with a window in registers", "signal-processing", _filter,
        ((5003,), (2048,), (2**25,)),
    ),
    "convolution": KernelEntry(
        "Convolution of 7 x 7 with its halo in shared memory", IMAGES, _convolution,
        ((45, 70), (64, 32), (8192, 4096)), "test",
    ),
    "small-products": KernelEntry(
        "Products of many small matrices", LINEAR_ALGEBRA, _small_products,
        ((13, 3), (8, 2), (2**17, 2112)), "validation",
    ),
}  # fmt: skip


HERE: Final = Path(__file__).parent
FOLDER: Final = HERE / "datasets/gpu-kernels-v1"
# At -O1 the front end would forbid to unroll any loop.
FRONT_END: Final = (
    "-x", "cuda", "--cuda-device-only", f"--cuda-gpu-arch={pinned.ARCHITECTURE}", "-nocudainc", "-nocudalib",
    "-fdeclspec", "-std=c++17", "-fno-exceptions", "-Wno-unknown-cuda-version", "-Werror",
    "-O3", "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "-o", "-",
)  # fmt: skip
NVCC_FLAGS: Final = ("-O3", f"-arch={pinned.ARCHITECTURE}", "-cubin", "-Xptxas", "-v")
NVCC_LEVEL: Final = "NvccO3"
# Always run: clang's own wrappers of thread numbers are functions.
PREPARED: Final = "always-inline,globaldce"
SEQUENCES: Final = 24
LENGTHS: Final = (3, 40)
SEED: Final = 23


def front_end(source: Path, clang: Path) -> str:  # without any optimisation
    done = subprocess.run(  # noqa: S603 # the pinned compiler on our own file
        [str(clang), *FRONT_END, source.name], cwd=source.parent, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"clang refuses {source.name}: {done.stderr}")
    module = engine.KernelModule(done.stdout)
    module.run(PREPARED)
    return module.text()


def nvcc_code(source: Path) -> ptxas.Assembled:
    nvcc = ptxas.pinned_program("nvcc", "nvidia-nvvm", "nvidia-cuda-crt")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        shutil.copy(source, folder)
        (folder / "cuda.h").touch()  # nvcc has all that ours declares
        done = subprocess.run(  # noqa: S603 # the pinned compiler on our own file
            [str(nvcc), *NVCC_FLAGS, source.name, "-o", "code"],
            cwd=folder, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            raise RuntimeError(f"nvcc refuses {source.name}: {done.stderr}")
        return ptxas.read_usage(done.stderr, kernel_name(source.stem), (folder / "code").read_bytes())


def kernel_name(name: str) -> str:
    return name.replace("-", "_")


def program_text(name: str, ir: str, nvcc: bytes = b"") -> str:
    described = KERNELS[name]
    cases = dict(
        zip(("odd", "even", programs.TIMED), (described.case(*one) for one in described.sizes), strict=True)
    )
    header = json.dumps({"kernel": kernel_name(name), "cases": cases}, separators=(",", ":"))
    return f"{programs.PREFIX}{header}\n{ir}{programs.nvcc_line(nvcc) if nvcc else ''}"


def workloads(program: programs.KernelProgram) -> Iterator[Workload]:
    # Each is compared with its reference.
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
        yield Workload(name=name, args=(name,), expected_stdout=emulation.output_text(outputs).encode())


def reaction(program: programs.KernelProgram) -> int:
    # The number of different machine codes after some random sequences of passes.
    drawn = random.Random(f"{SEED} {program.kernel}")  # noqa: S311 # nothing secret
    found = set()
    for _ in range(SEQUENCES):
        module = engine.KernelModule(program.ir)
        for _ in range(drawn.randint(*LENGTHS)):
            module.run(drawn.choice(PIPELINES))
        found.add(ptxas.assemble(module.ptx(), program.kernel, REFERENCE_LEVEL).cubin)
        module.close()
    return len(found)


def assembled(program: programs.KernelProgram, pipeline: str) -> ptxas.Assembled:
    module = engine.KernelModule(program.ir)
    if pipeline:
        module.run(pipeline)
    return ptxas.assemble(module.ptx(), program.kernel, REFERENCE_LEVEL)


def work(case: programs.Case) -> str:  # where it is on a roofline
    moved, done = case.moved_bytes, "no operation of floats"
    if case.flops:
        done = f"{case.flops / 1e6:,.0f} million operations of floats, {case.flops / moved:,.2f} a byte"
    return f"A launch that is timed must move {moved / 1e6:,.1f} MB and does {done}."


def described(name: str, program: programs.KernelProgram, nvcc: ptxas.Assembled) -> DatasetProgram:
    about, codes = KERNELS[name], reaction(program)
    levels = {"O0": assembled(program, ""), "O3": assembled(program, REFERENCE_PIPELINE), NVCC_LEVEL: nvcc}
    counted: dict[str, Callable[[ptxas.Assembled], int]] = {
        "thread_bytes": thread_bytes,
        "registers": lambda code: code.registers,
        "sass_instructions": lambda code: sum(classes(code.cubin).values()),
    }
    return DatasetProgram(
        file=f"{name}.ll",
        title=about.title,
        description=f"{about.title}. After {SEQUENCES} random sequences of passes, ptxas makes {codes} "
        f"different machine codes of it. {work(program.case(programs.TIMED))}",
        domain=about.domain,
        language="CUDA C",
        baselines={
            metric: {level: count(code) for level, code in levels.items()}
            for metric, count in counted.items()
        },
        workloads=tuple(workloads(program)),
        source={"files": [f"{name}.cu"], "reaction": {"sequences": SEQUENCES, "codes": codes}},
        split=about.split,
        tags=("reacts-strongly" if codes > SEQUENCES // 2 else "reacts-weakly",),
    )


def build(folder: Path, clang: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    entries = []
    for name in KERNELS:
        source = HERE / f"kernels/{name}.cu"
        nvcc = nvcc_code(source)
        text = program_text(name, front_end(source, clang), nvcc.cubin)
        (folder / f"{name}.ll").write_text(text, encoding="utf-8")
        entries.append(described(name, programs.parse(text.encode()), nvcc))
    write_manifest(
        folder,
        title="GPU kernels",
        description="Kernels in CUDA C for NVIDIA GPUs of compute capability 9, as NVPTX IR, with launches, "
        "inputs by seed and references, and the code that NVIDIA's nvcc makes of them.",
        licence="MIT",
        programs=entries,
        toolchain={
            "front_end": "clang 22.1.8",
            "flags": list(FRONT_END),
            "compiler": pinned.COMPILER,
            "nvcc": f"nvcc {pinned.CUDA} {' '.join(NVCC_FLAGS)}",
        },
    )


def differences(one: Path, other: Path) -> list[str]:
    names = sorted({path.name for folder in (one, other) for path in folder.iterdir()})
    _, differing, missing = filecmp.cmpfiles(one, other, names, shallow=False)
    return sorted([*differing, *missing])


def main() -> None:
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
