"""``optarena.register``: how environments, datasets, boards, devices and formats become known.

The package's own compilers are registered by it, and so are plug-ins. Nothing here starts a process or loads
a compiler.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from optarena.datasets import registry as known_datasets
from optarena.datasets.base import BaseDataset
from optarena.errors import InvalidInput
from optarena.registry.after_import import after_import
from optarena.registry.checks import (
    check_board,
    check_calibration,
    check_command,
    check_device,
    check_environment,
    check_format,
    check_portable_board,
    check_texts,
    content_of,
    list_of,
    taken_error,
)
from optarena.specs import (
    BoardSpec,
    CalibrationSpec,
    DeviceSpec,
    EnvironmentSpec,
    PortableBoardSpec,
    ProgramFormat,
    registered,
)
from optarena.specs.device import CPU

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

T = TypeVar("T")


def register(  # noqa: PLR0913 # all but the first by name
    environments: Iterable[EnvironmentSpec] = (),
    *,
    dataset_folders: Iterable[Path | str] = (),
    boards: Iterable[BoardSpec | PortableBoardSpec] = (),
    datasets: Iterable[BaseDataset] = (),
    devices: Iterable[DeviceSpec] = (),
    formats: Iterable[ProgramFormat] = (),
    calibrations: Iterable[CalibrationSpec] = (),
    commands: Mapping[str, str] | None = None,
) -> None:
    """Make environments, datasets and boards known, all or none; doing it again changes nothing.

    Args:
        environments: What ``gymnasium.make("optarena/<slug>")`` can make afterwards.
        dataset_folders: Each holds a folder for each dataset, with its ``manifest.json`` and programs.
        boards: The leaderboards that a server with this plug-in offers.
        datasets: Datasets outside these folders.
        devices: Kinds of devices other than the CPU that replays run on.
        formats: Formats of program files that ``FilesDataset`` reads and that pages show.
        calibrations: Small workloads that runners measure to notice that their machine has changed.
        commands: Commands of ``optarena``: for each name the ``module:attribute`` of a click command.

    Raises:
        InvalidInput: A wrong kind, a contradiction, a name that is taken, or a folder that does not exist.
        UnknownName: The environment or the metric of a board does not exist, or a dataset's environment.
    """
    specs = list_of("environments", environments, EnvironmentSpec)
    device_list = list_of("devices", devices, DeviceSpec)
    board_list = list_of("boards", boards, BoardSpec, PortableBoardSpec)
    add_datasets = _checked_datasets(dataset_folders, datasets, specs)
    with registered.all_or_nothing():
        _each(_register_device, device_list)
        _each(_register_format, list_of("formats", formats, ProgramFormat))
        _each(_register_environment, specs)
        _each(_register_board, board_list)
        _each(_register_calibration, list_of("calibrations", calibrations, CalibrationSpec))
        _register_commands(commands or {})
    _register_with_gymnasium(specs)
    add_datasets()


def _each(add: Callable[[T], None], things: Iterable[T]) -> None:
    for one in things:
        add(one)


def _checked_datasets(
    dataset_folders: Iterable[Path | str],
    given: Iterable[BaseDataset],
    specs: Iterable[EnvironmentSpec],
) -> Callable[[], None]:
    """The functions that make the datasets known; all datasets are checked now."""
    folders = [Path(one).absolute() for one in list_of("dataset_folders", dataset_folders, Path, str)]
    datasets = list_of("datasets", given, BaseDataset)  # type: ignore[type-abstract] # it is not instantiated
    for folder in folders:
        known_datasets.check_folder(folder)
    for one in datasets:
        known_datasets.check_dataset(one, folders, specs)
    if len({one.name for one in datasets}) < len(set(datasets)):
        message = f"datasets: Two of {', '.join(one.name for one in datasets)} have the same name."
        raise InvalidInput(message, field="datasets", remedy="Give each another name.")

    def add() -> None:
        _each(known_datasets.add_folder, folders)
        _each(known_datasets.add_dataset, datasets)

    return add


def _register_environment(spec: EnvironmentSpec) -> None:
    check_environment(spec)
    known = next((one for one in registered.environment_specs() if one.slug == spec.slug), None)
    if known is None:
        registered.add_environment(spec)
    elif known is not spec and content_of(known) != content_of(spec):
        raise taken_error("environment", spec.slug)


def _register_with_gymnasium(specs: Iterable[EnvironmentSpec]) -> None:
    # Most processes never use gymnasium, and it takes longer to load than everything else.
    after_import("gymnasium", partial(_each, _add_to_gymnasium, specs))


def _add_to_gymnasium(spec: EnvironmentSpec) -> None:
    """No wrapper is requested: the environment itself checks the order of calls and has no step limit."""
    import gymnasium  # noqa: PLC0415 - as above

    if spec.id not in gymnasium.registry:
        gymnasium.register(
            id=spec.id,
            entry_point=spec.entry_point,
            kwargs={"environment": spec.id},
            disable_env_checker=True,
            order_enforce=False,
        )


def _register_board(board: BoardSpec | PortableBoardSpec) -> None:
    check_texts("board", board.slug, board)
    if isinstance(board, PortableBoardSpec):
        _register_portable_board(board)
        return
    spec = registered.environment_spec(board.environment)
    check_board(board, spec, (CPU, *(device.name for device in registered.device_specs())))
    known = next((one for one in registered.board_specs() if one.slug == board.slug), None)
    if known is None:
        registered.add_board(board)
    elif known != board:
        raise taken_error("board", board.slug)


def _register_portable_board(board: PortableBoardSpec) -> None:
    check_portable_board(board, registered.environment_spec(board.environment))
    known = {one.slug: one for one in registered.portable_board_specs()}.get(board.slug)
    if known not in (None, board):
        raise taken_error("board", board.slug)
    registered.add_portable_board(board)


def _register_format(program_format: ProgramFormat) -> None:
    check_format(program_format)
    known = {one.suffix: one for one in registered.program_formats()}.get(program_format.suffix)
    if known not in (None, program_format):
        raise taken_error("format", program_format.suffix)
    registered.add_format(program_format)


def _register_device(device: DeviceSpec) -> None:
    check_device(device)
    known = registered.device_spec(device.name)
    if device.name == CPU or known not in (None, device):
        raise taken_error("device", device.name)
    registered.add_device(device)


def _register_calibration(spec: CalibrationSpec) -> None:
    check_calibration(spec)
    known = {one.name: one for one in registered.calibration_specs()}.get(spec.name)
    if known not in (None, spec):
        raise taken_error("calibration set", spec.name)
    registered.add_calibration(spec)


def _register_commands(commands: Mapping[str, str]) -> None:
    for name, command in commands.items():
        check_command(name, command)
        if registered.commands().get(name, command) != command:
            raise taken_error("command", name)
        registered.add_command(name, command)
