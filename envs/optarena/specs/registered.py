"""What this installation knows: environments, boards, devices, formats and calibration sets.

``optarena.register`` checks what it puts here; everybody else reads.
"""

from __future__ import annotations

import itertools
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from optarena.specs.environment import NAMESPACE
from optarena.suggestions import unknown_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from optarena.specs.board import BoardSpec, PortableBoardSpec
    from optarena.specs.calibration import CalibrationSpec
    from optarena.specs.device import DeviceSpec
    from optarena.specs.environment import EnvironmentSpec
    from optarena.specs.formats import ProgramFormat

_environments: Final[dict[str, EnvironmentSpec]] = {}
_boards: Final[dict[str, BoardSpec]] = {}
_portable_boards: Final[dict[str, PortableBoardSpec]] = {}
_devices: Final[dict[str, DeviceSpec]] = {}
_formats: Final[dict[str, ProgramFormat]] = {}
_calibrations: Final[dict[str, CalibrationSpec]] = {}
_commands: Final[dict[str, str]] = {}


def environment_specs() -> tuple[EnvironmentSpec, ...]:
    """All environments of this installation: the package's own, then those of plug-ins."""
    return tuple(_environments.values())


def environment_spec(id_or_slug: str) -> EnvironmentSpec:
    """The environment with this id (``optarena/stack-v0``) or slug (``stack-v0``).

    Raises:
        UnknownName: No such environment; the message names near matches.
    """
    spec = _environments.get(str(id_or_slug).removeprefix(f"{NAMESPACE}/"))
    if spec is None:
        raise unknown_name("environment", id_or_slug, list(_environments))
    return spec


def board_specs() -> tuple[BoardSpec, ...]:
    """All boards: the package's own, then those of plug-ins."""
    return tuple(_boards.values())


def portable_board_specs() -> tuple[PortableBoardSpec, ...]:
    """All boards of portable entries: the package's own, then those of plug-ins."""
    return tuple(_portable_boards.values())


def device_spec(name: str) -> DeviceSpec | None:
    """The device of this name; None for the CPU, and for names that are not registered."""
    return _devices.get(name)


def device_specs() -> tuple[DeviceSpec, ...]:
    """All devices other than the CPU."""
    return tuple(_devices.values())


def program_formats() -> tuple[ProgramFormat, ...]:
    """The formats of program files that one of the compilers reads, or makes programs from."""
    return tuple(_formats.values())


def calibration_specs() -> tuple[CalibrationSpec, ...]:
    """The calibration sets of all compilers, by name."""
    return tuple(_calibrations[name] for name in sorted(_calibrations))


def calibration_version() -> str:
    """The versions of all calibration sets, such as ``stack 1-4.2``; empty where there is none."""
    return ", ".join(f"{spec.name} {spec.version}" for spec in calibration_specs())


def commands() -> Mapping[str, str]:
    """The commands of compilers: for each name the ``module:attribute`` of a click command."""
    return _commands


def inherited_variables() -> tuple[str, ...]:
    """The environment variables that processes of compilers and devices need, each once."""
    lists = [spec.variables for spec in _environments.values()]
    lists += [device.variables for device in _devices.values()]
    return tuple(dict.fromkeys(itertools.chain.from_iterable(lists)))


def recorded_packages() -> tuple[str, ...]:
    """The distributions whose versions are recorded with results, each once."""
    lists = [spec.packages for spec in _environments.values()]
    lists += [device.packages for device in _devices.values()]
    return tuple(dict.fromkeys(itertools.chain.from_iterable(lists)))


@contextmanager
def all_or_nothing() -> Iterator[None]:
    """Take back what was made known in a block that ends in an error."""
    known: list[dict[str, Any]] = [
        _environments,
        _boards,
        _portable_boards,
        _devices,
        _formats,
        _calibrations,
        _commands,
    ]
    before = [dict(one) for one in known]
    try:
        yield
    except BaseException:
        for one, former in zip(known, before, strict=True):
            one.clear()
            one.update(former)
        raise


def add_environment(spec: EnvironmentSpec) -> None:
    """Make an environment known under its slug."""
    _environments[spec.slug] = spec


def add_board(board: BoardSpec) -> None:
    """Make a board known under its slug."""
    _boards[board.slug] = board


def add_portable_board(board: PortableBoardSpec) -> None:
    """Make a board of portable entries known under its slug."""
    _portable_boards[board.slug] = board


def add_device(device: DeviceSpec) -> None:
    """Make a device known under its name."""
    _devices[device.name] = device


def add_format(program_format: ProgramFormat) -> None:
    """Make a format known under its suffix."""
    _formats[program_format.suffix] = program_format


def add_calibration(spec: CalibrationSpec) -> None:
    """Make a calibration set known under its name."""
    _calibrations[spec.name] = spec


def add_command(name: str, command: str) -> None:
    """Make a command known under its name."""
    _commands[name] = command
