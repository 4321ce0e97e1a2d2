"""``optarena play``: what each action would give next in a game that was begun on a server's page."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qs, unquote, urlsplit

import click

from optarena.actions import Action, action_name, check_actions, is_structured
from optarena.cli.console import counted, number, output, table
from optarena.datasets import datasets
from optarena.errors import InvalidInput, UnknownName
from optarena.replay import Failed
from optarena.specs import EnvironmentSpec, environment_spec
from optarena.specs.rewards import level_text
from optarena.studies import ActionOutcome, LookAheadResult, found_candidates, played_text, read_played
from optarena.study_states import SequenceTrials

_PAGE: Final = re.compile(r"^.*/play/(?P<dataset>[^/]+)/(?P<path>.+?)/?$")
_SHOWN: Final = 10


@click.command()
@click.argument("url")
@click.option("--env", help="The environment, where the address names none.")
@click.option("--find", help="Try the actions with these words, where there are too many to try all.")
@click.option("--all", "everything", is_flag=True, help=f"Show more than the best {_SHOWN} actions.")
def play(url: str, env: str | None, find: str | None, *, everything: bool) -> int:
    """Show the state of a game, and what each action would give next, on this machine.

    URL is the address of a page on which somebody plays, with the actions so far. The program is read from
    this machine's datasets, and all actions are tried here.
    """
    game = _read(url, env)
    candidates = found_candidates(game.spec.action_table, game.words if find is None else find, game.actions)
    if candidates is not None and not candidates[1]:
        message = f"No action of {game.spec.slug} has the words {find or game.words!r}."
        raise InvalidInput(
            message, field="find", value=find or game.words, remedy="Give other words to --find."
        )
    try:
        program = datasets().benchmark(f"benchmark://{game.dataset}/{game.path}", files=False)
    except UnknownName as error:
        if error.field != "dataset":
            raise
        remedy = f"Get it: optarena datasets download {game.dataset} --url {game.server}"
        raise UnknownName(error.message, field="dataset", value=game.dataset, remedy=remedy) from error
    with SequenceTrials.within(game.spec, program, sandbox=False) as trials:
        try:
            *_, found = trials.look_ahead(game.actions, candidates=candidates and candidates[0])
        except Failed as error:
            remedy = "Take the last action back."
            raise InvalidInput(error.detail, field="actions", value=error.reason, remedy=remedy) from error
    _print_state(game, found, program.baselines)
    _print_moves(game.spec, found, len(found.tried) if everything else _SHOWN)
    output().print(game.spec.commandline(game.actions))
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Game:
    server: str
    dataset: str
    path: str
    spec: EnvironmentSpec
    actions: Sequence[Action]
    words: str


def _read(url: str, env: str | None) -> _Game:
    try:
        parts = urlsplit(url)
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    except ValueError:  # half of the brackets of an IPv6 address
        parts, query = urlsplit(""), {}
    found = _PAGE.match(parts.path)
    if found is None:
        message = f"{url[:200]} is not the address of a game."
        remedy = "Copy it from the page: https://…/play/<dataset>/<program>/?environment=…&actions=…."
        raise InvalidInput(message, field="url", value=url, remedy=remedy)
    slug = query.get("environment") or env
    if not slug:
        raise InvalidInput("The address names no environment.", field="url", value=url, remedy="Give --env.")
    spec = environment_spec(slug)
    if is_structured(spec.action_table) and not hasattr(spec.action_table, "matching"):
        message = (
            f"The environment {spec.slug} has too many actions to try all, and none can be found by words."
        )
        raise InvalidInput(message, field="environment", value=slug, remedy="Play in another environment.")
    if not spec.digest.startswith(query.get("version", "")):
        message = f"The game is of version {query['version'][:64]} of {slug}, and here is {spec.digest[:12]}."
        remedy = "Open the address: its page offers the same actions of the present version."
        raise InvalidInput(message, field="version", value=query["version"][:64], remedy=remedy)
    return _Game(
        server=f"{parts.scheme}://{parts.netloc}",
        dataset=unquote(found["dataset"]),
        path=unquote(found["path"]),
        spec=spec,
        actions=check_actions(spec.action_table, read_played(query.get("actions", ""))),
        words=query.get("q", ""),
    )


def _print_state(game: _Game, found: LookAheadResult, baselines: Mapping[str, Mapping[str, float]]) -> None:
    said = f"{game.dataset}/{game.path} in {game.spec.slug}, {counted(len(game.actions), 'action')}"
    metric = game.spec.exact_metric
    if metric is not None and found.costs:
        levels = ", ".join(
            f"{level_text(name)} {number(value)}" for name, value in baselines.get(metric.name, {}).items()
        )
        said = f"{said}: {number(found.costs[-1])} {metric.unit}{f' ({levels})' if levels else ''}"
    output().print(said)
    if found.summary:
        output().print(found.summary)


def _print_moves(spec: EnvironmentSpec, found: LookAheadResult, most: int) -> None:
    metric = spec.exact_metric
    sign = -1 if metric and not metric.lower_is_better else 1
    now = found.costs[-1] if found.costs else 0
    effective = [one for one in found.tried if one.effect]
    effective.sort(key=lambda one: (one.cost is None, sign * (one.cost or 0)))
    named = spec.action_table
    rows = [
        (played_text([one.action]), action_name(named, one.action), _change(one, now), one.summary)
        for one in effective[:most]
    ]
    columns = ("number", "action", "change", "state")[: 4 if spec.state_summary else 3]
    table(columns, [row[: len(columns)] for row in rows], numbers=("number", "change"))
    idle = sum(not one.effect and not one.error for one in found.tried)
    failing = sum(bool(one.error) for one in found.tried)
    output().print(f"{len(effective)} have an effect, {idle} have none, {failing} would fail")


def _change(one: ActionOutcome, now: float) -> str:
    return "" if one.cost is None else f"{one.cost - now:+.0f}"
