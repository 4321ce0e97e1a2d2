"""``./run demo``: the main path on this machine, from an empty folder to a ranked board.

The demo uses the server as any user does: accounts, submissions and standings go through the REST API.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from itertools import islice
from pathlib import Path
from typing import Any, Final

import psycopg
from psycopg import sql
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from leaderboard.embedded.process import death_signal_hook
from leaderboard.embedded.server import Server, listen, manage
from leaderboard.embedded.stack import ROOT, EmbeddedStack
from leaderboard.embedded.state import EmbeddedError, write_private
from optarena.agents.catalogue import agent_named
from optarena.agents.reports import read_report
from optarena.client import ApiProblem, Client
from optarena.datasets import datasets
from optarena.measuring.estimates import LEAST_BLOCKS
from optarena.specs import BoardSpec, board_specs, environment_spec
from optarena.specs.environment import CPU
from optarena.state import EnvState, read_states, write_states

METRIC: Final = "ir_instructions"


STEP: Final = timedelta(days=9)  # How far what happened moves into the past with each step.

# What happened to datasets, boards, submissions and verifications; not who works or may log in now.
_COLUMNS: Final = """
SELECT table_name, array_agg(column_name::text ORDER BY column_name)
FROM information_schema.columns
WHERE table_schema = current_schema() AND data_type = 'timestamp with time zone'
  AND (table_name LIKE 'datasets\\_%'
       OR table_name LIKE 'leaderboard\\_%' AND table_name <> 'leaderboard_puzzle'
       OR table_name LIKE 'runner\\_verification%')
GROUP BY table_name ORDER BY table_name
"""


_OTHERS: Final = """
SELECT EXISTS (SELECT FROM leaderboard_submission WHERE owner_id NOT IN (
    SELECT id FROM auth_user WHERE username = ANY(%s)))
"""
_JOINED: Final = "UPDATE auth_user SET date_joined = date_joined - %s WHERE username = ANY(%s)"


def move_back(url: str, owners: list[str]) -> None:
    # All of the demo happens within two minutes, which a chart of scores over time would show as a single
    # step. All times move by the same span, so that their order and distances stay, unless others have
    # submitted something, too. Nothing may be waiting for its verification, and the role must be allowed to
    # switch off the triggers that protect history.
    with psycopg.connect(url) as connection:
        if connection.execute(_OTHERS, [owners]).fetchone() == (True,):
            return
        connection.execute(_JOINED, [STEP, owners])
        connection.execute("SET LOCAL session_replication_role = replica")
        for table, columns in connection.execute(_COLUMNS).fetchall():
            moved = sql.SQL(", ").join(
                sql.SQL("{0} = {0} - %(span)s").format(sql.Identifier(name)) for name in columns
            )
            update = sql.SQL("UPDATE {} SET {}").format(sql.Identifier(table), moved)
            connection.execute(update, {"span": STEP})


# Why the worker that was started last takes no work.
_WHY_PAUSED: Final = """
SELECT coalesce(
    (SELECT made ->> 'detail' FROM jsonb_array_elements(self_test -> 'checks') AS made
     WHERE made ->> 'ok' = 'false' LIMIT 1),
    pause_reason)
FROM (SELECT * FROM runner_runner ORDER BY started_at DESC LIMIT 1) AS newest WHERE paused_at IS NOT NULL
"""


_USERS: Final = ("carol", "grace", "ada", "bob", "eve", "heidi", "mallory")
# Committed results: the name that the board shows, the agent, and the owner. Each is verified before the next
# one is submitted, so that charts over time have steps.
WAVES: Final = (
    ("random search", "random", "carol"),
    ("portfolio", "portfolio", "grace"),
    ("local search", "local", "ada"),
)
# What the other boards get: the agent's name, and its results. Those beside this list are for boards whose
# reference is measured with each entry.
OTHERS: Final[dict[str, dict[str, str]]] = json.loads(
    Path(__file__).with_name("entries").joinpath("entries.json").read_text(encoding="utf-8")
)
_LIVE_AGENT: Final = "local"
_LIVE_PROGRAMS: Final = 5
_LIVE_EVALUATIONS: Final = 30
_BESIDE: Final = "programs-smoke-v0"  # A dataset of real programs beside those of the boards.


class Clock:
    def __init__(self, console: Console) -> None:
        self._console = console
        self.phases: list[tuple[str, float]] = []
        installed = int(os.environ.get("OPTARENA_INSTALL_SECONDS", "0") or 0)
        if installed:
            self.phases.append(("install requirements", float(installed)))

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        self._console.print(f"[bold]{escape(name)}[/] ...")
        began = time.monotonic()
        yield
        self.phases.append((name, time.monotonic() - began))

    @property
    def total(self) -> float:
        return sum(seconds for _, seconds in self.phases)

    def show(self) -> None:
        table = Table(box=None, pad_edge=False, title="Time of each step", title_justify="left")
        table.add_column("step")
        table.add_column("seconds", justify="right")
        for name, seconds in self.phases:
            table.add_row(escape(name), f"{seconds:.1f}")
        table.add_row("[bold]total[/]", f"[bold]{self.total:.1f}[/]")
        self._console.print(table)


def run_demo(options: argparse.Namespace) -> int:
    """Run the demo and serve until Ctrl-C; the content of the state folder is used again."""
    console = Console(highlight=False)
    clock = Clock(console)
    stack = EmbeddedStack(options.state)
    try:
        with clock.phase("start PostgreSQL and Valkey"):
            stack.start()
        server = Server(stack, listener=listen(options.port), replays=min(2, os.cpu_count() or 1))
        server.environment.setdefault("OPTARENA_FIRST_BLOCKS", str(LEAST_BLOCKS))  # more follow by themselves
        if server.port != options.port:
            console.print(f"[yellow]Port {options.port} is taken; using {server.port} instead.[/]")
        try:
            demo = Demo(server, stack.folder.path / "demo", console, clock, options.budget)
            demo.run()
            if options.admin:
                demo.show_reviewer()
            if not options.once:
                console.print("Serving until Ctrl-C.")
                server.watch(lambda line: console.print(escape(line)))
        finally:
            server.stop()
    finally:
        stack.stop()
        console.print("All processes were stopped.")
    return 0


class Demo:
    def __init__(
        self, server: Server, folder: Path, console: Console, clock: Clock, budget: int | None
    ) -> None:
        self._server = server
        self._folder = folder
        self._console = console
        self._clock = clock
        self._board = next(iter(board_specs()))
        self._budget = budget or _LIVE_EVALUATIONS
        self._why_paused = ""
        folder.mkdir(exist_ok=True)

    def run(self) -> None:
        with self._clock.phase("prepare the database, start web, worker and sweeper, load the datasets"):
            self._server.start(_BESIDE)
        with self._clock.phase(f"sign up {len(_USERS)} users"):
            accounts = {name: self._account(name) for name in _USERS}
        with ExitStack() as opened:
            clients = {
                name: opened.enter_context(Client(self._server.url, known["token"]))
                for name, known in accounts.items()
            }
            client = clients["ada"]
            self._fill_first(clients, [known["username"] for known in accounts.values()])
            with self._clock.phase("submit to the other boards"):
                made = self._submit_others(client) + self._submit_unranked(clients)
            with self._clock.phase(f"search live: {_LIVE_AGENT} on {_LIVE_PROGRAMS} programs"):
                found = self._search(client)
            made += self._submit(clients["heidi"], self._board, {"live search": found})
            with self._clock.phase("replay all that, and measure times in blocks"):
                self._watch(client, made)
            self._print_board(client, self._board)
            self._print_leaders(client)
        self._clock.show()
        for name, known in accounts.items():
            file = self._folder / f"{name}.json"
            self._console.print(f"User [bold]{known['username']}[/], password in {file}")

    def _fill_first(self, clients: Mapping[str, Client], owners: list[str]) -> None:
        # The first page is there with the first wave; the rest arrives while people look.
        database = self._server.environment["OPTARENA_DATABASE_URL"]
        with psycopg.connect(database) as connection:
            known = connection.execute("SELECT EXISTS (SELECT FROM leaderboard_submission)").fetchone()
        for number, (name, agent, owner) in enumerate(WAVES):
            with self._clock.phase(f"submit {name}, verify by replay"):
                made = self._submit(clients[owner], self._board, {name: self._own(agent)})
                self._watch(clients[owner], made)
            if number == 0:
                page = f"{self._server.url}/boards/{self._board.slug}/"
                self._console.print(f"Board after {self._clock.total:.0f} s: [bold]{page}[/]")
            if known == (False,):
                move_back(database, owners)

    def _own(self, agent: str) -> Path:
        return ROOT / "baselines" / f"{self._board.slug}@kernels-v0" / agent / "results.csv"

    def _submit_others(self, client: Client) -> list[dict[str, Any]]:
        made = []
        for board in sorted(_other_boards(), key=lambda one: bool(one.reference_metric)):  # times are last
            if board.slug in OTHERS:
                entry = OTHERS[board.slug]
                made += self._submit(client, board, {entry["agent"]: ROOT / entry["results"]})
            else:
                made += self._submit(client, board, {"first steps": self._first_steps(client, board)})
        return made

    def _first_steps(self, client: Client, board: BoardSpec) -> Path:
        # For a board of a plug-in: the few actions of its environment's probe.
        spec, uris = environment_spec(board.environment), datasets()[_compared(client, board)].uris()
        line = spec.commandline(spec.probe_actions)
        states = [EnvState(benchmark=uri, commandline=line) for uri in board.benchmarks or uris]
        return self._written(board.slug, states)

    def _submit_unranked(self, clients: Mapping[str, Client]) -> list[dict[str, Any]]:
        # Each has no rank for a reason of its own. The copy does the last action of one program twice. In the
        # last entry, a result claims an instruction less than it has, which a replay refutes.
        found = _states(self._own("local"), METRIC)
        boasting = replace(found[0], claims={METRIC: found[0].claims[METRIC] - 1})
        half = _states(self._own("random"), METRIC)[::2]
        entries = {
            "bob": ("copied search", [self._disguised(found[0]), *found[1:]]),
            "eve": ("half a search", half),
            "mallory": ("boastful search", [boasting, *found[1:]]),
        }
        return [
            one
            for owner, (name, states) in entries.items()
            for one in self._submit(clients[owner], self._board, {name: self._written(name, states)})
        ]

    def _disguised(self, state: EnvState) -> EnvState:
        spec = environment_spec(self._board.environment)
        _, actions = spec.ranked_commandline(state.commandline)
        return replace(state, commandline=spec.commandline([*actions, actions[-1]]))

    def show_reviewer(self) -> None:
        # A reviewer of an earlier run is used again.
        file = self._folder / "reviewer.json"
        if not file.exists():
            name, password = f"reviewer-{secrets.token_hex(3)}", secrets.token_urlsafe(18)
            self._call(
                [*manage("createsuperuser"), "--noinput", "--username", name, "--email", ""],
                DJANGO_SUPERUSER_PASSWORD=password,
            )
            write_private(file, json.dumps({"username": name, "password": password}))
        known = json.loads(file.read_text())
        self._console.print(
            f"Reviewer [bold]{known['username']}[/], password [bold]{escape(known['password'])}[/]:"
            f" {self._server.url}/admin/"
        )

    def _account(self, name: str) -> dict[str, str]:
        # Kept in the state folder; that of an earlier run if the server still knows it.
        file = self._folder / f"{name}.json"
        if file.exists():
            known: dict[str, str] = json.loads(file.read_text())
            with suppress(ApiProblem), Client(self._server.url, known["token"]) as client:
                client.me()
                return known
        username, password = f"{name}-{secrets.token_hex(3)}", secrets.token_urlsafe(18)
        with Client(self._server.url, "") as client:
            token = str(client.signup(username, password)["token"])
        made = {"name": name, "username": username, "password": password, "token": token}
        write_private(file, json.dumps(made))
        return made

    def _search(self, client: Client) -> Path:
        # An earlier run's results are kept while nothing of it changes.
        programs = datasets()[_compared(client, self._board)].uris()
        command = [str(Path(sys.executable).with_name("optarena")), "search", _LIVE_AGENT]
        command += ["--env", self._board.environment, "--evaluations", str(self._budget)]
        for uri in islice(programs, _LIVE_PROGRAMS):
            command += ["--benchmark", uri]
        environment, agent = environment_spec(self._board.environment), agent_named(_LIVE_AGENT)
        version = [environment.digest, agent.version_for(environment.action_table), *command]
        digest = hashlib.sha256(json.dumps(version).encode()).hexdigest()[:12]
        results = self._folder / f"{_LIVE_AGENT}-{digest}.csv"
        self._call([*command, "--output", str(results)])
        return results

    def _submit(self, client: Client, board: BoardSpec, entries: Mapping[str, Path]) -> list[dict[str, Any]]:
        # Of each the programs that the board compares on this server; none where it compares others.
        here = client.board(board.slug)
        compared = set(here["benchmarks"] or datasets()[here["dataset"]].uris())
        found = [_document(board, name, results, compared) for name, results in entries.items()]
        return [
            client.submit(one, key=f"demo-{hashlib.sha256(json.dumps(one).encode()).hexdigest()}")
            for one in found
            if one["items"]
        ]

    def _written(self, kind: str, states: Iterable[EnvState]) -> Path:
        file = self._folder / f"{kind}.csv"
        file.write_text(write_states(states, format="csv"), encoding="utf-8")
        return file

    def _call(self, command: list[str], **variables: str) -> None:
        done = subprocess.run(  # noqa: S603 - the project's own commands
            command,
            cwd=ROOT,
            env={**self._server.environment, **variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if variables else None,
            text=True,
            preexec_fn=death_signal_hook(signal.SIGTERM),
            check=False,
        )
        if done.returncode:
            raise EmbeddedError(f"A command failed with exit code {done.returncode}: {' '.join(command)}")

    def _watch(self, client: Client, submissions: Sequence[Mapping[str, Any]]) -> None:
        # A line for each board: what is done, of how much, and the time left.
        text = TextColumn("{task.description:<16}")
        columns = (text, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=self._console) as progress:
            boards = dict.fromkeys(one["board"] for one in submissions)
            lines = {board: progress.add_task(board, total=None) for board in boards}
            parts_of: dict[str, dict[str, Any]] = {one["id"]: {} for one in submissions}

            def show(_: object) -> None:
                for one, part in parts_of.items():
                    if not part or part["done"] < part["total"]:
                        parts_of[one] = client.submission(one)["progress"]
                for board, line in lines.items():
                    parts = [parts_of[one["id"]] for one in submissions if one["board"] == board]
                    done, total = (sum(part[what] for part in parts) for what in ("done", "total"))
                    progress.update(line, completed=done, total=total)
                self._server.check(lambda line: progress.console.print(escape(line)))
                self._tell_why_paused(progress.console)

            for one in submissions:
                client.wait(one["id"], on_progress=show, poll=1.0)
            show(None)

    def _tell_why_paused(self, console: Console) -> None:
        # The supervisor may be starting PostgreSQL again.
        with (
            suppress(psycopg.OperationalError),
            psycopg.connect(self._server.environment["OPTARENA_DATABASE_URL"]) as connection,
        ):
            found = connection.execute(_WHY_PAUSED).fetchone()
            if found and found[0] != self._why_paused:
                self._why_paused = found[0]
                why = escape(found[0])
                console.print(
                    f"[yellow]The worker takes no work until it passes its test of itself. {why}[/]"
                )

    def _print_board(self, client: Client, spec: BoardSpec) -> None:
        board = client.standings(spec.slug)
        table = Table(title=f"Board {spec.slug} on {_compared(client, spec)}", title_justify="left")
        for column in ("rank", "agent", "owner", "score", "verified"):
            table.add_column(column, justify="left" if column in {"agent", "owner"} else "right")
        for row in board["results"]:
            verified = f"{row['verified']}/{row['total']}"
            table.add_row(_rank(row), escape(row["agent"]), row["owner"], _score(row), verified)
        for row in board["references"]:
            table.add_row("", f"[dim]{escape(row['label'])}[/]", "[dim]reference[/]", _score(row), "")
        self._console.print(table)

    def _print_leaders(self, client: Client) -> None:
        title = f"First on each board of {self._server.url}; the reference has 1"
        table = Table(title=title, title_justify="left")
        for column in ("board", "agent", "score", "verified"):
            is_text = column in {"board", "agent"}
            table.add_column(column, justify="left" if is_text else "right", overflow="fold")
        for spec in (self._board, *_other_boards()):
            for row in client.standings(spec.slug)["results"][:1]:
                page = f"/boards/{spec.slug}/"
                table.add_row(page, escape(row["agent"]), _score(row), f"{row['verified']}/{row['total']}")
        self._console.print(table)


def _document(board: BoardSpec, agent: str, results: Path, compared: Collection[str]) -> dict[str, Any]:
    states = [one.as_dict() for one in _states(results, board.metric) if one.benchmark in compared]
    items = [{name: value for name, value in one.items() if value not in (None, {})} for one in states]
    document: dict[str, Any] = {"board": board.slug, "agent": agent, "open": True, "items": items}
    if report := read_report(results):
        document["effort"] = {
            "compilations": report.compilations,
            "walltime_seconds": report.wall_seconds,
            "trained_on_test_set": report.run.trained_on_test_set,
        }
    return document


def _states(results: Path, metric: str) -> list[EnvState]:
    return read_states(results.read_bytes(), format="csv", metrics=[metric])


def _other_boards() -> list[BoardSpec]:
    # Those that this machine can verify without a device. Measuring takes long: of boards that measure the
    # same metric there is one.
    found: dict[str, BoardSpec] = {}
    for one in board_specs()[1:]:
        is_possible = one.device == CPU and not one.provisional
        if is_possible and not environment_spec(one.environment).why_unavailable():
            found.setdefault(f"measured {one.metric}" if one.reference_metric else one.slug, one)
    return list(found.values())


def _compared(client: Client, board: BoardSpec) -> str:
    # The dataset that a board compares on this server may differ from the one that it ships with.
    return str(client.board(board.slug)["dataset"])


def _rank(row: Mapping[str, Any]) -> str:
    if row["rank"] is None:
        return "-"
    tied = row["rank"] == row["rank_high"]
    return str(row["rank"]) if tied else f"{row['rank']}–{row['rank_high']}"  # noqa: RUF001 - a range


def _score(row: Mapping[str, Any]) -> str:
    return "-" if row["score"] is None else f"{row['score']:.4f}"
