"""Describe a worker's machine, and test its device."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from optarena.service.processes import folders
from optarena.service.processes.folders import importing_environment
from optarena.specs import canonical_json, environment_specs, recorded_packages
from runner import conf
from runner.errors import UnsuitableWorkerError

_PROC: Final = Path("/proc")
_CPUS: Final = Path("/sys/devices/system/cpu")
_DRIVER: Final = "nvidia_driver"
_LISTED: Final = re.compile(r"^GPU \d+: (?P<name>.+) \(UUID: (?P<uuid>\S+)\)$", re.MULTILINE)
_NUMBERS: Final = re.compile(r"\b\d+\.\d+(?:\.\d+)?\b")
_SMT: Final = {"0": "off", "1": "on"}
_KHZ_IN_MHZ: Final = 1000
_VISIBLE: Final = "CUDA_VISIBLE_DEVICES"


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    fingerprint: Mapping[str, Any]
    versions: Mapping[str, str]

    @property
    def identity(self) -> str:
        return identity_of(self.fingerprint, self.versions)


def models_of(fingerprint: Mapping[str, Any]) -> tuple[str, ...]:
    # Whatever a worker wrote of itself, it must break nothing.
    gpus = fingerprint.get("gpus")
    listed = [gpu.get("name") for gpu in gpus if isinstance(gpu, dict)] if isinstance(gpus, list) else []
    return tuple(sorted({name for name in listed if isinstance(name, str) and name}))


def identity_of(fingerprint: Mapping[str, Any], versions: Mapping[str, str]) -> str:
    facts = {**fingerprint, _DRIVER: versions.get(_DRIVER, "")}
    return hashlib.sha256(canonical_json(facts).encode()).hexdigest()


def describe(*, proc: Path = _PROC, cpus: Path = _CPUS) -> Machine:
    # Without using a device.
    versions = {
        "python": platform.python_version(),
        **_compiler_versions(),
        # From their metadata, since importing one might start a device.
        **{name: _version(name) for name in ("optarena", *recorded_packages())},
        _DRIVER: _driver(proc),
    }
    return Machine(
        fingerprint={
            "cpu": _processor(proc),
            "cores": len(os.sched_getaffinity(0)),
            "kernel": platform.release(),
            "gpus": _gpus(proc),
            **_processor_facts(proc, cpus),
            **_visible(),
        },
        versions={name: version for name, version in versions.items() if version},
    )


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""


def _compiler_versions() -> dict[str, str]:
    # A machine may have several releases of one.
    found: dict[str, dict[str, None]] = {}
    for spec in environment_specs():
        if spec.release is not None:
            name, version = spec.release
            found.setdefault(name.lower(), {})[version] = None
    return {name: " and ".join(versions) for name, versions in found.items()}


def _processor(proc: Path) -> str:
    model = re.search(r"^model name\s*:\s*(.+)$", _text(proc / "cpuinfo"), re.MULTILINE)
    return model[1].strip() if model else platform.machine()


def _processor_facts(proc: Path, cpus: Path) -> dict[str, str]:
    microcode = re.search(r"^microcode\s*:\s*(\S+)$", _text(proc / "cpuinfo"), re.MULTILINE)
    told = {
        "microcode": microcode[1] if microcode else "",
        "mitigations": _mitigations(cpus / "vulnerabilities"),
        "governor": _text(cpus / "cpu0/cpufreq/scaling_governor").strip(),
        "smt": _SMT.get(_text(cpus / "smt/active").strip(), ""),
        "max_mhz": _megahertz(_text(cpus / "cpu0/cpufreq/cpuinfo_max_freq")),
    }
    return {name: value for name, value in told.items() if value}


def _mitigations(folder: Path) -> str:
    try:
        told = {file.name: _text(file).strip() for file in sorted(folder.iterdir())}
    except OSError:
        return ""
    return "; ".join(
        f"{name}: {done.removeprefix('Mitigation: ')}"
        for name, done in told.items()
        if done and done != "Not affected"
    )


def _megahertz(kilohertz: str) -> str:
    text = kilohertz.strip()
    return str(int(text) // _KHZ_IN_MHZ) if text.isdecimal() else ""


def _driver(proc: Path) -> str:
    # Such as 580.82.07.
    first, _, _ = _text(proc / "driver/nvidia/version").partition("\n")
    version = _NUMBERS.search(first)
    return version[0] if version else ""


def _gpus(proc: Path) -> list[dict[str, str]]:
    # These may be more than a worker uses: both sources ignore CUDA_VISIBLE_DEVICES.
    described = (_text(file) for file in sorted((proc / "driver/nvidia/gpus").glob("*/information")))
    found = [_described_gpu(text) for text in described if text]
    return found or _listed_gpus()


def _visible() -> dict[str, str]:
    # UUIDs are not published.
    given = os.environ.get(_VISIBLE)
    return {} if given is None or not re.fullmatch(r"[0-9,]*", given) else {_VISIBLE: given}


def _described_gpu(text: str) -> dict[str, str]:
    lines = (line.partition(":") for line in text.splitlines())
    given = {key.strip(): value.strip() for key, _, value in lines}
    return {"name": given.get("Model", ""), "uuid": given.get("GPU UUID", "")}


def _listed_gpus() -> list[dict[str, str]]:
    # For containers that do not show the driver's files.
    try:
        listed = folders.run(["nvidia-smi", "-L"], seconds=conf.DEVICE_LIST_SECONDS)
    except OSError:  # it is not installed, or did not end in time
        return []
    return [match.groupdict() for match in _LISTED.finditer(listed.printed)]


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


_ASK_FOR_DEVICE: Final = """
import sys
from optarena.errors import DeviceUnavailable
from optarena.specs.environment import load
try:
    load(sys.argv[1])()
except DeviceUnavailable as error:
    sys.exit(str(error))
"""
_LAST_WORDS: Final = 2000


def check_device(hardware: str) -> None:
    # It would take all the work of its class and fail. A child process tests the device, since the test
    # initialises CUDA, and a process that forks must not have done that.
    device = conf.device_of(hardware)
    if device is None or device.is_imitated:
        return
    try:
        asked = folders.run(  # started like a measurement, so that it finds the same libraries
            [sys.executable, "-s", "-P", "-c", _ASK_FOR_DEVICE, device.check],
            seconds=conf.DEVICE_SECONDS,
            environment=importing_environment(),
            directory="/",
        )
    except TimeoutError:
        problem = f"The driver did not answer within {conf.DEVICE_SECONDS:g} s; see nvidia-smi."
    except OSError as error:  # no room or no folder for its output, no memory, no process
        problem = f"The device's check could not be started: {error}."
    else:
        if asked.code == 0:
            return
        problem = asked.said.strip()[-_LAST_WORDS:] or f"The device's check ended with code {asked.code}."
    raise UnsuitableWorkerError(
        f"A worker of the hardware class {hardware!r} cannot work here. {problem} Fix this and start it "
        "again; its work stays in the queue."
    )
