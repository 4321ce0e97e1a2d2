"""The CUDA backend: measures a nest on a GPU, or executes it on an emulated device in tests."""

from __future__ import annotations

import contextlib
import importlib
import os
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from optarena.cuda import timing
from optarena.cuda.device import CupyDevice, Device, Launch, Temperature, Work
from optarena.cuda.kernels import BLOCK, Kernel, source_of
from optarena.cuda.variables import STAND_IN
from optarena.errors import DeviceUnavailable, InvalidInput
from optarena.loop_tool.backend import IncorrectOutput, MeasuringBackend, Reading
from optarena.loop_tool.nest import Level, Nest, Plan
from optarena.measuring.machine import exclusive

if TYPE_CHECKING:
    from numpy.typing import NDArray


MAX_GRID: Final = 2**31 - 1  # blocks of a grid in its x dimension
# Below this number, indices have 32 bits; they are unsigned, since a block may begin at up to 2 * N.
_LIMIT_OF_32_BITS: Final = 2**31 - 2**20
_FIELDS: Final = "xyzw"


class TooManyThreads(InvalidInput):
    """A schedule has more threads than a grid can have."""


def lower(plan: Plan, name: str = "add") -> Kernel:
    threads = plan.parallel
    grid = -(-threads // BLOCK)
    if grid > MAX_GRID:
        raise TooManyThreads(
            f"The schedule has {threads} threads; a grid has at most {MAX_GRID * BLOCK}.",
            field="nest",
            value=threads,
            remedy="Thread a loop of fewer iterations.",
        )
    bits: Literal[32, 64] = 32 if max(plan.elements, threads) < _LIMIT_OF_32_BITS else 64
    body = _Body(plan, bits)
    body.write(threads)
    return Kernel(
        source=source_of(name, "\n".join(body.lines)),
        name=name,
        grid=grid,
        block=BLOCK,
        threads=threads,
        vector=vector_width(plan),
        index_bits=bits,
    )


def vector_width(plan: Plan) -> int:  # the largest width that is always aligned
    counts = (plan.leaf, *(level.step for level in plan.levels))
    return next(width for width in (4, 2, 1) if all(count % width == 0 for count in counts))


class _Body:
    def __init__(self, plan: Plan, bits: int) -> None:
        self.lines: list[str] = []
        self._plan = plan
        self._type = "unsigned" if bits == 32 else "unsigned long long"  # noqa: PLR2004 # a width in bits
        self._suffix = "u" if bits == 32 else "ull"  # noqa: PLR2004 # a width in bits
        self._open = 0

    def write(self, threads: int) -> None:
        self._thread(threads)
        begin, end = "", self._number(self._plan.elements)
        for index, level in enumerate(self._plan.levels):
            begin, end = self._level(index, level, begin, end)
        self._leaf(begin or self._number(0), end)
        while self._open:
            self._close()

    def _thread(self, threads: int) -> None:
        self._let("thread", f"({self._type})blockIdx.x * {BLOCK}u + threadIdx.x")
        if threads % BLOCK:
            self._add(f"if (thread >= {self._number(threads)}) return;")
        inside = threads
        for index, level in enumerate(self._plan.levels):
            if level.threaded:
                digit = "thread"
                outermost, inside = inside == threads, inside // level.trips
                if inside > 1:
                    digit += f" / {self._number(inside)}"
                if not outermost:
                    digit += f" % {self._number(level.trips)}"
                self._let(f"i{index}", digit)

    def _level(self, index: int, level: Level, begin: str, end: str) -> tuple[str, str]:
        # Returns the first element of the level's iteration, and the element after its last one.
        first, last, step = f"b{index}", f"e{index}", self._number(level.step)
        if level.threaded:
            self._let(first, " + ".join(filter(None, (begin, f"i{index} * {step}"))))
            if level.ragged:
                self._begin(f"if ({first} < {end})")
        else:
            self.lines.append("#pragma unroll 1")
            loop = f"{self._type} {first} = {begin or self._number(0)}; {first} < {end}; {first} += {step}"
            self._begin(f"for ({loop})")
        if self._asks_for_end(index + 1):
            whole = f"{first} + {step}"
            self._let(last, f"{whole} < {end} ? {whole} : {end}" if level.ragged else whole)
        return first, last

    def _asks_for_end(self, index: int) -> bool:
        # Whether a level, or the leaf after the last one, uses the end of its block.
        if index == len(self._plan.levels):
            return self._plan.ragged and self._plan.leaf > 1
        level = self._plan.levels[index]
        return level.ragged or not level.threaded

    def _leaf(self, begin: str, end: str) -> None:
        # Straight-line code, and a loop for a block that ends earlier.
        leaf = self._plan.leaf
        if leaf == 1:
            self._add(f"z[{begin}] = x[{begin}] + y[{begin}];")
            return
        if not self._plan.ragged:
            self._straight(begin)
            return
        self._begin(f"if ({end} - {begin} == {self._number(leaf)})")
        self._straight(begin)
        self._close()
        self._begin("else")
        self.lines.append("#pragma unroll 1")
        self._add(f"for ({self._type} b = {begin}; b < {end}; ++b) z[b] = x[b] + y[b];")
        self._close()

    def _straight(self, begin: str) -> None:  # ptxas may interleave loads and sums again
        width = vector_width(self._plan)
        kind = f"float{width}" if width > 1 else "float"
        for name, qualifier in (("x", "const "), ("y", "const "), ("z", "")):
            pointer = f"{qualifier}{kind} *"
            self._add(f"{pointer}const p{name} = ({pointer})({name} + {begin});")
        count = self._plan.leaf // width
        for number in range(count):
            self._add(f"const {kind} x{number} = px[{number}], y{number} = py[{number}];")
        for number in range(count):
            self._add(f"pz[{number}] = {self._sum(number, width)};")

    @staticmethod
    def _sum(number: int, width: int) -> str:
        if width == 1:
            return f"x{number} + y{number}"
        parts: Iterator[str] = (f"x{number}.{field} + y{number}.{field}" for field in _FIELDS[:width])
        return f"make_float{width}({', '.join(parts)})"

    def _number(self, value: int) -> str:
        return f"{value}{self._suffix}"

    def _let(self, name: str, value: str) -> None:
        self._add(f"const {self._type} {name} = {value};")

    def _begin(self, head: str) -> None:
        self._add(f"{head} {{")
        self._open += 1

    def _close(self) -> None:
        self._open -= 1
        self._add("}")

    def _add(self, line: str) -> None:
        self.lines.append("  " * (self._open + 1) + line)


# From this number of elements, readings are cold: the three operands fill the L2 cache of a large GPU.
COLD_FROM: Final = 2**22
GUARD_BYTES: Final = 4096  # before and after each operand; a multiple of every access's width
COPIED_UNIT: Final = 16  # the reference copies a multiple of this number of bytes
_CLOSING_SECONDS: Final = 5.0  # how long closing waits for other processes
# The initial bytes of the output and its guards: as float32, a NaN that no sum of numbers gives.
_UNWRITTEN: Final = 0xFF
# The bytes of an operand's guards: 0.747, since a sum of NaNs written outside the output might be missed.
_FOREIGN: Final = 0x3F
_KERNELS: Final = 64
_FLOAT_BYTES: Final = 4
_SEED: Final = 2022


def open_device(elements: int) -> MeasuringBackend:
    stand_in = os.environ.get(STAND_IN, "").strip()
    return CudaBackend(elements, _stand_in(stand_in) if stand_in else CupyDevice())


def _stand_in(name: str) -> Device:
    module, _, function = name.partition(":")
    try:
        make: Callable[[], Device] = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise InvalidInput(
            f"{STAND_IN}={name!r:.200} does not name a function: {error}.",
            field=STAND_IN,
            value=name[:200],
            remedy="Unset it, or write module:function; it is only for tests.",
        ) from error
    device = make()
    if not device.emulated:
        raise InvalidInput(
            f"{STAND_IN}={name!r:.200} gives a device that is not marked as emulated.",
            field=STAND_IN,
            value=name[:200],
            remedy="Unset it to use a real device.",
        )
    return device


class CudaBackend:
    """Operands on a device, by default the first GPU, which is closed with the backend; kernels; readings."""

    def __init__(self, elements: int, device: Device | None = None) -> None:
        self._device = device or CupyDevice()
        self.elements = elements
        self.emulated = self._device.emulated
        self.identity = self._device.identity
        self._throttled: int | None = 0
        self._loaded: OrderedDict[str, Launch] = OrderedDict()
        # A copy reads and writes 6 bytes for each of the 12 that an addition reads and writes.
        self.copied_bytes = -(-6 * elements // COPIED_UNIT) * COPIED_UNIT
        generator = np.random.default_rng(_SEED)
        x, y = (_operand(generator, elements) for _ in range(2))
        self._expected = (x + y).view(np.uint32)
        try:
            with exclusive(self.identity):
                fills = (_FOREIGN, _FOREIGN, _UNWRITTEN)
                self._x, self._y, self._z = (_Guarded(self._device, self.elements, fill) for fill in fills)
                self._device.write(self._x.address, x)
                self._device.write(self._y.address, y)
                self._source, self._target = (self._device.allocate(self.copied_bytes) for _ in range(2))
                self._device.fill(self._source, self.copied_bytes, 1)
        except BaseException:  # also for an interrupt, everything is freed
            self.close()
            raise

    def read(self, nest: Nest) -> Reading:  # warm if the nest is small, cold if it is large
        kernel = self._kernel(nest)
        with exclusive(self.identity):
            launch = self._launch(kernel)
            self._check(launch)
            addresses = self._x.address, self._y.address, self._z.address
            return self._measure(lambda: launch(*addresses), kernel.threads)

    def reference(self) -> Reading:
        # The device's own copy of 6 * N bytes reads and writes as much as the addition does. The bytes are
        # rounded up to a multiple of 16: copies of other sizes may use another method. `threads` is 0,
        # because the device does not report it.
        def copy() -> None:
            self._device.copy(self._target, self._source, self.copied_bytes)

        with exclusive(self.identity):
            copy()
            return self._measure(copy, 0)

    @property
    def temperature(self) -> Temperature:
        return "cold" if self.elements >= COLD_FROM else "warm"

    def check(self, nest: Nest) -> None:
        kernel = self._kernel(nest)
        with exclusive(self.identity):
            self._check(self._launch(kernel))

    def machine(self) -> dict[str, Any]:
        # `throttled` counts the readings during which heat or power lowered the clocks twice; None if the
        # device does not report it.
        clocks = self._device.clocks()
        return {
            **self._device.describe(),
            "emulated": self.emulated,
            "clocks": None if clocks is None else clocks.as_dict(),
            "throttled": None if clocks is None else self._throttled,
        }

    def close(self) -> None:  # if possible while no other process measures
        with contextlib.ExitStack() as held:
            with contextlib.suppress(DeviceUnavailable):  # memory is freed in any case
                held.enter_context(exclusive(self.identity, seconds=_CLOSING_SECONDS))
            self._loaded.clear()
            self._device.close()

    def _measure(self, launch: Work, threads: int) -> Reading:  # the work has run once before
        samples = timing.measure(self._device, launch, self.temperature)
        if self._throttled is not None:
            self._throttled = None if samples.throttled is None else self._throttled + samples.throttled
        return Reading(
            elements=self.elements,
            seconds=samples.seconds,
            calls=samples.calls,
            threads=threads,
            temperature=self.temperature,
        )

    def _kernel(self, nest: Nest) -> Kernel:
        if nest.elements != self.elements:
            raise InvalidInput(
                f"The nest covers {nest.elements} elements, and the buffers have {self.elements}.",
                field="nest",
                value=nest.elements,
                remedy="Open a backend for the nest's number of elements.",
            )
        return lower(Plan.of(nest))

    def _launch(self, kernel: Kernel) -> Launch:
        if kernel.source not in self._loaded:
            self._loaded[kernel.source] = self._device.load(kernel)
            if len(self._loaded) > _KERNELS:
                self._loaded.popitem(last=False)
        self._loaded.move_to_end(kernel.source)
        return self._loaded[kernel.source]

    def _check(self, launch: Launch) -> None:
        self._z.clear()
        launch(self._x.address, self._y.address, self._z.address)
        before, output, behind = self._z.read()
        for guard, where in ((before, "before"), (behind, "behind")):
            if not (guard == _UNWRITTEN).all():
                raise IncorrectOutput(f"The nest writes {where} its output of {self.elements} elements.")
        wrong = np.flatnonzero(output.view(np.uint32) != self._expected)
        if len(wrong):
            first = int(wrong[0])
            given, wanted = output[first], self._expected.view(np.float32)[first]
            raise IncorrectOutput(
                f"The nest computes {len(wrong)} of {self.elements} elements wrong; "
                f"the first is element {first}: {given!r} instead of {wanted!r}."
            )


class _Guarded:
    """Float32 elements on a device, with guards before and after them; all bytes start with one value."""

    def __init__(self, device: Device, elements: int, fill: int) -> None:
        self._device = device
        self._fill = fill
        self._size = 2 * GUARD_BYTES + _FLOAT_BYTES * elements
        self._start = device.allocate(self._size)
        self.address = self._start + GUARD_BYTES
        self.clear()

    def clear(self) -> None:
        self._device.fill(self._start, self._size, self._fill)

    def read(self) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.uint8]]:
        found = self._device.read(self._start, self._size)
        elements = found[GUARD_BYTES:-GUARD_BYTES].view(np.float32)
        return found[:GUARD_BYTES], elements, found[-GUARD_BYTES:]


def _operand(generator: np.random.Generator, elements: int) -> NDArray[np.float32]:
    # Nonzero elements of both signs.
    values = generator.random(elements, np.float32) * 4 - 2
    values[values == 0] = 1
    return values
