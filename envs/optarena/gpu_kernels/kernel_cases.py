"""The kernels of gpu-kernels-v0: what each is, and how it is launched at three sizes.

Two sizes are small, and are executed on the CPU; the third is timed on a GPU.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

TILE: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """A kernel of the dataset.

    Attributes:
        title: One line for people.
        domain: What it does.
        sizes: The sizes of the cases ``odd``, ``even`` and ``timed``.
        case: Makes a case from sizes.
        split: The part of the dataset.
    """

    title: str
    domain: str
    sizes: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
    case: Callable[..., dict[str, Any]]
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
    """Rows have up to ``longest`` - 1 elements; the arrays have room for all."""
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
    return _launch((_up(n, 128), 1), (128, 1), given, moved=3 * n, flops=10 * n)


def _filter(n: int) -> dict[str, Any]:
    given = [_floats(n, 1), _floats(24, 2), _output(n), _int(n)]
    return _launch((_up(n, 8 * 128), 1), (128, 1), given, moved=2 * n + 24, flops=48 * n)


LINEAR_ALGEBRA: Final = "linear-algebra"
REDUCTIONS: Final = "reductions"
SIMULATION: Final = "simulation"
KERNELS: Final[Mapping[str, Described]] = {
    "vector-add": Described(
        title="Sum of two vectors",
        domain=LINEAR_ALGEBRA,
        case=_vector_add,
        sizes=((1021,), (2048,), (2**25,)),
    ),
    "matrix-product": Described(
        title="Product of two matrices, blocked for registers",
        domain=LINEAR_ALGEBRA,
        case=_matrix_product,
        sizes=((50, 70, 37), (64, 64, 32), (2048, 2048, 2048)),
    ),
    "stencil": Described(
        title="Weighted sum of a neighbourhood of 3 x 3",
        domain="image-processing",
        case=_stencil,
        sizes=((45, 33), (64, 16), (8192, 4096)),
    ),
    "reduction": Described(
        title="Sums of a vector in shared memory",
        domain=REDUCTIONS,
        case=_reduction,
        split="validation",
        sizes=((4999, 5), (2048, 2), (2**26, 1056)),
    ),
    "softmax": Described(
        title="Softmax of the rows of a matrix",
        domain="machine-learning",
        case=_softmax,
        split="test",
        sizes=((5, 301), (4, 256), (16384, 2048)),
    ),
    "transpose": Described(
        title="Transpose of a matrix by tiles",
        domain=LINEAR_ALGEBRA,
        case=_transpose,
        sizes=((45, 70), (64, 64), (8192, 4096)),
    ),
    "sparse-rows": Described(
        title="Product of a sparse matrix and a vector",
        domain=LINEAR_ALGEBRA,
        case=_sparse_rows,
        sizes=((301, 203, 9), (256, 256, 17), (2**20, 2**18, 33)),
    ),
    "n-body": Described(
        title="Accelerations of bodies by gravity",
        domain=SIMULATION,
        case=_n_body,
        split="validation",
        sizes=((203,), (256,), (16384,)),
    ),
    "histogram": Described(
        title="Histogram in bins of each block",
        domain="counting",
        case=_histogram,
        sizes=((4999, 3), (2048, 2), (2**26, 1056)),
    ),
    "scan": Described(
        title="Running sums of blocks",
        domain=REDUCTIONS,
        case=_scan,
        sizes=((1300,), (1024,), (2**25,)),
    ),
    "small-inverses": Described(
        title="Inverses of small matrices, with many registers",
        domain=LINEAR_ALGEBRA,
        case=_small_inverses,
        sizes=((201,), (128,), (2**20,)),
    ),
    "escape-time": Described(
        title="Steps until a sequence leaves a circle",
        domain=SIMULATION,
        case=_escape_time,
        split="test",
        sizes=((1001, 40), (512, 64), (2**22, 256)),
    ),
    "filter": Described(
        title="Filter of 24 taps with a window in registers",
        domain="signal-processing",
        case=_filter,
        sizes=((5003,), (2048,), (2**25,)),
    ),
}
