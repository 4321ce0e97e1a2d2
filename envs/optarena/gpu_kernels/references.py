"""What each kernel of gpu-kernels-v1 must compute, in numpy and in float64: written apart from the kernels.

A reference gets the arguments of a launch in their order, arrays and numbers, and returns the outputs in
their order. None stands for an output among the arguments.

Launches that are timed have tens of millions of elements, and every block of a measurement draws and checks
them anew. So arrays are worked on in pieces that fit a processor's caches, on all processors.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

import numpy as np

from optarena.errors import UnknownName
from optarena.gpu_kernels import programs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optarena.gpu_kernels.programs import Argument, Case

Array: TypeAlias = "NDArray[Any]"
Reference = Callable[..., "list[Array]"]
T = TypeVar("T")
# Of the largest number of an output: float32 has 24 bits, and sums of thousands lose a few.
RELATIVE: Final = 2e-5
# The share of elements that may differ, where rounding decides about whole numbers: 0 for other kernels.
DIFFERING: Final = {"escape_time": 0.01}
_PIECE: Final = 2**16  # elements of a piece


def expected(kernel: str, case: Case) -> list[Array]:
    return list(_reference(kernel)(*(argument_value(one) for one in case.arguments)))


def argument_value(argument: Argument) -> Array | int | None:
    if argument.kind == "int":
        return argument.value
    return None if argument.kind == "output" else draw_numpy(argument)


def difference(kernel: str, outputs: Sequence[Array], wanted: Sequence[Array]) -> str:
    for number, (one, other) in enumerate(zip(outputs, wanted, strict=True)):
        if one.shape != other.shape:
            return f"output {number} has {one.size} elements instead of {other.size}"
        is_real = other.dtype.kind == "f"
        # A kernel that never writes an element of whole numbers leaves the 0 that was there: never rounding.
        wrong, unwritten = _wrong(one, other, _bound(other) if is_real else 0.0)
        total = int(wrong.sum())
        if total > DIFFERING.get(kernel, 0.0) * wrong.size or (unwritten and not is_real):
            first = int(np.flatnonzero(wrong)[0])
            return (
                f"{total} of {wrong.size} elements of output {number} are wrong; the first is "
                f"element {first}: {one.flat[first]!r} instead of {other.flat[first]!r}"
            )
    return ""


def _bound(wanted: Array) -> float:  # how far an element of an output may be off
    largest = max(-float(wanted.min()), float(wanted.max())) if wanted.size else 0.0
    return RELATIVE * max(largest, 1e-30)


def _wrong(output: Array, wanted: Array, bound: float) -> tuple[NDArray[np.bool_], bool]:
    # Which elements are off by more than a bound or are not numbers, and whether such a one is 0.
    wrong = np.empty(output.shape, bool)

    def compare(start: int, stop: int) -> bool:
        part = output[start:stop]
        wrong[start:stop] = ~(np.abs(part.astype(np.float64) - wanted[start:stop]) <= bound)
        return bool(np.any(wrong[start:stop] & (part == 0)))

    return wrong, any(_in_pieces(len(output), compare))


def draw_numpy(argument: Argument) -> Array:  # those of `programs.drawn`
    is_real = argument.kind == "f32"
    result = np.empty(argument.count, np.float32 if is_real else np.int32)

    def draw(start: int, stop: int) -> None:
        bits = _mixed(
            np.arange(start, stop, dtype=np.uint64) + np.uint64(argument.seed << programs.SEED_SHIFT)
        )
        if is_real:
            result[start:stop] = (bits >> np.uint64(programs.FLOAT_SHIFT)) * programs.FLOAT_SCALE - 1.0
        else:
            result[start:stop] = (bits >> np.uint64(programs.INTEGER_SHIFT)) % np.uint64(argument.below)

    _in_pieces(argument.count, draw)
    if argument.kind == "offsets":
        result = np.concatenate([[0], np.cumsum(result[:-1], dtype=np.int64)]).astype(np.int32)
    return result


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:  # `programs.mixed` for each number
    with np.errstate(over="ignore"):
        value = (numbers + np.uint64(1)) * np.uint64(programs.STEP)
        for shift, factor in zip(programs.SHIFTS, programs.FACTORS, strict=False):
            value = (value ^ value >> np.uint64(shift)) * np.uint64(factor)
    found: NDArray[np.uint64] = value ^ value >> np.uint64(programs.SHIFTS[-1])
    return found


def _in_pieces(count: int, work: Callable[[int, int], T], piece: int = _PIECE) -> list[T]:
    # From a first element to behind a last one.
    starts = range(0, count, piece)
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return list(pool.map(lambda start: work(start, min(start + piece, count)), starts))


def _by_pieces(count: int, work: Callable[[int, int], Array], piece: int = _PIECE) -> Array:
    return np.concatenate([np.empty(0), *_in_pieces(count, work, piece)])


def _wide(values: NDArray[Any]) -> NDArray[np.float64]:
    return values.astype(np.float64)


def _vector_add(a: Array, b: Array, _: None, n: int) -> list[Array]:
    return [_by_pieces(n, lambda start, stop: _wide(a[start:stop]) + _wide(b[start:stop]))]


def _matrix_product(a: Array, b: Array, _: None, rows: int, columns: int, inner: int) -> list[Array]:
    return [(_wide(a).reshape(rows, inner) @ _wide(b).reshape(inner, columns)).ravel()]


def _stencil(image: Array, weights: Array, _: None, width: int, height: int) -> list[Array]:
    padded = np.pad(image.reshape(height, width), 1, mode="edge")
    return [_neighbourhoods(padded, weights.reshape(3, 3), width, height)]


def _convolution(image: Array, weights: Array, _: None, width: int, height: int) -> list[Array]:
    padded = np.pad(image.reshape(height, width), 3)
    return [_neighbourhoods(padded, weights.reshape(7, 7), width, height)]


def _neighbourhoods(padded: Array, weights: Array, width: int, height: int) -> Array:
    # Their weighted sums.
    def rows(start: int, stop: int) -> Array:
        part, total = _wide(padded[start : stop + len(weights) - 1]), np.zeros((stop - start, width))
        for (dy, dx), weight in np.ndenumerate(weights):
            total += float(weight) * part[dy : dy + stop - start, dx : dx + width]
        return total.ravel()

    return _by_pieces(height, rows, _rows(width))


def _reduction(values: Array, _: None, n: int, blocks: int) -> list[Array]:
    threads = 256
    padded = np.zeros(-(-n // (blocks * threads)) * blocks * threads, np.float32)
    padded[:n] = values
    table = padded.reshape(-1, blocks, threads)
    sums = _in_pieces(len(table), lambda start, stop: table[start:stop].sum((0, 2), np.float64), 1)
    return [np.sum(sums, axis=0)]


def _softmax(rows: Array, _: None, columns: int) -> list[Array]:
    table = rows.reshape(-1, columns)

    def shares(start: int, stop: int) -> Array:
        part = _wide(table[start:stop])
        powers = np.exp(part - part.max(axis=1, keepdims=True))
        found: Array = (powers / powers.sum(axis=1, keepdims=True)).ravel()
        return found

    return [_by_pieces(len(table), shares, _rows(columns))]


def _transpose(matrix: Array, _: None, rows: int, columns: int) -> list[Array]:
    return [_wide(matrix.reshape(rows, columns).T).ravel()]


def _sparse_rows(*given: Array) -> list[Array]:
    starts, columns, values, vector, _, rows = given
    products = _by_pieces(
        len(values), lambda start, stop: _wide(values[start:stop]) * vector[columns[start:stop]]
    )
    sums = np.concatenate([[0.0], np.cumsum(products)])
    return [sums[starts[1 : int(rows) + 1]] - sums[starts[: int(rows)]]]


def _n_body(bodies: Array, _: None, n: int) -> list[Array]:
    table = _wide(bodies).reshape(n, 4)
    places, masses = table[:, :3], table[:, 3] + 1

    def pulls(start: int, stop: int) -> Array:
        own = places[start:stop]
        square = np.full((stop - start, n), 0.01)
        for axis in range(3):
            square += (places[None, :, axis] - own[:, None, axis]) ** 2
        strengths = masses / (square * np.sqrt(square))
        found: Array = (strengths @ places - strengths.sum(axis=1, keepdims=True) * own).ravel()
        return found

    return [_by_pieces(n, pulls, _rows(n))]


def _histogram(values: Array, _: None, n: int) -> list[Array]:
    def counts(start: int, stop: int) -> Array:
        return np.bincount(np.clip(values[start:stop], 0, 63), minlength=64)

    return [np.sum(_in_pieces(n, counts), axis=0)]


def _scan(values: Array, _: None, n: int) -> list[Array]:
    padded = np.zeros(-(-n // 512) * 512)
    padded[:n] = values
    return [np.cumsum(padded.reshape(-1, 512), axis=1).ravel()[:n]]


def _small_inverses(matrices: Array, _: None, n: int) -> list[Array]:
    table = matrices.reshape(36, n)
    result = np.empty((36, n))

    def invert(start: int, stop: int) -> None:
        part = _wide(table[:, start:stop].T).reshape(-1, 6, 6) + 8 * np.eye(6)
        result[:, start:stop] = np.linalg.inv(part).reshape(-1, 36).T

    _in_pieces(n, invert, _rows(36))
    return [result.ravel()]


def escape_time(reals: Array, imaginaries: Array, _: None, n: int, limit: int) -> list[Array]:
    # In float32, as the kernel: rounding decides about some of the counts.
    result = np.zeros(n, np.int64)

    def count(start: int, stop: int) -> None:
        steps = result[start:stop]
        c, d = np.float32(2) * reals[start:stop] - np.float32(0.5), np.float32(1.5) * imaginaries[start:stop]
        x, y = np.zeros_like(c), np.zeros_like(d)
        going = np.ones(len(c), bool)
        for _step in range(limit):
            going &= x * x + y * y < np.float32(4)
            steps += going
            following = np.where(going, x * x - y * y + c, x)
            y = np.where(going, np.float32(2) * x * y + d, y)
            x = following

    _in_pieces(n, count)
    return [result]


def _filter(signal: Array, taps: Array, _: None, n: int) -> list[Array]:
    padded = np.concatenate([signal, np.zeros(len(taps), signal.dtype)])

    def filtered(start: int, stop: int) -> Array:
        part, total = _wide(padded[start : stop + len(taps)]), np.zeros(stop - start)
        for i, tap in enumerate(taps):
            total += float(tap) * part[i : i + stop - start]
        return total

    return [_by_pieces(n, filtered)]


def _small_products(a: Array, b: Array, _: None, n: int) -> list[Array]:
    left, right = a.reshape(n, 16, 16), b.reshape(n, 16, 16)

    def products(start: int, stop: int) -> Array:
        return (_wide(left[start:stop]) @ _wide(right[start:stop])).ravel()

    return [_by_pieces(n, products, _rows(256))]


def _rows(columns: int) -> int:  # the rows of a piece of a table
    return max(1, _PIECE // columns)


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
    "escape_time": escape_time,
    "filter": _filter,
    "convolution": _convolution,
    "small_products": _small_products,
}


def _reference(kernel: str) -> Reference:
    if kernel not in _REFERENCES:
        raise UnknownName(
            f"There is no reference for the kernel {kernel!r:.100}: its output on a GPU cannot be checked.",
            field="kernel",
            value=kernel[:100],
            remedy="Use a kernel of gpu-kernels-v1, or add a reference.",
        )
    return _REFERENCES[kernel]
