"""``optarena.register``: how environments, datasets, boards, devices and formats become known.

The package's own compilers come in by it, and so do plug-ins. Nothing here starts a process or loads a
compiler.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from optarena.datasets import registry as known_datasets
from optarena.datasets.base import BaseDataset
from optarena.errors import InvalidInput
from optarena.registry.checks import (
    check_board,
    check_device,
    check_environment,
    check_format,
    check_texts,
    content_of,
    list_of,
    taken_error,
)
from optarena.specs import BoardSpec, DeviceSpec, EnvironmentSpec, ProgramFormat, registered
from optarena.specs.device import CPU

if TYPE_CHECKING:
    from collections.abc import Iterable


def register(  # noqa: PLR0913 # all but the first by name
    environments: Iterable[EnvironmentSpec] = (),
    *,
    dataset_folders: Iterable[Path | str] = (),
    boards: Iterable[BoardSpec] = (),
    datasets: Iterable[BaseDataset] = (),
    devices: Iterable[DeviceSpec] = (),
    formats: Iterable[ProgramFormat] = (),
) -> None:
    """Make environments, datasets and boards known, to gymnasium and to a server of OptArena.

    Registering the same things again changes nothing.

    Args:
        environments: What ``gymnasium.make("optarena/<slug>")`` can make afterwards.
        dataset_folders: Folders that hold one folder for each dataset, named as the dataset, with its
            ``manifest.json`` and programs.
        boards: The leaderboards that a server with this plug-in offers.
        datasets: Datasets that lie in none of these folders: a ``ParametricDataset``, whose benchmarks are
            computed, or a ``FilesDataset``.
        devices: Kinds of devices beside the CPU that replays are made on.
        formats: Formats of program files that ``FilesDataset`` reads and that pages show.

    Raises:
        InvalidInput: An argument is not a list of what it should be, a description contradicts itself, a slug
            or a dataset's name is taken by something else, or a folder does not exist.
        UnknownName: The environment or the metric of a board does not exist, or a dataset's environment.
    """
    specs = list_of("environments", environments, EnvironmentSpec)
    board_list = list_of("boards", boards, BoardSpec)
    device_list = list_of("devices", devices, DeviceSpec)
    format_list = list_of("formats", formats, ProgramFormat)
    folders = [Path(one).absolute() for one in list_of("dataset_folders", dataset_folders, Path, str)]
    dataset_list = list_of("datasets", datasets, BaseDataset)  # type: ignore[type-abstract] # none is made of it
    _check_datasets(folders, dataset_list, specs)
    for device in device_list:
        _register_device(device)
    for one in format_list:
        check_format(one)
        registered.add_format(one)
    for spec in specs:
        _register_environment(spec)
    for board in board_list:
        _register_board(board)
    for folder in folders:
        known_datasets.add_folder(folder)
    for dataset in dataset_list:
        known_datasets.add_dataset(dataset)


def _check_datasets(
    folders: list[Path], datasets: list[BaseDataset], specs: Iterable[EnvironmentSpec]
) -> None:
    for folder in folders:
        known_datasets.check_folder(folder)
    for one in datasets:
        known_datasets.check_dataset(one, folders, specs)
    if len({one.name for one in datasets}) < len(set(datasets)):
        message = f"datasets: Two of {', '.join(one.name for one in datasets)} have the same name."
        raise InvalidInput(message, field="datasets", remedy="Give each another name.")


def _register_environment(spec: EnvironmentSpec) -> None:
    check_environment(spec)
    known = next((one for one in registered.environment_specs() if one.slug == spec.slug), None)
    if known is None:
        registered.add_environment(spec)
        _register_with_gymnasium(spec)
    elif known is not spec and content_of(known) != content_of(spec):
        raise taken_error("environment", spec.slug)


def _register_with_gymnasium(spec: EnvironmentSpec) -> None:
    """No wrapper is asked for: the environment keeps the order of calls itself and has no step limit."""
    import gymnasium  # noqa: PLC0415 - a plug-in's module may be imported where there is no need of it

    if spec.id not in gymnasium.registry:
        gymnasium.register(
            id=spec.id,
            entry_point=spec.entry_point,
            kwargs={"environment": spec.id},
            disable_env_checker=True,
            order_enforce=False,
        )


def _register_board(board: BoardSpec) -> None:
    check_texts("board", board.slug, board)
    spec = registered.environment_spec(board.environment)
    check_board(board, spec, (CPU, *(device.name for device in registered.device_specs())))
    known = next((one for one in registered.board_specs() if one.slug == board.slug), None)
    if known is None:
        registered.add_board(board)
    elif known != board:
        raise taken_error("board", board.slug)


def _register_device(device: DeviceSpec) -> None:
    check_device(device)
    known = registered.device_spec(device.name)
    if device.name == CPU or known not in (None, device):
        raise taken_error("device", device.name)
    registered.add_device(device)
