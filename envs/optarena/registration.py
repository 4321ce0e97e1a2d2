"""Making environments known: those of this package, and those that plug-ins register.

A plug-in is a Python module that calls :func:`register` when it is imported. Modules named in
``$OPTARENA_PLUGINS`` are imported at the end of ``import optarena``, by clients, servers and workers alike.
Nothing here starts a process or loads a compiler.
"""

from __future__ import annotations

import importlib
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from optarena.errors import InvalidInput
from optarena.reward import UNOPTIMISED
from optarena.specs import (
    LEVEL_NAME,
    METRIC_NAME,
    BoardSpec,
    EnvironmentSpec,
    add_board,
    add_environment,
    board_specs,
    environment_spec,
    environment_specs,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

PLUGINS_VARIABLE: Final = "OPTARENA_PLUGINS"
_ENVIRONMENT_SLUG: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,60}-v[0-9]{1,4}")
_BOARD_SLUG: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


def register(
    environments: Iterable[EnvironmentSpec],
    *,
    dataset_folders: Iterable[Path | str] = (),
    boards: Iterable[BoardSpec] = (),
) -> None:
    """Make environments, datasets and boards known, to gymnasium and to a server of OptArena.

    Registering the same things again changes nothing.

    Args:
        environments: What ``gymnasium.make("optarena/<slug>")`` can make afterwards.
        dataset_folders: Folders that hold one folder for each dataset, named as the dataset, with its
            ``manifest.json`` and programs.
        boards: The leaderboards that a server with this plug-in offers.

    Raises:
        InvalidInput: A description contradicts itself, a slug is taken by something else, or a folder does
            not exist.
        UnknownName: A board's environment or metric does not exist.
    """
    for spec in environments:
        _register_environment(spec)
    for board in boards:
        _register_board(board)
    folders = [Path(folder).absolute() for folder in dataset_folders]
    if folders:
        from optarena.datasets.registry import add_folder  # noqa: PLC0415 - only where there are datasets

        for folder in folders:
            add_folder(folder)


def register_environments() -> None:
    """Make each environment of this package known to ``gymnasium.make`` under its id."""
    for spec in environment_specs():
        _register_with_gymnasium(spec)


def load_plugins() -> None:
    """Import the modules that ``$OPTARENA_PLUGINS`` names, separated by commas; each registers itself.

    Raises:
        InvalidInput: One of them cannot be imported; names the variable, the module and the cause.
    """
    for name in os.environ.get(PLUGINS_VARIABLE, "").split(","):
        module = name.strip()
        if not module:
            continue
        try:
            importlib.import_module(module)
        except Exception as error:
            raise InvalidInput(
                f"${PLUGINS_VARIABLE} names {module!r}, which cannot be imported: "
                f"{type(error).__name__}: {error}.",
                field=PLUGINS_VARIABLE,
                value=module,
                remedy="Correct the variable, or put the module where Python finds it (PYTHONPATH).",
            ) from error


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
    spec = environment_spec(board.environment)
    spec.metric(board.metric)
    if not spec.boardable:
        raise _invalid("board", board.slug, "environment", f"{spec.slug} is not for boards.")
    if not _BOARD_SLUG.fullmatch(board.slug):
        raise _invalid("board", board.slug, "slug", "It must be lower-case words with hyphens.")
    if not LEVEL_NAME.fullmatch(board.baseline_level) or board.baseline_level == UNOPTIMISED:
        problem = f"It must be letters and digits, and another level than {UNOPTIMISED}."
        raise _invalid("board", board.slug, "baseline_level", problem)
    known = next((one for one in board_specs() if one.slug == board.slug), None)
    if known is None:
        add_board(board)
    elif known != board:
        raise _taken("board", board.slug)


def _check(spec: EnvironmentSpec) -> None:
    """Refuse what would fail later, far from the plug-in that is to blame."""
    names = [metric.name for metric in spec.metrics]
    problem: tuple[str, str] | None = None
    if not _ENVIRONMENT_SLUG.fullmatch(spec.slug):
        problem = "slug", "It must be lower-case words with hyphens and end in its version: 'stack-v0'."
    elif not names or len(set(names)) < len(names):
        problem = "metrics", "They must be at least one, with different names."
    elif wrong := [name for name in names if not METRIC_NAME.fullmatch(name)]:
        problem = "metrics", f"{wrong[0]!r} must be lower-case letters, digits and underscores."
    elif wrong := [one.metric for one in spec.rewards.values() if one.metric not in names]:
        problem = "rewards", f"One is about {wrong[0]!r}, which is none of the metrics."
    elif spec.reward_space and spec.reward_space not in spec.rewards:
        problem = "reward_space", f"{spec.reward_space!r} is none of the rewards."
    elif spec.version is None and not spec.compiler:
        problem = "compiler", "It must name the compiler with its version, on which results depend."
    if problem:
        raise _invalid("environment", spec.slug, *problem)


def _content(spec: EnvironmentSpec) -> tuple[object, ...]:
    """What makes two specs the same environment, although they are different objects."""
    texts = (spec.id, spec.title, spec.description, spec.entry_point, spec.service, spec.compiler)
    spaces = (spec.observation_space, spec.reward_space, spec.digest_observation, spec.dataset)
    table = (spec.action_table.name, *spec.action_table.names)
    return (texts, spaces, table, spec.metrics, dict(spec.rewards), spec.boardable, spec.digest)


def _invalid(kind: str, slug: str, field: str, problem: str) -> InvalidInput:
    return InvalidInput(f"The {kind} {slug!r} cannot be registered: {field}: {problem}", field=field)


def _taken(kind: str, slug: str) -> InvalidInput:
    return InvalidInput(
        f"Another {kind} is registered as {slug!r}.",
        field="slug",
        value=slug,
        remedy="Give it another slug; a change of what it means needs a new version.",
    )
