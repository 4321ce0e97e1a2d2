"""What each kernel of gpu-kernels-v0 must compute, in numpy and in float64: written apart from the kernels.

A reference gets the arguments of a launch in their order, arrays and numbers, and returns the outputs in
their order. None stands for an output among the arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from optarena.errors import UnknownName
from optarena.gpu_kernels import inputs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optarena.gpu_kernels.programs import Argument, Case

Array: TypeAlias = "NDArray[Any]"
Reference = Callable[..., "list[Array]"]
RELATIVE: Final = 2e-5
"""Of the largest number of an output: float32 has 24 bits, and sums of thousands lose a few."""
DIFFERING: Final = {"escape_time": 0.01}
"""The share of elements that may differ, where rounding decides about whole numbers: 0 for other kernels."""
_PAIRS: Final = 2**24
_INTEGERS: Final = 2**31


def expected(kernel: str, case: Case) -> list[Array]:
    """The outputs of a launch.

    Raises:
        UnknownName: There is no reference for this kernel.
    """
    return list(_reference(kernel)(*(given(one) for one in case.arguments)))


def given(argument: Argument) -> Array | int | None:
    """An argument: an array, a number, or None for an output."""
    if argument.kind == "int":
        return argument.value
    return None if argument.kind == "output" else drawn(argument)


def difference(kernel: str, outputs: Sequence[Array], wanted: Sequence[Array]) -> str:
    """What is wrong with outputs; empty if nothing."""
    for number, (one, other) in enumerate(zip(outputs, wanted, strict=True)):
        bound = RELATIVE * max(float(np.abs(other).max()), 1e-30) if other.dtype.kind == "f" else 0.0
        wrong = ~(np.abs(one.astype(np.float64) - other) <= bound)  # also what is not a number
        # A kernel that never writes an element of whole numbers leaves the 0 that was there: never rounding.
        unwritten = wrong & (one == 0) if other.dtype.kind != "f" else False
        if wrong.sum() > DIFFERING.get(kernel, 0.0) * wrong.size or np.any(unwritten):
            first = int(np.flatnonzero(wrong)[0])
            return (
                f"{int(wrong.sum())} of {wrong.size} elements of output {number} are wrong; the first is "
                f"element {first}: {one.flat[first]!r} instead of {other.flat[first]!r}"
            )
    return ""


def drawn(argument: Argument) -> Array:
    """The elements of a random array: those of ``inputs.drawn``."""
    first = (argument.seed << inputs.SEED_SHIFT) + 1
    with np.errstate(over="ignore"):
        value = (np.arange(argument.count, dtype=np.uint64) + np.uint64(first)) * np.uint64(inputs.STEP)
        for shift, factor in zip(inputs.SHIFTS, inputs.FACTORS, strict=False):
            value = (value ^ value >> np.uint64(shift)) * np.uint64(factor)
    value ^= value >> np.uint64(inputs.SHIFTS[-1])
    if argument.kind == "f32":
        return ((value >> np.uint64(inputs.FLOAT_SHIFT)) * inputs.FLOAT_SCALE - 1.0).astype(np.float32)
    whole = ((value >> np.uint64(inputs.INTEGER_SHIFT)) % np.uint64(argument.below)).astype(np.int64)
    if argument.kind == "offsets":
        whole = np.concatenate([[0], np.cumsum(whole[:-1])])
    return whole.astype(np.int32)


def _wide(values: NDArray[Any]) -> NDArray[np.float64]:
    return values.astype(np.float64)


def _vector_add(a: Array, b: Array, _: None, n: int) -> list[Array]:
    del n
    return [_wide(a) + _wide(b)]


def _matrix_product(a: Array, b: Array, _: None, rows: int, columns: int, inner: int) -> list[Array]:
    return [(_wide(a).reshape(rows, inner) @ _wide(b).reshape(inner, columns)).ravel()]


def _stencil(image: Array, weights: Array, _: None, width: int, height: int) -> list[Array]:
    padded = np.pad(_wide(image).reshape(height, width), 1, mode="edge")
    total = np.zeros((height, width))
    for dy in range(3):
        for dx in range(3):
            total += float(weights[3 * dy + dx]) * padded[dy : dy + height, dx : dx + width]
    return [total.ravel()]


def _reduction(values: Array, _: None, n: int, blocks: int) -> list[Array]:
    threads = 256
    padded = np.zeros(-(-n // (blocks * threads)) * blocks * threads)
    padded[:n] = values
    return [padded.reshape(-1, blocks, threads).sum(axis=(0, 2))]


def _softmax(rows: Array, _: None, columns: int) -> list[Array]:
    table = _wide(rows).reshape(-1, columns)
    powers = np.exp(table - table.max(axis=1, keepdims=True))
    return [(powers / powers.sum(axis=1, keepdims=True)).ravel()]


def _transpose(matrix: Array, _: None, rows: int, columns: int) -> list[Array]:
    return [_wide(matrix).reshape(rows, columns).T.ravel()]


def _sparse_rows(*given: Array) -> list[Array]:
    starts, columns, values, vector, _, rows = given
    sums = np.concatenate([[0.0], np.cumsum(_wide(values) * _wide(vector)[columns])])
    return [sums[starts[1 : int(rows) + 1]] - sums[starts[: int(rows)]]]


def _n_body(bodies: Array, _: None, n: int) -> list[Array]:
    table = _wide(bodies).reshape(n, 4)
    places, masses = table[:, :3], table[:, 3] + 1
    result = np.empty((n, 3))
    step = max(1, _PAIRS // n)
    for start in range(0, n, step):
        apart = places[None] - places[start : start + step, None]
        square = (apart**2).sum(axis=2) + 0.01
        result[start : start + step] = ((masses / square**1.5)[..., None] * apart).sum(axis=1)
    return [result.ravel()]


def _histogram(values: Array, _: None, n: int) -> list[Array]:
    del n
    return [np.bincount(np.clip(values, 0, 63), minlength=64)]


def _scan(values: Array, _: None, n: int) -> list[Array]:
    padded = np.zeros(-(-n // 512) * 512)
    padded[:n] = values
    return [np.cumsum(padded.reshape(-1, 512), axis=1).ravel()[:n]]


def _small_inverses(matrices: Array, _: None, n: int) -> list[Array]:
    table = _wide(matrices).reshape(36, n).T.reshape(n, 6, 6) + 8 * np.eye(6)
    return [np.linalg.inv(table).reshape(n, 36).T.ravel()]


def _escape_time(reals: Array, imaginaries: Array, _: None, n: int, limit: int) -> list[Array]:
    """In float32, as the kernel: rounding decides about some of the counts."""
    c, d = np.float32(2) * reals - np.float32(0.5), np.float32(1.5) * imaginaries
    x, y, steps = np.zeros(n, np.float32), np.zeros(n, np.float32), np.zeros(n, np.int64)
    going = np.ones(n, bool)
    for _step in range(limit):
        going &= x * x + y * y < np.float32(4)
        steps += going
        following = np.where(going, x * x - y * y + c, x)
        y = np.where(going, np.float32(2) * x * y + d, y)
        x = following
    return [steps]


def _filter(signal: Array, taps: Array, _: None, n: int) -> list[Array]:
    padded = np.concatenate([_wide(signal), np.zeros(len(taps))])
    total = np.zeros(n)
    for i, tap in enumerate(taps):
        total += float(tap) * padded[i : i + n]
    return [total]


_REFERENCES: Final[dict[str, Reference]] = {
    "vector_add": _vector_add,
    "matrix_product": _matrix_product,
    "stencil": _stencil,
    "reduction": _reduction,
    "softmax": _softmax,
    "transpose": _transpose,
    "sparse_rows": _sparse_rows,
    "n_body": _n_body,
    "histogram": _histogram,
    "scan": _scan,
    "small_inverses": _small_inverses,
    "escape_time": _escape_time,
    "filter": _filter,
}


def _reference(kernel: str) -> Reference:
    if kernel not in _REFERENCES:
        raise UnknownName(
            f"There is no reference for the kernel {kernel!r:.100}: its output on a GPU cannot be checked.",
            field="kernel",
            value=kernel[:100],
            remedy="Use a kernel of gpu-kernels-v0, or add a reference.",
        )
    return _REFERENCES[kernel]
