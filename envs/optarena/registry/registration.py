"""Making environments known: those of this package, and those that plug-ins register.

A plug-in is a Python module that calls :func:`register` when it is imported. Modules named in
``$OPTARENA_PLUGINS`` are imported at the end of ``import optarena``, by clients, servers and workers alike.
Where one fails so does ``import optarena``, so that no process goes on with half of what it should know; the
command ``optarena`` ends with one line. Nothing here starts a process or loads a compiler.
"""

from __future__ import annotations

import importlib
import math
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from optarena.documents.texts import one_line
from optarena.errors import InvalidInput
from optarena.logs import debug_level
from optarena.specs import (
    LEVEL_NAME,
    METRIC_NAME,
    BoardSpec,
    EnvironmentSpec,
    Metric,
    add_board,
    add_environment,
    board_specs,
    environment_spec,
    environment_specs,
)
from optarena.specs.rewards import UNOPTIMISED, RewardSpec

if TYPE_CHECKING:
    from optarena.datasets.base import BaseDataset

T = TypeVar("T")

PLUGINS_VARIABLE: Final = "OPTARENA_PLUGINS"
_ENVIRONMENT_SLUG: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,60}-v[0-9]{1,4}")
_BOARD_SLUG: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_COMMAND: Final = "optarena"
_COMMAND_FAILED: Final = 2
_SHOWN: Final = 500


def register(
    environments: Iterable[EnvironmentSpec] = (),
    *,
    dataset_folders: Iterable[Path | str] = (),
    boards: Iterable[BoardSpec] = (),
    datasets: Iterable[BaseDataset] = (),
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

    Raises:
        InvalidInput: An argument is no list of what it should be, a description contradicts itself, a slug or
            a dataset's name is taken by something else, or a folder does not exist.
        UnknownName: The environment or the metric of a board does not exist, or a dataset's environment.
    """
    specs = _list_of("environments", environments, EnvironmentSpec)
    board_list = _list_of("boards", boards, BoardSpec)
    add_datasets = _checked_datasets(dataset_folders, datasets, specs)
    for spec in specs:
        _register_environment(spec)
    for board in board_list:
        _register_board(board)
    add_datasets()


def _checked_datasets(
    dataset_folders: Iterable[Path | str],
    datasets: Iterable[BaseDataset],
    specs: Iterable[EnvironmentSpec],
) -> Callable[[], None]:
    """What makes the datasets known, all of which are checked now."""
    folders = [Path(one).absolute() for one in _list_of("dataset_folders", dataset_folders, Path, str)]
    if not folders and datasets == ():
        return lambda: None  # and their modules are not needed
    from optarena.datasets import registry  # noqa: PLC0415 - only where there are datasets
    from optarena.datasets.base import BaseDataset  # noqa: PLC0415 - as above

    given = _list_of("datasets", datasets, BaseDataset)  # type: ignore[type-abstract] # none is made of it
    for folder in folders:
        registry.check_folder(folder)
    for one in given:
        registry.check_dataset(one, folders, specs)
    if len({one.name for one in given}) < len(set(given)):
        message = f"datasets: Two of {', '.join(one.name for one in given)} have the same name."
        raise InvalidInput(message, field="datasets", remedy="Give each another name.")

    def add() -> None:
        for folder in folders:
            registry.add_folder(folder)
        for one in given:
            registry.add_dataset(one)

    return add


def register_environments() -> None:
    """Make each environment of this package known to ``gymnasium.make`` under its id."""
    for spec in environment_specs():
        _register_with_gymnasium(spec)


def load_plugins() -> None:
    """Import the modules that ``$OPTARENA_PLUGINS`` names, separated by commas; each registers itself.

    Raises:
        InvalidInput: One of them cannot be imported; names the variable, the module, the cause and its place.
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
        except BaseException as cause:  # SystemExit too: a plug-in may not end the process without a word
            error = _unusable(module, cause)
            if Path(sys.argv[0] if sys.argv else "").stem == _COMMAND and not debug_level():
                sys.stderr.write(f"error: {error}\n")
                raise SystemExit(_COMMAND_FAILED) from cause
            raise error from cause


def _unusable(module: str, cause: BaseException) -> InvalidInput:
    lines = traceback.format_exception_only(cause)
    told = lines[-1 if isinstance(cause, SyntaxError) else 0].rstrip(". \n").removeprefix("optarena.errors.")
    place = _place(module, cause)
    return InvalidInput(
        f"${PLUGINS_VARIABLE} names {module!r}, which cannot be imported{place}: {one_line(told[:_SHOWN])}.",
        field=PLUGINS_VARIABLE,
        value=module,
        remedy="Correct the variable or the module, or put the module where Python finds it (PYTHONPATH).",
    )


def _place(module: str, cause: BaseException) -> str:
    """Where in the plug-in's own code it went wrong, as far as that is known."""
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


def _list_of(argument: str, given: Iterable[T], *kinds: type[T]) -> list[T]:
    """The things given, each of one of these kinds; a plug-in's author learns which is not."""
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


def _register_environment(spec: EnvironmentSpec) -> None:
    _check(spec)
    known = next((one for one in environment_specs() if one.slug == spec.slug), None)
    if known is None:
        add_environment(spec)
        _register_with_gymnasium(spec)
    elif known is not spec and _content(known) != _content(spec):
        raise _taken("environment", spec.slug)


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
    _check_texts("board", board.slug, board)
    spec = environment_spec(board.environment)
    spec.metric(board.metric)
    if not spec.boardable:
        raise _invalid("board", board.slug, "environment", f"{spec.slug} is not for boards.")
    if not _BOARD_SLUG.fullmatch(board.slug):
        raise _invalid("board", board.slug, "slug", "It must be lower-case words with hyphens.")
    _check_comparison(board, spec)
    ratio = board.plausible_ratio
    if isinstance(ratio, bool) or not isinstance(ratio, (int, float)) or not 1 <= ratio < math.inf:
        problem = f"It must be a number, 1 or more, not {ratio!r:.80}."
        raise _invalid("board", board.slug, "plausible_ratio", problem)
    known = next((one for one in board_specs() if one.slug == board.slug), None)
    if known is None:
        add_board(board)
    elif known != board:
        raise _taken("board", board.slug)


def _check_comparison(board: BoardSpec, spec: EnvironmentSpec) -> None:
    """A board compares with a recorded level, or with another metric of the same replay."""
    problem: tuple[str, str] | None = None
    if board.reference_metric and board.baseline_level:
        problem = "reference_metric", "It takes the place of baseline_level; name one of the two."
    elif board.reference_metric not in ("", *spec.metric_names) or board.reference_metric == board.metric:
        problem = "reference_metric", f"It must be another metric of {spec.slug}."
    elif not board.reference_metric and (
        not LEVEL_NAME.fullmatch(board.baseline_level) or board.baseline_level == UNOPTIMISED
    ):
        problem = "baseline_level", f"It must be letters and digits, and another level than {UNOPTIMISED}."
    elif not isinstance(board.benchmarks, tuple) or not all(isinstance(one, str) for one in board.benchmarks):
        problem = "benchmarks", "They must be a tuple of URIs."
    if problem:
        raise _invalid("board", board.slug, *problem)


def _check(spec: EnvironmentSpec) -> None:
    """Refuse what would fail later, far from the plug-in that is to blame."""
    _check_types(spec)
    names = [metric.name for metric in spec.metrics]
    problem: tuple[str, str] | None = None
    if not _ENVIRONMENT_SLUG.fullmatch(spec.slug):
        problem = "slug", "It must be lower-case words with hyphens and end in its version: 'stack-v0'."
    elif not names or len(set(names)) < len(names):
        problem = "metrics", "They must be at least one, with different names."
    elif wrong := [name for name in names if not METRIC_NAME.fullmatch(name)]:
        problem = "metrics", f"{wrong[0]!r} must be lower-case letters, digits and underscores."
    elif wrong := [one.metric for one in spec.rewards.values() if one.metric not in ("", *names)]:
        problem = "rewards", f"One is about {wrong[0]!r}, which is none of the metrics."
    elif spec.reward_space and spec.reward_space not in spec.rewards:
        problem = "reward_space", f"{spec.reward_space!r} is none of the rewards."
    elif spec.version is None and not spec.compiler:
        problem = "compiler", "It must name the compiler with its version, on which results depend."
    if problem:
        raise _invalid("environment", spec.slug, *problem)


def _check_types(spec: EnvironmentSpec) -> None:
    """Type hints hold nobody to them, and a wrong one would show only when the environment is used."""
    _check_texts("environment", spec.slug, spec)
    problem: tuple[str, str] | None = None
    metrics, rewards = spec.metrics, spec.rewards
    if not isinstance(metrics, tuple) or not all(isinstance(one, Metric) for one in metrics):
        problem = "metrics", "They must be a tuple of Metric."
    elif not isinstance(rewards, Mapping) or not all(isinstance(one, RewardSpec) for one in rewards.values()):
        problem = "rewards", "They must be a mapping of names to RewardSpec."
    elif not all(hasattr(spec.action_table, name) for name in ("name", "names", "parse", "commandline")):
        problem = "action_table", "It must be an action table, for example NamedActions."
    if problem:
        raise _invalid("environment", spec.slug, *problem)
    for metric in metrics:
        _check_texts("environment", spec.slug, metric)


def _check_texts(kind: str, slug: str, described: EnvironmentSpec | BoardSpec | Metric) -> None:
    for one in fields(described):
        value = getattr(described, one.name)
        if one.type == "str" and not isinstance(value, str):
            raise _invalid(kind, slug, one.name, f"It must be a text, not {value!r:.80}.")


def _content(spec: EnvironmentSpec) -> tuple[object, ...]:
    """What makes two specs the same environment, although they are different objects."""
    texts = (spec.id, spec.title, spec.description, spec.entry_point, spec.service, spec.compiler)
    spaces = (spec.observation_space, spec.reward_space, spec.digest_observation)
    table = (spec.action_table.name, *spec.action_table.names)
    return (
        texts,
        spaces,
        spec.dataset,
        spec.benchmark,
        table,
        spec.metrics,
        dict(spec.rewards),
        spec.boardable,
        spec.digest,
    )


def _invalid(kind: str, slug: str, field: str, problem: str) -> InvalidInput:
    return InvalidInput(f"The {kind} {slug!r} cannot be registered: {field}: {problem}", field=field)


def _taken(kind: str, slug: str) -> InvalidInput:
    return InvalidInput(
        f"Another {kind} is registered as {slug!r}.",
        field="slug",
        value=slug,
        remedy="Give it another slug; a change of what it means needs a new version.",
    )
