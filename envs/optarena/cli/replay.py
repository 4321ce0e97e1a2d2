"""``optarena replay``: repeats a result here, and reports whether it is equal or where it differs."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import click
from rich.markup import escape

from optarena.cli import console as console_module
from optarena.cli.console import counted, number, output, progress_bar, read_file, styled
from optarena.client import Client
from optarena.datasets import datasets
from optarena.documents import kinds
from optarena.documents.places import Place
from optarena.errors import InvalidDocument, InvalidInput
from optarena.replay import replay as run
from optarena.specs import environment_spec
from optarena.specs.board import optimistic_claims
from optarena.specs.results import ReplayResult, first_difference
from optarena.validation import validate_state

if TYPE_CHECKING:
    from collections.abc import Callable

    from optarena.actions import Action
    from optarena.datasets import Benchmark
    from optarena.specs import EnvironmentSpec
    from optarena.specs.results import Progress

_UUID: Final = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_PAGE: Final = re.compile(
    rf"^(?P<base>.*?)(?:/api/v1)?/submissions/(?P<id>{_UUID})(?:/items/(?P<n>\d{{1,6}}))?/?$"
)

Json = dict[str, Any]


@click.command()
@click.argument("source", metavar="FILE|URL")
@console_module.environment
@console_module.sandbox
def replay(source: str, env: str, *, no_sandbox: bool) -> int:
    """Repeat a result on this machine.

    FILE has states (CSV or JSON): each is replayed and its claims are checked. URL is the page or API address
    of a submission or of one of its items: each replay is compared with the server's, step by step.

    The exit code is 0 if everything is equal, and 1 if something differs.
    """
    if source.startswith(("http://", "https://")):
        same = _replay_url(source, sandbox=not no_sandbox)
    else:
        same = _replay_file(Path(source), env, sandbox=not no_sandbox)
    return 0 if same else 1


def _replay_file(path: Path, env: str | None, *, sandbox: bool) -> bool:
    spec, states = read_file(path, env)
    verdicts = []
    for state in states:
        with _watched(state.benchmark) as watch:
            result = validate_state(state, environment=spec, sandbox=sandbox, on_progress=watch)
        _print_result(state.benchmark, result.replay)
        for problem in result.problems:
            output().print(f"  {styled('differs')}: {escape(problem.message)} ({escape(problem.reason)})")
        measurement = result.replay.measurement if result.replay else {}
        optimistic = optimistic_claims(state.claims, spec.metrics, measurement)
        for sentence in optimistic:
            output().print(f"  {styled('optimistic')}: {escape(sentence)}")
        if result.ok and not optimistic:
            output().print(f"  {styled('equal')}: all its claims hold")
        verdicts.append(result.ok)
    return all(verdicts)


def _replay_url(url: str, *, sandbox: bool) -> bool:
    base, submission, position = parse_url(url)
    # The server is not known to be trusted: no token is sent, and reading needs none.
    with Client(base, token="") as client:
        positions = (
            [int(position)]
            if position is not None
            else [item["position"] for item in client.items(submission)]
        )
        # A list, so that one that differs does not hide the others.
        same = [_replay_item(client.item(submission, one), sandbox=sandbox) for one in positions]
    return all(same)


def parse_url(url: str) -> tuple[str, str, str | None]:
    try:
        parts = urlsplit(url)
        found = _PAGE.match(f"{parts.scheme}://{parts.netloc}{parts.path}")
    except ValueError:  # half of the brackets of an IPv6 address
        found = None
    if found is None:
        raise InvalidInput(
            f"{url[:200]} is not the address of a submission or of an item.",
            field="url",
            value=url,
            remedy="Copy it from the item's page: https://…/submissions/<id>/items/<n>/.",
        )
    return found["base"], found["id"], found["n"]


def _replay_item(item: Json, *, sandbox: bool) -> bool:
    spec = environment_spec(str(item["environment"]))
    program = _program(item)
    with _watched(program.uri) as watch:
        here = run(
            environment=spec,
            benchmark=program,
            actions=_actions(item),
            action_space=_action_space(item, spec),
            sandbox=sandbox,
            on_progress=watch,
        )
    _print_result(program.uri, here)
    stored = item.get("result")
    if stored is None:
        output().print(
            f"  not verified by the server yet ({escape(str(item['verdict']))}): nothing to compare"
        )
        return here.ok
    return _compare(_read_result(stored), here, spec)


def _action_space(item: Json, spec: EnvironmentSpec) -> str | None:
    # Only one that is not the first: a session may name that one as it likes.
    given = str(item.get("action_space", ""))
    return spec.ranked_table(given).name if given else None


def _actions(item: Json) -> tuple[Action, ...]:
    if item["actions"] is None:
        raise InvalidInput(
            f"The item is {item['verdict']}, and only its owner can read its actions until it is verified.",
            field="actions",
            remedy="Wait for its verdict. Replay results of your own with `optarena validate FILE`.",
        )
    place = Place(path="actions")
    actions = kinds.INTEGERS.read(item["actions"], place)
    if actions is None:
        raise InvalidDocument(place.problems)
    return actions


def _read_result(stored: Json) -> ReplayResult:
    try:
        return ReplayResult.from_json(stored)
    except ValueError as error:
        raise InvalidInput(
            f"The server's result cannot be read: {error}", field="result", remedy="Update optarena."
        ) from error


def _program(item: Json) -> Benchmark:
    program = datasets().benchmark(str(item["benchmark"]), files=False)
    if program.sha256 != item["benchmark_sha256"]:
        raise InvalidInput(
            f"{program.uri} is another program here (sha256 {program.sha256[:12]}…) than on the server "
            f"({str(item['benchmark_sha256'])[:12]}…).",
            field="benchmark",
            remedy="Install the version of optarena that the server runs.",
        )
    return program


def _compare(server: ReplayResult, here: ReplayResult, spec: EnvironmentSpec) -> bool:
    if server.digest != here.digest:
        output().print(
            f"  the environment's versions differ: {server.digest[:12]}… there, {here.digest[:12]}… here"
        )
        server = replace(server, digest=here.digest)
    difference = first_difference(server, here)
    if difference is None:
        measured = here.measurement.get("metrics", ())
        exact = len(here.metrics.keys() - measured)
        metrics = f"{counted(exact, 'metric')}, " if exact else ""
        output().print(
            f"  {styled('equal')}: {counted(len(here.steps), 'step')}, "
            f"{metrics}{counted(len(here.workloads), 'workload')}"
        )
        for name in measured:
            there, ours = number(server.metrics.get(name)), number(here.metrics.get(name))
            output().print(f"  {name}, which differs between machines: {there} there, {ours} here")
        return True
    where = "" if difference.step is None else f" at step {difference.step}"
    there, ours = (escape(str(value)[:80]) for value in (difference.left, difference.right))
    # A trace has the same field for every compiler; people know the metric by its name.
    name = spec.cost_metric.name if difference.field == "cost" and spec.cost_metric else difference.field
    output().print(f"  {styled('differs')}{where}: {escape(name)} is {there} on the server and {ours} here")
    return False


def _print_result(uri: str, result: ReplayResult | None) -> None:
    console = output()
    if result is None:
        console.print(f"{escape(uri)}: not replayed")
    elif result.ok:
        measured = ", ".join(f"{name} {number(value)}" for name, value in result.metrics.items())
        console.print(
            f"{escape(uri)}: {counted(len(result.steps), 'step')} in {result.walltime:.2f} s; {measured}"
        )
    else:
        step = "" if result.failed_step is None else f" at step {result.failed_step}"
        console.print(f"{escape(uri)}: {escape(result.reason or '')}{step}: {escape(result.detail)}")


class _watched:  # noqa: N801 - reads as the verb it is
    def __init__(self, uri: str) -> None:
        self.bar = progress_bar()
        self.task = self.bar.add_task(uri.rpartition("/")[2], total=None)

    def __enter__(self) -> Callable[[Progress], None]:
        self.bar.start()
        return self._show

    def _show(self, progress: Progress) -> None:
        self.bar.update(self.task, description=progress.phase, completed=progress.done, total=progress.total)

    def __exit__(self, *_: object) -> None:
        self.bar.stop()
