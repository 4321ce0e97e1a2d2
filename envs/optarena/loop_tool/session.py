"""The loop_tool session: a nest, a cursor, and a backend that compiles and measures the nest on request.

It runs in a process of its own, which holds threads or a device, so it is copied by replay.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, ClassVar, Final, Literal

from optarena.cuda.timing import UnsteadyDevice
from optarena.errors import DeviceUnavailable
from optarena.loop_tool import nest
from optarena.loop_tool.devices import open_backend
from optarena.loop_tool.nest import ACTIONS, MAX_ELEMENTS, VERSION, Loop, Nest, Tuning, parse_benchmark
from optarena.service.observed import Observed, box, named_actions, real, text
from optarena.service.session import CompilationSession

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.loop_tool.backend import MeasuringBackend, Reading
    from optarena.service.proto.compiler_gym_service_pb2 import (
        ActionSpace,
        Benchmark,
        Event,
        ObservationSpace,
    )

_HEX_DIGITS: Final = 64
_LONGEST_TREE: Final = 512  # an unbounded space costs vector environments gigabytes
_START: Final = (0, 1, 0)  # what `action_state` has at least


class LoopToolSession(CompilationSession):
    compiler_version: ClassVar[str] = VERSION
    action_spaces: ClassVar[list[ActionSpace]] = [named_actions("simple", ACTIONS)]
    fork_by: ClassVar[Literal["process", "replay"]] = "replay"
    limits_address_space: ClassVar[bool] = False

    def __init__(self, working_directory: Path, action_space: ActionSpace, benchmark: Benchmark) -> None:
        super().__init__(working_directory, action_space, benchmark)
        # The content of a computed program is its URI; a client may give the benchmark any name.
        program = benchmark.program.contents or benchmark.uri.encode()
        self.device, self.elements = parse_benchmark(program.decode(errors="replace"))
        self.tuning = Tuning.initial(self.elements)
        self._backend: MeasuringBackend | None = None
        self._reading: Reading | None = None
        self._first: tuple[Nest, float] | None = None  # the first reading of the present nest
        self._acted = False

    @classmethod
    def preload(cls) -> None:
        # In the sandbox nothing can be imported any more.
        # Imported late: other processes list this class. ``preload`` turns off the threads of numpy.
        from optarena.loop_tool.cpu.preloading import preload  # noqa: PLC0415 # loads numpy

        preload()
        from optarena.cuda import device  # noqa: F401, PLC0415 # reports that there is no GPU

    def apply_action(self, action: Event) -> tuple[bool, ActionSpace | None, bool]:
        before = self.tuning
        self.tuning = before.after(action.int64_value)
        self._acted = True
        return False, None, self.tuning == before

    def get_observation(self, observation_space: ObservationSpace) -> Event:
        return _OBSERVED[observation_space.name].compute(self)

    def digest(self) -> str:
        tuning = self.tuning
        state = self.device, self.elements, str(tuning.nest), tuning.cursor, tuning.mode
        threads = [loop.threaded for loop in tuning.nest.loops]
        return hashlib.sha256(json.dumps([state, threads]).encode()).hexdigest()

    def handle_session_parameter(self, key: str, value: str) -> str | None:
        del value
        match key:
            case nest.DEVICE:
                if self.device == "cuda":
                    from optarena.cuda.device import require_device  # noqa: PLC0415 # CUDA only

                    require_device()
                return self.device
            case nest.READING:
                return json.dumps(self._reading.as_dict() if self._reading else None)
        return None

    def readings(self) -> str:
        # The first reading of a nest, and whether an action came after the last one.
        if self._first is None:
            return ""
        measured, gflops = self._first
        loops = [[loop.size, loop.tail, loop.threaded] for loop in measured.loops]
        return json.dumps({"loops": loops, "gflops": gflops, "acted": self._acted})

    def take_readings(self, readings: str) -> None:
        # What another session has measured of this nest or of one before it.
        try:
            read = json.loads(readings)
            loops = tuple(
                Loop(int(size), int(tail), threaded is True) for size, tail, threaded in read["loops"]
            )
            self._first = Nest(loops), float(read["gflops"])
            self._acted = read["acted"] is True
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise ValueError(f"Not the readings of a loop_tool session: {readings[:80]!r}") from error

    def close(self) -> None:
        if self._backend is not None:
            self._backend.close()

    def flops(self) -> float:
        # After actions that did not change the nest, its first reading: so an action without an effect has no
        # reward and takes no time. A second request without an action in between gives a new reading.
        acted, self._acted = self._acted, False
        if acted and self._first is not None and self._first[0] == self.tuning.nest:
            return self._first[1]
        if self._backend is None:
            self._backend = open_backend(self.device, self.elements)
        if self._backend.emulated:
            raise DeviceUnavailable("The device is only emulated here, so its times mean nothing.")
        try:
            self._reading = self._backend.read(self.tuning.nest)
        except UnsteadyDevice as error:  # the episode goes on
            raise DeviceUnavailable(str(error)) from error
        if self._first is None or self._first[0] != self.tuning.nest:
            self._first = self.tuning.nest, self._reading.gflops
        return self._reading.gflops


_SPACES: Final[tuple[Observed[LoopToolSession], ...]] = (
    real("flops", LoopToolSession.flops, deterministic=False, platform_dependent=True),
    text("loop_tree", lambda session: str(session.tuning.nest), most=_LONGEST_TREE),
    text("summary", lambda session: session.tuning.summary, most=_LONGEST_TREE),
    box(
        "action_state",
        lambda session: session.tuning.action_state,
        low=_START,
        high=(nest.DEPTH - 1, MAX_ELEMENTS, MAX_ELEMENTS),
        default=_START,
    ),
    text("digest", LoopToolSession.digest, length=_HEX_DIGITS),
)
_OBSERVED: Final = {one.name: one for one in _SPACES}
LoopToolSession.observation_spaces = [one.message for one in _SPACES]
