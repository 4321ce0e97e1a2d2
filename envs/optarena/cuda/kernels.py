"""Kernels that no schedule produces: to clean caches, and for comparison in the report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

BLOCK: Final = 256

ELEMENTS_OF_VECTOR: Final = 4  # float32 elements of the widest access
# The value of `z[0]` after `reading_kernel` has found a vector whose elements have this sum.
FOUND: Final = 1.0
CHAINS: Final = 8  # results of a thread of `computing_kernel` that do not depend on each other
# What `computing_kernel` reads: factor, summand, and first values, which these leave as they are.
COMPUTED: Final = (0.5, 1.0, *[2.0] * CHAINS)
_FLOPS: Final = 2 * CHAINS  # of one round of a thread: a fused multiplication and addition counts two
# More than a large GPU runs at once; more operations than these threads' first ones are further rounds.
_COMPUTING_THREADS: Final = 2**19
_THREAD: Final = f"blockIdx.x * {BLOCK}u + threadIdx.x"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """A kernel as CUDA C: ``name(const float *x, const float *y, float *z)``."""

    source: str  # includes nothing
    name: str
    grid: int  # blocks
    block: int
    threads: int  # that have work; the rest of the last block returns at once
    vector: int  # elements of one access in straight-line code: 4, 2 or 1
    index_bits: Literal[32, 64]  # of the integers that number elements: 32 or 64


def reading_kernel(vectors: int) -> Kernel:
    # Reads `vectors` vectors of `x` and, if these are 0, writes nothing. No compiler can remove the reads,
    # since a vector with the sum FOUND is written to `z`.
    return _kernel(
        "read_all",
        vectors,
        "const float4 a = reinterpret_cast<const float4 *>(x)[thread];",
        f"if (a.x + a.y + a.z + a.w == {FOUND}f) *z = {FOUND}f;",
    )


def computing_kernel(flops: int) -> tuple[Kernel, int]:
    # Multiplies and adds in registers, the fastest that a GPU computes in float32 without tensor cores. `x`
    # begins with COMPUTED. The compiler cannot know that these values stay as they are, and a thread that
    # finds others writes their sum to `z`. Returned, too, is how many operations it does: at least as many as
    # wanted, and fewer than one thread does more.
    rounds = -(-flops // (_FLOPS * _COMPUTING_THREADS))
    threads = -(-flops // (_FLOPS * rounds))
    chains = range(CHAINS)
    steps = " ".join(f"c{i} = c{i} * a + b;" for i in chains)
    kernel = _kernel(
        "compute",
        threads,
        "const float a = x[0], b = x[1];",
        f"float {', '.join(f'c{i} = x[{i + 2}]' for i in chains)};",
        "#pragma unroll 16",
        f"for (unsigned round = 0; round < {rounds}u; ++round) {{ {steps} }}",
        f"const float sum = {' + '.join(f'c{i}' for i in chains)};",
        f"if (sum != {sum(COMPUTED[2:])}f) *z = sum;",
    )
    return kernel, _FLOPS * rounds * threads


def source_of(name: str, body: str) -> str:
    return (
        f'extern "C" __global__ void __launch_bounds__({BLOCK})\n'
        f"{name}(const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ z)\n"
        f"{{\n{body}\n}}\n"
    )


def _kernel(name: str, threads: int, *statements: str) -> Kernel:
    lines = (f"const unsigned thread = {_THREAD};", f"if (thread >= {threads}u) return;", *statements)
    source = source_of(name, "\n".join(f"  {line}" for line in lines))
    return Kernel(
        source=source,
        name=name,
        grid=-(-threads // BLOCK),
        block=BLOCK,
        threads=threads,
        vector=ELEMENTS_OF_VECTOR,
        index_bits=32,
    )
