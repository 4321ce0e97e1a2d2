"""``optarena replay``: repeats a result here, and reports whether it is equal or where it differs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import click

from optarena.cli import console as console_module
from optarena.cli.console import counted, number, output, progress_bar, read_file, styled, submission_id
from optarena.cli.server import closed, readable
from optarena.client import Client
from optarena.datasets import datasets
from optarena.documents import kinds
from optarena.errors import InvalidInput
from optarena.replay import replay as run
from optarena.specs import EnvironmentSpec, environment_spec
from optarena.specs.board import optimistic_claims
from optarena.specs.results import Progress, ReplayResult, first_difference
from optarena.validation import validate_state

if TYPE_CHECKING:
    from optarena.actions import Action
    from optarena.state import EnvState

_PAGE: Final = re.compile(
    rf"^(?P<base>.*?)(?:/api/v1)?/submissions/(?P<id>{console_module.ID_PREFIX})(?:/items/(?P<n>\d{{1,6}}))?/?$"
)

_PARTS: Final = ("step", "metric", "workload")
_NAMED: Final = 8

Json = dict[str, Any]


@click.command()
@click.argument("source", metavar="FILE|URL")
@console_module.environment
@console_module.sandbox
def replay(source: str, env: str | None, *, no_sandbox: bool) -> int:
    """Repeat a result on this machine.

    FILE has states (CSV or JSON): each is replayed and its claims are checked. URL is the page or API address
    of a submission or of one of its items: each replay is compared with the server's, step by step. The
    beginning of the submission's id is enough.

    The exit code is 0 if nothing differs, also where nothing could be compared, and 1 if something does. Of a
    submission, the items that you may not read are named and left out.
    """
    if source.startswith(("http://", "https://")):
        console_module.refuse_unused("a result of a server", env=env)
        base, submission, position = parse_url(source)
        with Client(base, token=console_module.token_for(base)) as client:
            submission = submission_id(client, submission)
            if position is None:
                positions = [item["position"] for item in _readable(client, submission)]
            else:
                positions = [int(position)]
            # A list, so that one that differs does not hide the others.
            same = [_replay_item(client.item(submission, one), sandbox=not no_sandbox) for one in positions]
    else:
        spec, states = read_file(Path(source), env)
        same = [_replay_state(state, spec, sandbox=not no_sandbox) for state in states]
    return 0 if all(same) else 1


@console_module.reading_answers
def _readable(client: Client, submission: str) -> list[Json]:
    return readable(list(client.items(submission)))


def _replay_state(state: EnvState, spec: EnvironmentSpec, *, sandbox: bool) -> bool:
    with _watched(state.benchmark) as watch:
        result = validate_state(state, environment=spec, sandbox=sandbox, on_progress=watch)
    _print_result(state.benchmark, result.replay)
    for problem in result.problems:
        output().print(" ", styled("differs:"), f"{problem.message} ({problem.reason})")
    measurement = result.replay.measurement if result.replay else {}
    optimistic = optimistic_claims(state.claims, spec.metrics, measurement)
    for sentence in optimistic:
        output().print(f"  optimistic: {sentence}")
    if result.ok and not optimistic:
        output().print(" ", styled("equal:"), "all its claims hold")
    return result.ok


def parse_url(url: str) -> tuple[str, str, str | None]:
    try:
        parts = urlsplit(url)
        found = _PAGE.match(f"{parts.scheme}://{parts.netloc}{parts.path}")
    except ValueError:  # half of the brackets of an IPv6 address
        found = None
    if found is None:
        message = f"{url[:200]} is not the address of a submission or of an item."
        remedy = "Copy it from the item's page: https://…/submissions/<id>/items/<n>/."
        raise InvalidInput(message, field="url", value=url, remedy=remedy)
    return found["base"], found["id"], found["n"]


def _replay_item(item: Json, *, sandbox: bool) -> bool:
    spec = environment_spec(str(item["environment"]))
    program = datasets().benchmark(str(item["benchmark"]), files=False)
    if program.sha256 != item["benchmark_sha256"]:
        message = (
            f"{program.uri} is another program here (sha256 {program.sha256[:12]}…) than on the server "
            f"({str(item['benchmark_sha256'])[:12]}…)."
        )
        remedy = "Install the version of optarena that the server runs."
        raise InvalidInput(message, field="benchmark", remedy=remedy)
    # Only a space that is not the first has a name: a session may name that one as it likes.
    space = str(item.get("action_space", ""))
    with _watched(program.uri) as watch:
        here = run(
            environment=spec,
            benchmark=program,
            actions=_actions(item),
            action_space=spec.ranked_table(space).name if space else None,
            sandbox=sandbox,
            on_progress=watch,
        )
    _print_result(program.uri, here)
    stored = item.get("result")
    if stored is None:
        verdict = str(item["verdict"])
        output().print(f"  not verified by the server yet ({verdict}): nothing to compare")
        return here.ok
    return _compare(_server_result(stored), here, spec)


@console_module.reading_answers
def _server_result(stored: Any) -> ReplayResult:  # noqa: ANN401 - JSON data
    try:
        there = ReplayResult.from_json(stored)
    except (TypeError, ValueError) as error:
        message = f"The server's result cannot be read: {error}"
        raise InvalidInput(message, field="result", remedy="Update optarena.") from error
    # What can be compared with itself, and shown, has the types that are expected.
    bare = replace(there, digest=there.digest[:12], measurement={})
    first_difference(bare, bare)
    _parts(bare)
    for value in there.metrics.values():
        number(value)
    return there


def require_open(item: Json) -> None:
    if item["actions"] is None:
        message = f"You may not read the actions of this item: {closed(item)}."
        remedy = (
            "Log in as its owner, or as somebody who has verified a result at least as good. "
            "Replay results of your own with `optarena validate FILE`."
        )
        raise InvalidInput(message, field="actions", remedy=remedy)


def _actions(item: Json) -> tuple[Action, ...]:
    require_open(item)
    return kinds.INTEGERS.require(item["actions"], path="actions")


def _compare(server: ReplayResult, here: ReplayResult, spec: EnvironmentSpec) -> bool:
    if server.digest != here.digest:
        output().print(
            f"  the environment's versions differ: {server.digest[:12]}… there, {here.digest[:12]}… here"
        )
    # Which metrics are exact is known here.
    server = replace(server, digest=here.digest, measurement=here.measurement)
    difference = first_difference(server, here)
    if difference is None:
        _print_compared(server, here)
        return True
    where = "" if difference.step is None else f" at step {difference.step}"
    there, ours = (str(value)[:80] for value in (difference.left, difference.right))
    # A trace has the same field for every compiler; people know the metric by its name.
    name = spec.cost_metric.name if difference.field == "cost" and spec.cost_metric else difference.field
    output().print(
        "  ", styled("differs"), f"{where}: {name} is {there} on the server and {ours} here", sep=""
    )
    return False


def _print_compared(server: ReplayResult, here: ReplayResult) -> None:
    # A server may have more or less than this replay: it is not equal because it could not be compared.
    noisy = here.measurement.get("metrics", ())
    equal, others = [] if here.ok else [str(here.reason)], []
    for noun, one, other in zip(_PARTS, _parts(server), _parts(here), strict=True):
        both = [name for name in other if name in one and name not in noisy]
        equal += [_listed(both, noun)] if both else []
        for names, whose in ((one.keys() - other, "the server"), (other.keys() - one, "this machine")):
            if names:
                others.append(f"{_listed(sorted(names), noun)}, which only {whose} has")
    if equal:
        output().print(" ", styled("equal:"), ", ".join(equal))
    for name in noisy:
        if name in server.metrics:
            there, ours = number(server.metrics[name]), number(here.metrics.get(name))
            output().print(f"  {name}, which differs between machines: {there} there, {ours} here")
    for text in others:
        output().print(f"  not compared: {text}")


def _parts(result: ReplayResult) -> tuple[dict[str, None], ...]:
    steps = (str(one.index) for one in result.steps)
    workloads = (one.name for one in result.workloads)
    return tuple(map(dict.fromkeys, (steps, result.metrics, workloads)))


def _listed(names: Sequence[str], noun: str) -> str:
    if noun != "metric":
        return counted(len(names), noun)
    more = ", …" if len(names) > _NAMED else ""
    return f"{counted(len(names), noun)} ({', '.join(names[:_NAMED])}{more})"


def _print_result(uri: str, result: ReplayResult | None) -> None:
    console = output()
    if result is None:
        console.print(f"{uri}: not replayed")
    elif result.ok:
        measured = ", ".join(f"{name} {number(value)}" for name, value in result.metrics.items())
        console.print(f"{uri}: {counted(len(result.steps), 'step')} in {result.walltime:.2f} s; {measured}")
    else:
        step = "" if result.failed_step is None else f" at step {result.failed_step}"
        console.print(f"{uri}: {result.reason or ''}{step}: {result.detail}")


@contextmanager
def _watched(uri: str) -> Iterator[Callable[[Progress], None]]:
    with progress_bar() as bar:
        task = bar.add_task(uri.rpartition("/")[2], total=None)
        yield lambda progress: bar.update(
            task, description=progress.phase, completed=progress.done, total=progress.total
        )
