"""Checks of what is registered: a description that contradicts itself is refused at once."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import fields
from types import CellType, FunctionType
from typing import Any, Final, TypeVar

from optarena import limits
from optarena.documents.texts import is_printable
from optarena.errors import InvalidInput
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
    environment_specs,
)
from optarena.specs.rewards import UNOPTIMISED, RewardSpec

T = TypeVar("T")
_ADDRESS_OF_ENTRIES: Final = "entries"
"""What follows ``portable/`` in the address of an entry, in the place of a board's slug."""
Described = (
    EnvironmentSpec | BoardSpec | PortableBoardSpec | DeviceSpec | ProgramFormat | CalibrationSpec | Metric
)

_PLAIN: Final = (type(None), bool, int, float, complex, str, bytes, frozenset)
_ENVIRONMENT_SLUG: Final = re.compile(
    rf"[a-z0-9][a-z0-9_-]{{0,{limits.ENVIRONMENT_FAMILY_LENGTH - 1}}}"
    rf"-v[0-9]{{1,{limits.ENVIRONMENT_VERSION_DIGITS}}}"
)
_BOARD_SLUG: Final = re.compile(rf"[a-z0-9][a-z0-9_-]{{0,{limits.BOARD_SLUG_LENGTH - 1}}}")
_DEVICE_NAME: Final = re.compile(r"[a-z][a-z0-9]{0,15}")
_SET_VERSION: Final = re.compile(r"[A-Za-z0-9.-]{1,60}")
_SUFFIX: Final = re.compile(r"\.[A-Za-z0-9]{1,15}")
_CALLABLE: Final = re.compile(r"[\w.]+:\w+")


def list_of(argument: str, given: Iterable[T], *kinds: type[T]) -> list[T]:
    """The things given, each of one of these kinds.

    Raises:
        InvalidInput: They are not a list, or one of them is of another kind.
    """
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
    """Refuse a board that its environment cannot serve, or that no machine can run.

    Args:
        board: The board.
        spec: Its environment.
        devices: The names of all devices.

    Raises:
        InvalidInput: Names the field.
        UnknownName: The environment does not measure the board's metric.
    """
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
    elif board.device not in devices:
        problem = "device", f"{board.device!r:.80} is not one of {', '.join(devices)}."
    else:
        problem = _comparison_problem(board, spec)
    if problem:
        raise _invalid("board", board.slug, *problem)


def _comparison_problem(board: BoardSpec, spec: EnvironmentSpec) -> tuple[str, str] | None:
    """A board compares with a recorded level, or with another metric of the same replay."""
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
    """Refuse a board of portable entries that its environment cannot serve.

    Raises:
        InvalidInput: Names the field.
        UnknownName: The environment does not measure the board's metric.
    """
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


def check_device(device: DeviceSpec) -> None:
    """Refuse a device without a usable name or check.

    Raises:
        InvalidInput: Names the field.
    """
    check_texts("device", device.name, device)
    if not _DEVICE_NAME.fullmatch(device.name):
        raise _invalid("device", device.name, "name", "The value must be lower-case letters and digits.")
    if not _CALLABLE.fullmatch(device.check):
        raise _invalid("device", device.name, "check", "The value must be 'module:function'.")


def check_calibration(spec: CalibrationSpec) -> None:
    """Refuse a calibration set without a usable name, version or function.

    Raises:
        InvalidInput: Names the field.
    """
    check_texts("calibration set", spec.name, spec)
    if not _DEVICE_NAME.fullmatch(spec.name):
        problem = "name", "The value must be lower-case letters and digits."
    elif not _SET_VERSION.fullmatch(spec.version):
        problem = "version", "The value must be at most 60 letters, digits, dots and hyphens."
    elif not _CALLABLE.fullmatch(spec.prepare):
        problem = "prepare", "The value must be 'module:function'."
    else:
        return
    raise _invalid("calibration set", spec.name, *problem)


def check_command(name: str, command: str) -> None:
    """Refuse a command without a usable name or function.

    Raises:
        InvalidInput: Names the field.
    """
    if not isinstance(name, str) or not _DEVICE_NAME.fullmatch(name):
        raise _invalid("command", str(name), "name", "The value must be lower-case letters and digits.")
    if not isinstance(command, str) or not _CALLABLE.fullmatch(command):
        raise _invalid("command", name, "command", "The value must be 'module:attribute'.")


def check_format(program_format: ProgramFormat) -> None:
    """Refuse a format whose files cannot be recognised or read.

    Raises:
        InvalidInput: Names the field.
    """
    suffix = program_format.suffix
    check_texts("format", suffix, program_format)
    if not _SUFFIX.fullmatch(suffix):
        raise _invalid("format", suffix, "suffix", "The value must be a dot and letters or digits.")
    for name in ("make_benchmark", "check_flags"):
        given = getattr(program_format, name)
        if given and not _CALLABLE.fullmatch(given):
            raise _invalid("format", suffix, name, "The value must be 'module:function'.")


def check_environment(spec: EnvironmentSpec) -> None:
    """Refuse a description that would fail later, far from the plug-in that caused it.

    Raises:
        InvalidInput: Names the field.
    """
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
    elif wrong := [table.name for table in spec.ranked_tables if not _is_space_name(table.name)]:
        problem = (
            "further_tables",
            f"{wrong[0]!r:.120} must be one word of at most {limits.ACTION_SPACE_LENGTH} characters.",
        )
    elif spec.ranks_further_tables and spec.version is None:
        problem = "version", "It must cover the further tables, on which results depend."
    elif spec.version is None and not spec.compiler:
        problem = "compiler", "It must name the compiler with its version, on which results depend."
    if problem:
        raise _invalid("environment", spec.slug, *problem)


def _is_space_name(name: str) -> bool:
    return name.split() == [name] and is_printable(name) and len(name) <= limits.ACTION_SPACE_LENGTH


def _check_types(spec: EnvironmentSpec) -> None:
    """Type hints are not enforced, and a wrong type would only show when the environment is used."""
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
    return all(hasattr(value, name) for name in ("name", "names", "parse", "commandline"))


def check_texts(kind: str, slug: str, described: Described) -> None:
    """Refuse a description with another type where a text is required.

    Raises:
        InvalidInput: Names the field.
    """
    for one in fields(described):
        value = getattr(described, one.name)
        if one.type == "str" and not isinstance(value, str):
            raise _invalid(kind, slug, one.name, f"The value must be a text, not {value!r:.80}.")


def _invalid(kind: str, slug: str, field: str, problem: str) -> InvalidInput:
    return InvalidInput(f"The {kind} {slug!r} cannot be registered: {field}: {problem}", field=field)


def taken_error(kind: str, slug: str) -> InvalidInput:
    """The error for a name that is taken by something else."""
    return InvalidInput(
        f"Another {kind} is already registered as {slug!r}.",
        field="slug",
        value=slug,
        remedy="Give it another slug. If its meaning has changed, give it a new version.",
    )


def content_of(spec: EnvironmentSpec) -> dict[str, object]:
    """What two specs of the same environment have in common, although they are different objects."""
    return {one.name: _content(getattr(spec, one.name)) for one in fields(spec)} | {"version": spec.digest}


def _content(value: Any) -> object:  # noqa: ANN401 # of any field
    """What is compared of a value: functions and tables are made anew where a module is imported again."""
    if isinstance(value, tuple):
        return tuple(map(_content, value))
    if hasattr(value, "names"):
        return (value.name, *value.names)
    if isinstance(value, functools.partial):
        return _content(value.func), _content(value.args), _content(tuple(sorted(value.keywords.items())))
    if callable(value):
        name = getattr(value, "__qualname__", type(value).__qualname__)
        is_unnamed = isinstance(value, FunctionType) and "<" in name
        return getattr(value, "__module__", ""), name, _made_of(value) if is_unnamed else None
    return dict(value) if isinstance(value, Mapping) else value


def _made_of(function: FunctionType) -> object:
    """What tells functions apart that share a name: lambdas, and those that one function makes."""
    code, cells = function.__code__, function.__closure__ or ()
    closed_over = [cell.cell_contents for cell in cells if cell != CellType()]
    given = [*(function.__defaults__ or ()), *sorted((function.__kwdefaults__ or {}).items()), *closed_over]
    return code.co_code, _known(code.co_consts), code.co_names, _known(tuple(given))


def _known(value: object) -> object:
    """What can be compared of a value that a function has: plain data, and the type of everything else."""
    if isinstance(value, tuple):
        return tuple(map(_known, value))
    return value if isinstance(value, _PLAIN) else getattr(value, "__qualname__", type(value).__qualname__)
