"""Samples of the program counter: the library and its structures, and what is made of its answers.

NVIDIA's library is loaded, and its header compared with the structures; what samples
is a library of the same functions, compiled from that header, which knows the order of calls.
"""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from optarena.cuda import sampling
from optarena.errors import CountersUnavailable
from tests.kit.cupti import compiled, headers, installed

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="CUPTI is for Linux")
FIELDS = {
    sampling.SwitchParams: ("CUpti_PCSamplingEnableParams", "size pPriv ctx"),
    sampling.CountParams: ("CUpti_PCSamplingGetNumStallReasonsParams", "size pPriv ctx numStallReasons"),
    sampling.NameParams: (
        "CUpti_PCSamplingGetStallReasonsParams",
        "size pPriv ctx numStallReasons stallReasonIndex stallReasons",
    ),
    sampling.ConfigurationInfo: (
        "CUpti_PCSamplingConfigurationInfo",
        "attributeType attributeStatus attributeData",
    ),
    sampling.ConfigurationParams: (
        "CUpti_PCSamplingConfigurationInfoParams",
        "size pPriv ctx numAttributes pPCSamplingConfigurationInfo",
    ),
    sampling.StallReason: ("CUpti_PCSamplingStallReason", "pcSamplingStallReasonIndex samples"),
    sampling.SampledPlace: (
        "CUpti_PCSamplingPCData",
        "size cubinCrc pcOffset functionIndex pad functionName stallReasonCount stallReason correlationId",
    ),
    sampling.SampleData: (
        "CUpti_PCSamplingData",
        """size collectNumPcs totalSamples droppedSamples totalNumPcs remainingNumPcs rangeId pPcData
        nonUsrKernelsTotalSamples hardwareBufferFull""",
    ),
    sampling.DataParams: ("CUpti_PCSamplingGetDataParams", "size pPriv ctx pcSamplingData"),
}
ASK = """
import json
from optarena.cuda.sampling import Sampler
from optarena.errors import CountersUnavailable
from tests.kit.cupti import compiled, headers, installed
done = []
try:
    with Sampler() as sampler:
        print(json.dumps(sampler.sampled("scan", lambda: done.append("ran")).as_dict()))
    with Sampler():  # it was disabled
        print(done)
except CountersUnavailable as error:
    print(error.reason, error)
"""


def asked(folder: Path, *, context: int = 77, fails: int = 0) -> list[str]:
    """What is printed with such libraries."""
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        env=installed(folder, context=context, fails=fails),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_structures_are_those_of_the_header(tmp_path: Path) -> None:
    lines = ["#include <stddef.h>", '#include "cupti_pcsampling.h"']
    for kind, (name, members) in FIELDS.items():
        lines.append(f'_Static_assert(sizeof({name}) == {ctypes.sizeof(kind)}, "{name}");')
        names: list[str] = [field[0] for field in kind._fields_]
        for member, own in zip(members.split(), names, strict=True):
            offset = getattr(kind, own).offset
            lines.append(f'_Static_assert(offsetof({name}, {member}) == {offset}, "{name}.{member}");')
    compiled(tmp_path, "", "\n".join(lines), *headers(tmp_path))
    wrong = "\n".join([*lines, f'_Static_assert(sizeof({name}) == 1, "wrong");'])
    with pytest.raises(subprocess.CalledProcessError):
        compiled(tmp_path, "", wrong, *headers(tmp_path))


def test_the_library_has_every_function_and_names_its_errors() -> None:
    library = sampling._library()
    version = ctypes.c_uint32()
    assert library.cuptiGetVersion(ctypes.byref(version)) == 0
    assert version.value // 10_000 == 13
    for name in ("Enable", "Disable", "Start", "Stop", "GetData", "GetStallReasons", "GetNumStallReasons"):
        assert library[f"cuptiPCSampling{name}"]
    given = sampling.SwitchParams(size=ctypes.sizeof(sampling.SwitchParams))  # without a context
    code = library.cuptiPCSamplingEnable(ctypes.byref(given))
    text = ctypes.c_char_p()
    library.cuptiGetResultString(code, ctypes.byref(text))
    assert text.value == b"CUPTI_ERROR_INVALID_PARAMETER"


def test_without_a_driver_there_is_no_device() -> None:
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        with pytest.raises(CountersUnavailable, match=r"libcuda\.so\.1 cannot be loaded") as caught:
            sampling.Sampler()
        assert caught.value.reason == "no-device"
    else:
        pytest.skip("this machine has a driver")


def test_without_the_library_the_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "DISTRIBUTION", "optarena-nowhere")
    with pytest.raises(
        CountersUnavailable, match=r"optarena-nowhere is not installed.*optarena\[cuda13\]"
    ) as caught:
        sampling.Sampler()
    assert caught.value.reason == "no-library"


def test_samples_of_all_calls_are_summed_by_place_and_reason(tmp_path: Path) -> None:
    told, again = asked(tmp_path)
    found: dict[str, Any] = json.loads(told)
    assert (found["samples"], found["dropped"]) == (120, 3)
    assert found["reasons"] == {"long_scoreboard": 12, "barrier": 9}
    assert found["places"] == [
        {"offset": 16, "reasons": {"barrier": 9}},
        {"offset": 64, "reasons": {"long_scoreboard": 12}},
    ]
    assert again == "['ran']"


@pytest.mark.parametrize(
    ("code", "reason", "remedy"),
    [
        (35, "no-privilege", "CAP_SYS_ADMIN"),
        (40, "no-privilege", "CAP_SYS_ADMIN"),
        (33, "virtualised", "a whole GPU"),
        (39, "in-use", "End the other profiler"),
        (27, "not-supported", ""),
        (999, "refused", ""),
    ],
)
def test_what_cupti_refuses_has_a_reason(tmp_path: Path, code: int, reason: str, remedy: str) -> None:
    (said,) = asked(tmp_path, fails=code)
    assert said.startswith(f"{reason} CUPTI cannot sample: Enable gives error {code}, CUPTI_ERROR_PLANTED.")
    assert remedy in said
    assert said.endswith(f"[{reason}]")


def test_without_a_context_there_is_nothing_to_sample(tmp_path: Path) -> None:
    (said,) = asked(tmp_path, context=0)
    assert said.startswith("no-device There is no CUDA context to sample in")
