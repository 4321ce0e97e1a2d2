"""Samples of the program counter with the reasons of stalls, by NVIDIA's library CUPTI.

A multiprocessor looks at one of its warps every few cycles, and notes its next instruction and why it waits.
The structures are those of ``cupti_pcsampling.h`` of CUDA 13.0, with which a test compares them. Every call
must come after the first, which enables sampling in the present context; kernels are loaded after it.
Hardware counters, such as bytes of memory, are read by ``optarena.cuda.profiler``.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from ctypes import POINTER, Structure, c_char_p, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p
from dataclasses import dataclass
from typing import Any, Final, Self

from optarena.cuda.missing import DRIVER, find_packaged
from optarena.errors import CountersUnavailable

DISTRIBUTION: Final = "nvidia-cuda-cupti"
LIBRARY: Final = "libcupti.so.13"
NAME_BYTES: Final = 128
PLACES: Final = 4096  # there is room for so many instructions in one call; further calls fetch more
_START_AND_STOP: Final = 6
_BUFFER: Final = 8
# CUptiResult of cupti_result.h.
_REASONS: Final = {
    **dict.fromkeys((35, 40), "no-privilege"),
    **dict.fromkeys((33, 41, 43, 44, 45), "virtualised"),
    **dict.fromkeys((27, 42), "not-supported"),
    39: "in-use",
}
_REMEDIES: Final = {
    "no-privilege": "Grant CAP_SYS_ADMIN, or give NVIDIA's driver NVreg_RestrictProfilingToAdminUsers=0.",
    "virtualised": "Use a whole GPU, of this machine itself.",
    "in-use": "End the other profiler.",
}


class SwitchParams(Structure):
    """``CUpti_PCSamplingEnableParams``, and those of Disable, Start and Stop."""

    _fields_ = (("size", c_size_t), ("private", c_void_p), ("context", c_void_p))


class CountParams(Structure):
    """``CUpti_PCSamplingGetNumStallReasonsParams``."""

    _fields_ = (*SwitchParams._fields_, ("number", POINTER(c_size_t)))


class NameParams(Structure):
    """``CUpti_PCSamplingGetStallReasonsParams``."""

    _fields_ = (
        *SwitchParams._fields_,
        ("number", c_size_t),
        ("indices", POINTER(c_uint32)),
        ("names", POINTER(c_char_p)),
    )


class ConfigurationInfo(Structure):
    """``CUpti_PCSamplingConfigurationInfo``: its union has 24 bytes, of which each use fills the first."""

    _fields_ = (("kind", c_uint32), ("status", c_uint32), ("value", c_uint64 * 3))


class ConfigurationParams(Structure):
    """``CUpti_PCSamplingConfigurationInfoParams``."""

    _fields_ = (*SwitchParams._fields_, ("number", c_size_t), ("attributes", POINTER(ConfigurationInfo)))


class StallReason(Structure):
    """``CUpti_PCSamplingStallReason``."""

    _fields_ = (("index", c_uint32), ("samples", c_uint32))


class SampledPlace(Structure):
    """``CUpti_PCSamplingPCData``."""

    _fields_ = (
        ("size", c_size_t),
        ("cubin", c_uint64),
        ("offset", c_uint64),
        ("function_index", c_uint32),
        ("padding", c_uint32),
        ("function", c_char_p),
        ("number", c_size_t),
        ("reasons", POINTER(StallReason)),
        ("correlation", c_uint32),
    )


class SampleData(Structure):
    """``CUpti_PCSamplingData``."""

    _fields_ = (
        ("size", c_size_t),
        ("room", c_size_t),
        ("total", c_uint64),
        ("dropped", c_uint64),
        ("number", c_size_t),
        ("remaining", c_size_t),
        ("range", c_uint64),
        ("places", POINTER(SampledPlace)),
        ("foreign", c_uint64),
        ("is_full", c_uint8),
    )


class DataParams(Structure):
    """``CUpti_PCSamplingGetDataParams``."""

    _fields_ = (*SwitchParams._fields_, ("data", c_void_p))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampled:
    total: int  # also samples of no instruction of the kernel
    dropped: int  # the hardware had no room for them
    # for each instruction, by its offset in the kernel in bytes, the samples by reason
    places: Mapping[int, Mapping[str, int]]

    def as_dict(self) -> dict[str, Any]:
        sums: Counter[str] = Counter()
        for reasons in self.places.values():
            sums.update(reasons)
        told = [{"offset": offset, "reasons": dict(self.places[offset])} for offset in sorted(self.places)]
        return {"samples": self.total, "dropped": self.dropped, "reasons": dict(sums), "places": told}


class _SampleBuffer:
    def __init__(self, reasons: int) -> None:
        self._reasons = [(StallReason * reasons)() for _ in range(PLACES)]
        self._places = (SampledPlace * PLACES)(
            *[SampledPlace(size=ctypes.sizeof(SampledPlace), reasons=one) for one in self._reasons]
        )
        self.data = SampleData(size=ctypes.sizeof(SampleData), room=PLACES, places=self._places)

    def read(self, names: Mapping[int, str]) -> Iterator[tuple[str, int, dict[str, int]]]:
        # Function, offset and samples by reason of each instruction.
        for place in self._places[: self.data.number]:
            found = {names[one.index]: one.samples for one in place.reasons[: place.number] if one.samples}
            yield (place.function or b"").decode(errors="replace"), place.offset, found


class Sampler:
    """Sampling in the present CUDA context, from its beginning until it is closed."""

    def __init__(self) -> None:
        self._cupti = _library()
        self._context = _context()
        self._call("Enable", SwitchParams)
        try:
            self._names = self._stall_reason_names()
            self._left, self._room = (_SampleBuffer(len(self._names)) for _ in range(2))
            self._configure({_START_AND_STOP: 1, _BUFFER: ctypes.addressof(self._left.data)})
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            self.close()
        except CountersUnavailable:
            if kind is None:  # after an error of the kernel, every call of CUPTI fails too
                raise

    def sampled(self, kernel: str, work: Callable[[], object]) -> Sampled:
        # `work` runs the kernel and waits for its end; instructions of others do not count.
        self._call("Start", SwitchParams)
        try:
            work()
        finally:
            self._call("Stop", SwitchParams)
        total, dropped = 0, 0
        places: dict[int, Counter[str]] = {}
        while True:
            self._call("GetData", DataParams, data=ctypes.addressof(self._room.data))
            data = self._room.data
            total, dropped = total + data.total, dropped + data.dropped
            for function, offset, reasons in self._room.read(self._names):
                if function == kernel:
                    places.setdefault(offset, Counter()).update(reasons)
            if not data.remaining:
                return Sampled(total=total, dropped=dropped, places=places)

    def close(self) -> None:
        self._call("Disable", SwitchParams)

    def _stall_reason_names(self) -> dict[int, str]:
        number = c_size_t()
        self._call("GetNumStallReasons", CountParams, number=ctypes.pointer(number))
        count = number.value
        texts = [ctypes.create_string_buffer(NAME_BYTES) for _ in range(count)]
        indices = (c_uint32 * count)()
        names = (c_char_p * count)(*[c_char_p(ctypes.addressof(one)) for one in texts])
        self._call("GetStallReasons", NameParams, number=count, indices=indices, names=names)
        return {index: text.value.decode() for index, text in zip(indices, texts, strict=True)}

    def _configure(self, values: Mapping[int, int]) -> None:
        given = (ConfigurationInfo * len(values))(
            *[ConfigurationInfo(kind=kind, value=(c_uint64 * 3)(value)) for kind, value in values.items()]
        )
        self._call("SetConfigurationAttribute", ConfigurationParams, number=len(values), attributes=given)

    def _call(self, name: str, kind: type[Structure], **fields: Any) -> None:  # noqa: ANN401 # of ctypes
        # The sizes of the header end with the last field; none of these structures is padded behind it.
        given = kind(size=ctypes.sizeof(kind), context=self._context, **fields)
        code = self._cupti[f"cuptiPCSampling{name}"](ctypes.byref(given))
        if code:
            text = c_char_p()
            self._cupti.cuptiGetResultString(code, ctypes.byref(text))
            said = (text.value or b"an unnamed error").decode(errors="replace")
            reason = _REASONS.get(code, "refused")
            message = f"CUPTI cannot sample: {name} gives error {code}, {said}. {_REMEDIES.get(reason, '')}"
            raise CountersUnavailable.because(reason, message.strip())


def _library() -> ctypes.CDLL:
    try:
        return ctypes.CDLL(str(find_packaged(DISTRIBUTION, LIBRARY)))
    except OSError as error:  # also where the package or its file is missing
        raise CountersUnavailable.because(
            "no-library", f"CUPTI cannot be loaded: {error} Install it: pip install 'optarena[cuda13]'."
        ) from error


def _context() -> int:  # the context that is current in this thread
    context = c_void_p()
    try:
        code = ctypes.CDLL(DRIVER).cuCtxGetCurrent(ctypes.byref(context))
    except OSError as error:
        raise CountersUnavailable.because("no-device", f"{DRIVER} cannot be loaded: {error}.") from error
    if code or not context.value:
        raise CountersUnavailable.because(
            "no-device", f"There is no CUDA context to sample in (error {code})."
        )
    return context.value
