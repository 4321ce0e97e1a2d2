"""``optarena.register``: how environments, datasets, boards, devices and formats become known; and plug-ins.

If a plug-in of ``$OPTARENA_PLUGINS`` fails, ``import optarena`` fails, so that no process continues with half
of its registrations; the command ``optarena`` ends with one line. A description that contradicts itself is
refused at once. Nothing here starts a process or loads a compiler.
"""

from __future__ import annotations

import functools
import importlib
import math
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from functools import partial
from importlib import import_module, machinery, util
from importlib.abc import MetaPathFinder
from inspect import getattr_static
from pathlib import Path
from types import CellType, FunctionType, ModuleType
from typing import Any, Final, TypeVar

from optarena import limits
from optarena.datasets import registry as known_datasets
from optarena.datasets.dataset import BaseDataset
from optarena.documents.texts import is_printable, one_line
from optarena.errors import InvalidInput
from optarena.logs import debug_level
from optarena.specs import (
    LEVEL_NAME,
    METRIC_NAME,
    BoardSpec,
    CalibrationSpec,
    DeviceSpec,
    EnvironmentSpec,
    Metric,
    PortableBoardSpec,
    ProgramFormat,
    environment,
    environment_specs,
)
from optarena.specs.environment import CPU
from optarena.specs.rewards import UNOPTIMISED, RewardSpec

# What follows ``portable/`` in the address of an entry, in the place of a board's slug.
_ADDRESS_OF_ENTRIES: Final = "entries"
Described = (
    EnvironmentSpec | BoardSpec | PortableBoardSpec | DeviceSpec | ProgramFormat | CalibrationSpec | Metric
)

_PLAIN: Final = (type(None), bool, int, float, complex, str, bytes, frozenset)
_ENVIRONMENT_SLUG: Final = re.compile(
    rf"[a-z0-9][a-z0-9_-]{{0,{limits.ENVIRONMENT_FAMILY_LENGTH - 1}}}"
    rf"-v[0-9]{{1,{limits.ENVIRONMENT_VERSION_DIGITS}}}"
)
_MOST_DAYS: Final = 3_650
_BOARD_SLUG: Final = re.compile(rf"[a-z0-9][a-z0-9_-]{{0,{limits.BOARD_SLUG_LENGTH - 1}}}")
_WORD: Final = re.compile(r"[a-z][a-z0-9]{0,15}"), "lower-case letters and digits"
_SET_VERSION: Final = re.compile(r"[A-Za-z0-9.-]{1,60}"), "at most 60 letters, digits, dots and hyphens"
_SUFFIX: Final = re.compile(r"\.[A-Za-z0-9]{1,15}"), "a dot and letters or digits"
_FUNCTION: Final = re.compile(r"[\w.]+:\w+"), "'module:function'"
_ATTRIBUTE: Final = _FUNCTION[0], "'module:attribute'"


def list_of(argument: str, given: Iterable[T], *kinds: type[T]) -> list[T]:
    """The things given, each of one of these kinds."""
    names = " or ".join(kind.__name__ for kind in kinds)
    remedy = f"Give a list of {names}."
    if isinstance(given, (str, *kinds)) or not isinstance(given, Iterable):
        message = f"{argument} must be a list, not {given!r:.80} ({type(given).__name__})."
        raise InvalidInput(message, field=argument, value=given, remedy=remedy)
    items = list(given)
    for index, item in enumerate(items):
        if not isinstance(item, kinds):
            message = f"{argument}[{index}] must be {names}, not {item!r:.80} ({type(item).__name__})."
            raise InvalidInput(message, field=argument, value=item, remedy=remedy)
    return items


def check_board(board: BoardSpec, spec: EnvironmentSpec, devices: Iterable[str]) -> None:
    """Refuse a board that its environment cannot serve, or that no machine can run."""
    spec.metric(board.metric)
    ratio = board.plausible_ratio
    problem: tuple[str, str] | None = None
    if not spec.boardable:
        allowed = ", ".join(one.slug for one in environment_specs() if one.boardable)
        problem = "environment", f"{spec.slug} cannot have a board. Name one of: {allowed}."
    elif not _BOARD_SLUG.fullmatch(board.slug):
        problem = "slug", "The value must be lower-case words with hyphens."
    elif isinstance(ratio, bool) or not isinstance(ratio, (int, float)) or not 1 <= ratio < math.inf:
        problem = "plausible_ratio", f"The value must be a number, 1 or more, not {ratio!r:.80}."
    elif type(board.open_after_days) is not int or not 0 <= board.open_after_days <= _MOST_DAYS:
        problem = "open_after_days", f"The value must be a whole number from 0 to {_MOST_DAYS}."
    elif board.device not in devices:
        problem = "device", f"{board.device!r:.80} is not one of {', '.join(devices)}."
    else:
        problem = _comparison_problem(board, spec)
    if problem:
        raise _invalid("board", board.slug, *problem)


def _comparison_problem(board: BoardSpec, spec: EnvironmentSpec) -> tuple[str, str] | None:
    if board.reference_metric and board.baseline_level:
        return "reference_metric", "This field replaces baseline_level; give only one of the two."
    if board.reference_metric not in ("", *spec.metric_names) or board.reference_metric == board.metric:
        return "reference_metric", f"The value must be a different metric of {spec.slug}."
    if not board.reference_metric and (
        not LEVEL_NAME.fullmatch(board.baseline_level) or board.baseline_level == UNOPTIMISED
    ):
        return "baseline_level", f"The value must be letters and digits, and must not be {UNOPTIMISED}."
    if not isinstance(board.benchmarks, tuple) or not all(isinstance(one, str) for one in board.benchmarks):
        return "benchmarks", "The value must be a tuple of URIs."
    return None


def check_portable_board(board: PortableBoardSpec, spec: EnvironmentSpec) -> None:
    """Refuse a board of portable entries that its environment cannot serve."""
    metric = spec.metric(board.metric)
    number = board.programs
    problem: tuple[str, str] | None = None
    if not spec.boardable:
        problem = "environment", f"{spec.slug} cannot have a board."
    elif not _BOARD_SLUG.fullmatch(board.slug):
        problem = "slug", "The value must be lower-case words with hyphens."
    elif board.slug == _ADDRESS_OF_ENTRIES:
        problem = "slug", "The value is the address of all entries."
    elif not metric.exact or not metric.lower_is_better:
        problem = "metric", "The value must be an exact metric of which less is better."
    elif not LEVEL_NAME.fullmatch(board.baseline_level) or board.baseline_level == UNOPTIMISED:
        problem = "baseline_level", f"The value must be letters and digits, and must not be {UNOPTIMISED}."
    elif type(number) is not int or not 1 <= number <= limits.MAX_DRAWN_PROGRAMS:
        problem = "programs", f"The value must be a whole number from 1 to {limits.MAX_DRAWN_PROGRAMS}."
    if problem:
        raise _invalid("board", board.slug, *problem)


def check_environment(spec: EnvironmentSpec) -> None:
    """Refuse a description that would fail later, far from the plug-in that caused it."""
    _check_types(spec)
    names = [metric.name for metric in spec.metrics]
    problem: tuple[str, str] | None = None
    if not _ENVIRONMENT_SLUG.fullmatch(spec.slug):
        problem = (
            "slug",
            "The value must be lower-case words with hyphens and end in its version: 'stack-v0'.",
        )
    elif not names or len(set(names)) < len(names):
        problem = "metrics", "There must be at least one metric, and all names must differ."
    elif wrong := [name for name in names if not METRIC_NAME.fullmatch(name)]:
        problem = "metrics", f"{wrong[0]!r} must be lower-case letters, digits and underscores."
    elif wrong := [one.metric for one in spec.rewards.values() if one.metric not in ("", *names)]:
        problem = "rewards", f"One reward is about {wrong[0]!r}, which is not one of the metrics."
    elif spec.reward_space and spec.reward_space not in spec.rewards:
        problem = "reward_space", f"{spec.reward_space!r} is not one of the rewards."
    elif wrong := [
        one.name
        for one in spec.ranked_tables
        if one.name.split() != [one.name]
        or not is_printable(one.name)
        or len(one.name) > limits.ACTION_SPACE_LENGTH
    ]:
        allowed = f"one word of at most {limits.ACTION_SPACE_LENGTH} characters"
        problem = "further_tables", f"{wrong[0]!r:.120} must be {allowed}."
    elif spec.ranks_further_tables and spec.version is None:
        problem = "version", "It must cover the further tables, on which results depend."
    elif spec.version is None and not spec.compiler:
        problem = "compiler", "It must name the compiler with its version, on which results depend."
    if problem:
        raise _invalid("environment", spec.slug, *problem)


def _check_types(spec: EnvironmentSpec) -> None:
    # Type hints are not enforced, and a wrong type would only show when the environment is used.
    check_texts("environment", spec.slug, spec)
    problem: tuple[str, str] | None = None
    metrics, rewards = spec.metrics, spec.rewards
    if not isinstance(metrics, tuple) or not all(isinstance(one, Metric) for one in metrics):
        problem = "metrics", "The value must be a tuple of Metric."
    elif not isinstance(rewards, Mapping) or not all(isinstance(one, RewardSpec) for one in rewards.values()):
        problem = "rewards", "The value must be a mapping of names to RewardSpec."
    elif not _is_table(spec.action_table):
        problem = "action_table", "The value must be an action table, for example NamedActions."
    elif not isinstance(spec.further_tables, tuple) or not all(map(_is_table, spec.further_tables)):
        problem = "further_tables", "The value must be a tuple of action tables."
    if problem:
        raise _invalid("environment", spec.slug, *problem)
    for metric in metrics:
        check_texts("environment", spec.slug, metric)


def _is_table(value: object) -> bool:
    # Names may take long to list.
    parts = ("name", "names", "parse", "commandline")
    return all(getattr_static(value, part, None) is not None for part in parts)


def check_texts(kind: str, slug: str, described: Described) -> None:
    """Refuse a description with another type where a text is required."""
    for one in fields(described):
        value = getattr(described, one.name)
        if one.type == "str" and not isinstance(value, str):
            raise _invalid(kind, slug, one.name, f"The value must be a text, not {value!r:.80}.")


def _invalid(kind: str, slug: str, field: str, problem: str) -> InvalidInput:
    return InvalidInput(f"The {kind} {slug!r} cannot be registered: {field}: {problem}", field=field)


def _check_form(kind: str, slug: str, field: str, value: object, form: tuple[re.Pattern[str], str]) -> None:
    pattern, words = form
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise _invalid(kind, slug, field, f"The value must be {words}.")


def name_taken_error(kind: str, slug: str) -> InvalidInput:
    """The error for a name that is taken by something else."""
    return InvalidInput(
        f"Another {kind} is already registered as {slug!r}.",
        field="slug",
        value=slug,
        remedy="Give it another slug. If its meaning has changed, give it a new version.",
    )


def comparable_fields(spec: EnvironmentSpec) -> dict[str, object]:
    """What two specs of the same environment have in common, although they are different objects."""
    return {one.name: _content(getattr(spec, one.name)) for one in fields(spec)} | {"version": spec.digest}


def _content(value: Any) -> object:  # noqa: ANN401 # of any field
    # Functions and tables are made anew where a module is imported again.
    if isinstance(value, tuple):
        return tuple(map(_content, value))
    if hasattr(value, "names"):
        return (value.name, *value.names)
    if isinstance(value, functools.partial):
        return _content(value.func), _content(value.args), _content(tuple(sorted(value.keywords.items())))
    if callable(value):
        name = getattr(value, "__qualname__", type(value).__qualname__)
        is_unnamed = isinstance(value, FunctionType) and "<" in name
        return getattr(value, "__module__", ""), name, _code(value) if is_unnamed else None
    return dict(value) if isinstance(value, Mapping) else value


def _code(function: FunctionType) -> object:
    # What tells functions apart that share a name: lambdas, and those that one function makes.
    code, cells = function.__code__, function.__closure__ or ()
    closed_over = [cell.cell_contents for cell in cells if cell != CellType()]
    given = [*(function.__defaults__ or ()), *sorted((function.__kwdefaults__ or {}).items()), *closed_over]
    return code.co_code, _plain(code.co_consts), code.co_names, _plain(tuple(given))


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    return value if isinstance(value, _PLAIN) else getattr(value, "__qualname__", type(value).__qualname__)


def after_import(package: str, act: Callable[[], None]) -> None:
    """Call a function once a package is imported: now if it has been, or else at the end of its import.

    Functions of one package are called in the order in which they were given.
    """
    waiting = next(
        (one for one in sys.meta_path if isinstance(one, _Waiting) and one.package == package), None
    )
    if waiting is not None:
        waiting.acts.append(act)
    elif package in sys.modules:
        import_module(package)  # another thread may be in the middle of it
        act()
    else:
        sys.meta_path.insert(0, _Waiting(package, act))


class _Waiting(MetaPathFinder):
    # Finds one package as the other finders do, and calls the functions after the package was executed.

    def __init__(self, package: str, act: Callable[[], None]) -> None:
        self.package = package
        self.acts = [act]
        self._is_asking = False

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> machinery.ModuleSpec | None:
        del path, target
        if fullname != self.package or self._is_asking:
            return None
        self._is_asking = True
        try:
            spec = util.find_spec(fullname)
        finally:
            self._is_asking = False
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module
            # The loader belongs to this spec alone; a loader of another class would lose its other methods.
            spec.loader.exec_module = lambda module: self._execute(execute, module)  # type: ignore[method-assign] # as above
        return spec

    def _execute(self, execute: Callable[[ModuleType], None], module: ModuleType) -> None:
        execute(module)
        sys.meta_path.remove(self)
        for act in self.acts:
            act()


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
    folders, dataset_list = _checked_datasets(dataset_folders, datasets, specs)
    with environment.all_or_nothing():
        for device in device_list:
            _register_device(device)
        for program_format in list_of("formats", formats, ProgramFormat):
            _register_format(program_format)
        for spec in specs:
            _register_environment(spec)
        for board in board_list:
            _register_board(board)
        for calibration in list_of("calibrations", calibrations, CalibrationSpec):
            _register_calibration(calibration)
        for name, command in (commands or {}).items():
            _check_form("command", str(name), "name", name, _WORD)
            _check_form("command", name, "command", command, _ATTRIBUTE)
            _add(environment.COMMANDS, "command", name, command)
    after_import("gymnasium", partial(_add_to_gymnasium, specs))
    known_datasets.add(folders, dataset_list)


def _checked_datasets(
    dataset_folders: Iterable[Path | str], given: Iterable[BaseDataset], specs: Iterable[EnvironmentSpec]
) -> tuple[list[Path], list[BaseDataset]]:
    folders = [Path(one).absolute() for one in list_of("dataset_folders", dataset_folders, Path, str)]
    datasets = list_of("datasets", given, BaseDataset)  # type: ignore[type-abstract] # it is not instantiated
    for folder in folders:
        known_datasets.check_folder(folder)
    for one in datasets:
        known_datasets.check_dataset(one, folders, specs)
    if len({one.name for one in datasets}) < len(set(datasets)):
        message = f"datasets: Two of {', '.join(one.name for one in datasets)} have the same name."
        raise InvalidInput(message, field="datasets", remedy="Give each another name.")
    return folders, datasets


def _register_environment(spec: EnvironmentSpec) -> None:
    check_environment(spec)
    known = environment.ENVIRONMENTS.setdefault(spec.slug, spec)
    if known is not spec and comparable_fields(known) != comparable_fields(spec):
        raise name_taken_error("environment", spec.slug)


def _add_to_gymnasium(specs: Iterable[EnvironmentSpec]) -> None:
    # No wrapper: the environment itself checks the order of calls and has no step limit.
    import gymnasium  # noqa: PLC0415 - most processes never use it, and it takes longer to load than all else

    for spec in specs:
        if spec.id not in gymnasium.registry:
            gymnasium.register(
                id=spec.id,
                entry_point=spec.entry_point,
                vector_entry_point="optarena.envs:make_vec",
                kwargs={"environment": spec.id},
                disable_env_checker=True,
                order_enforce=False,
            )


def _add(known: dict[str, T], kind: str, name: str, thing: T) -> None:
    if known.setdefault(name, thing) != thing:
        raise name_taken_error(kind, name)


def _register_board(board: BoardSpec | PortableBoardSpec) -> None:
    check_texts("board", board.slug, board)
    spec = environment.environment_spec(board.environment)
    if isinstance(board, PortableBoardSpec):
        check_portable_board(board, spec)
        _add(environment.PORTABLE_BOARDS, "board", board.slug, board)
    else:
        check_board(board, spec, (CPU, *environment.DEVICES))
        _add(environment.BOARDS, "board", board.slug, board)


def _register_format(program_format: ProgramFormat) -> None:
    suffix = program_format.suffix
    check_texts("format", suffix, program_format)
    _check_form("format", suffix, "suffix", suffix, _SUFFIX)
    for name in ("make_benchmark", "check_flags"):
        if given := getattr(program_format, name):
            _check_form("format", suffix, name, given, _FUNCTION)
    _add(environment.FORMATS, "format", suffix, program_format)


def _register_device(device: DeviceSpec) -> None:
    check_texts("device", device.name, device)
    _check_form("device", device.name, "name", device.name, _WORD)
    _check_form("device", device.name, "check", device.check, _FUNCTION)
    if device.name == CPU:
        raise name_taken_error("device", device.name)
    _add(environment.DEVICES, "device", device.name, device)


def _register_calibration(spec: CalibrationSpec) -> None:
    check_texts("calibration set", spec.name, spec)
    for field, form in (("name", _WORD), ("version", _SET_VERSION), ("prepare", _FUNCTION)):
        _check_form("calibration set", spec.name, field, getattr(spec, field), form)
    _add(environment.CALIBRATIONS, "calibration set", spec.name, spec)


PLUGINS_VARIABLE: Final = "OPTARENA_PLUGINS"
_COMMAND: Final = "optarena"
_COMMAND_FAILED: Final = 2
_SHOWN: Final = 500


def load_plugins() -> None:
    """Import the modules that ``$OPTARENA_PLUGINS`` names, separated by commas; each registers itself.

    Raises:
        InvalidInput: One of them cannot be imported; the message names the variable, module, cause and place.
        SystemExit: The same for the command ``optarena``, after one line on standard error: it is imported
            before it can handle errors.
    """
    for name in os.environ.get(PLUGINS_VARIABLE, "").split(","):
        module = name.strip()
        if not module:
            continue
        try:
            importlib.import_module(module)
        except KeyboardInterrupt:
            raise
        except BaseException as cause:  # SystemExit too: a plug-in may not end the process silently
            error = _unusable(module, cause)
            if _is_command() and not debug_level():
                sys.stderr.write(f"error: {one_line(str(error))}\n")
                raise SystemExit(_COMMAND_FAILED) from cause
            raise error from cause


def _is_command() -> bool:
    # Also as `python -m optarena`.
    by_name = Path(sys.argv[0] if sys.argv else "").stem == _COMMAND
    return by_name or ("-m", _COMMAND) in zip(sys.orig_argv, sys.orig_argv[1:], strict=False)


def _unusable(module: str, cause: BaseException) -> InvalidInput:
    lines = traceback.format_exception_only(cause)
    told = lines[-1 if isinstance(cause, SyntaxError) else 0].rstrip(". \n").removeprefix("optarena.errors.")
    what = f"cannot be imported{_place(module, cause)}: {one_line(told[:_SHOWN])}."
    remedy = "Correct the variable or the module, or put the module where Python finds it (PYTHONPATH)."
    message = f"${PLUGINS_VARIABLE} names {module!r}, which {what}"
    return InvalidInput(message, field=PLUGINS_VARIABLE, value=module, remedy=remedy)


def _place(module: str, cause: BaseException) -> str:
    if isinstance(cause, SyntaxError) and cause.filename:
        return f" ({cause.filename}:{cause.lineno})"
    package = module.partition(".")[0]
    steps = traceback.walk_tb(cause.__traceback__)
    own = [
        f" ({frame.f_code.co_filename}:{line})"
        for frame, line in steps
        if str(frame.f_globals.get("__name__")).partition(".")[0] == package
    ]
    return own[-1] if own else ""
