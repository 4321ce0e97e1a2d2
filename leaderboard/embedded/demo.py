"""``./run demo``: the main path on this machine, from an empty folder to a ranked board.

The demo uses the server as any user does: accounts, submissions and standings go through the REST API.
"""

from __future__ import annotations

import csv
import hashlib
import json
import os
import re
import secrets
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import psycopg
from psycopg import sql
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from leaderboard.embedded.process import death_signal_hook
from leaderboard.embedded.server import Server, listen, manage
from leaderboard.embedded.stack import ROOT, EmbeddedStack
from leaderboard.embedded.state import EmbeddedError, write_private
from optarena.agents.catalogue import agent_named
from optarena.client import ApiProblem, Client
from optarena.datasets import datasets
from optarena.specs import board_specs, environment_spec
from optarena.specs.environment import CPU
from optarena.state import read_states, write_states

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from optarena.specs import BoardSpec
    from optarena.state import EnvState

METRIC: Final = "ir_instructions"


STEP: Final = timedelta(days=9)  # How far what happened moves into the past with each step.

# What happened to datasets, boards, submissions and verifications; not who works or may log in now.
_COLUMNS: Final = """
SELECT table_name, array_agg(column_name::text ORDER BY column_name)
FROM information_schema.columns
WHERE table_schema = current_schema() AND data_type = 'timestamp with time zone'
  AND (table_name LIKE 'datasets\\_%' OR table_name LIKE 'leaderboard\\_%'
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


# The agents as the board names them: their names in `optarena search`, and evaluations of a program.
AGENTS: Final = {"oz-list": ("oz-list", 1), "random search": ("random", 4), "greedy search": ("greedy", 300)}
_FIRST_STEPS: Final = "first steps"  # On boards for which no agent searched: such a search takes long.
_BESIDE: Final = "programs-smoke-v0"  # A dataset of real programs beside those of the boards.
_UUID: Final = re.compile(r"/submissions/([0-9a-f-]{36})/")


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

    def show(self) -> None:
        table = Table(box=None, pad_edge=False, title="Time of each step", title_justify="left")
        table.add_column("step")
        table.add_column("seconds", justify="right")
        for name, seconds in self.phases:
            table.add_row(escape(name), f"{seconds:.1f}")
        total = sum(seconds for _, seconds in self.phases)
        table.add_row("[bold]total[/]", f"[bold]{total:.1f}[/]")
        self._console.print(table)


def run_demo(options: argparse.Namespace) -> int:
    """Run the demo and serve until Ctrl-C; the content of the state folder is used again."""
    console = Console(highlight=False)
    clock = Clock(console)
    stack = EmbeddedStack(options.state)
    try:
        with clock.phase("start PostgreSQL and Valkey"):
            stack.start()
        server = Server(stack, listener=listen(options.port))
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
        self._budget = budget
        folder.mkdir(exist_ok=True)

    def run(self) -> None:
        with self._clock.phase("prepare the database, load the dataset and the board"):
            self._server.bootstrap(_BESIDE)
        with self._clock.phase("start web, worker and sweeper"):
            self._server.start()
        ada, bob = self._account("ada"), self._account("bob")
        database = self._server.environment["OPTARENA_DATABASE_URL"]
        with psycopg.connect(database) as connection:
            known = connection.execute("SELECT EXISTS (SELECT FROM leaderboard_submission)").fetchone()
        with Client(self._server.url, ada["token"]) as client:
            found, dataset = {}, _compared(client, self._board)
            for name, (agent, evaluations) in AGENTS.items():
                number = evaluations if self._budget is None else self._budget
                found[name] = self._search(name, agent, dataset, number)
                with self._clock.phase(f"submit {name}, verify it by replay"):
                    self._watch(client, {name: self._submit(name, found[name], ada, self._board)})
                if known == (False,):
                    move_back(database, [ada["username"], bob["username"]])
            what = "submit what boards do not rank: a copy, a half, a claim that is too good"
            with self._clock.phase(what):
                self._watch(client, self._unranked(found["greedy search"], found["random search"], bob))
            self._print_board(client, self._board)
            self._fill_others(client, ada, found["greedy search"])
        self._clock.show()
        for board in (self._board, *_other_boards()):
            self._console.print(f"Board: [bold]{self._server.url}/boards/{board.slug}/[/]")
        for account in (ada, bob):
            file = self._folder / f"{account['name']}.json"
            self._console.print(f"User [bold]{account['username']}[/], password in {file}")

    def _unranked(self, greedy: Path, random: Path, account: dict[str, str]) -> dict[str, str]:
        # Each has no rank for a reason of its own: in the last, a result claims an instruction less than it
        # has, which a replay refutes.
        first, *others = _states(greedy)
        boasting = replace(first, claims={**first.claims, METRIC: first.claims[METRIC] - 1})
        entries = {
            "copied search": greedy,
            "half a search": _written(random, "half", _states(random)[::2]),
            "boastful search": _written(greedy, "overstated", [boasting, *others]),
        }
        return {name: self._submit(name, results, account, self._board) for name, results in entries.items()}

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

    def _fill_others(self, client: Client, account: dict[str, str], greedy: Path) -> None:
        submissions = {}
        with self._clock.phase("submit to the other boards"):
            for board in _other_boards():
                if board.dataset == self._board.dataset:  # what it compares differs from what was claimed
                    bare = [replace(state, claims={}, reward=None) for state in _states(greedy)]
                    agent, entry = "greedy search", _written(greedy, "unclaimed", bare)
                else:
                    uris = board.benchmarks or datasets()[_compared(client, board)].uris()
                    agent, entry = _FIRST_STEPS, _first_steps(board, uris, self._folder)
                submissions[board.slug] = self._submit(agent, entry, account, board)
        with self._clock.phase("replay them, and measure times in blocks"):
            self._watch(client, submissions)
        for board in _other_boards():
            self._print_board(client, board)

    def _account(self, name: str) -> dict[str, str]:
        # Kept in the state folder; that of an earlier run if the server still knows it.
        file = self._folder / f"{name}.json"
        if file.exists():
            known: dict[str, str] = json.loads(file.read_text())
            with suppress(ApiProblem), Client(self._server.url, known["token"]) as client:
                client.me()
                return known
        username, password = f"{name}-{secrets.token_hex(3)}", secrets.token_urlsafe(18)
        with self._clock.phase(f"sign up {name}"), Client(self._server.url, "") as client:
            token = str(client.signup(username, password)["token"])
        made = {"name": name, "username": username, "password": password, "token": token}
        write_private(file, json.dumps(made))
        return made

    def _search(self, name: str, agent: str, dataset: str, evaluations: int) -> Path:
        # An earlier run's results are kept while nothing of it changes.
        command = [str(Path(sys.executable).with_name("optarena")), "search", agent]
        command += ["--board", self._board.slug, "--dataset", dataset]
        command += ["--evaluations", str(evaluations)]
        version = [environment_spec(self._board.environment).digest, agent_named(agent).version, *command]
        digest = hashlib.sha256(json.dumps(version).encode()).hexdigest()[:12]
        results = self._folder / f"{agent}-{digest}.csv"
        with self._clock.phase(f"run agent {name}"):
            self._call([*command, "--output", str(results)])
        return results

    def _submit(self, name: str, results: Path, account: dict[str, str], board: BoardSpec) -> str:
        command = [str(Path(sys.executable).with_name("optarena")), "submit", str(results)]
        command += ["--board", board.slug, "--agent", name, "--env", board.environment]
        environment = {"OPTARENA_URL": self._server.url, "OPTARENA_TOKEN": account["token"]}
        printed = self._call(command, **environment)
        found = _UUID.search(printed)
        if found is None:
            raise EmbeddedError(f"The output of optarena submit has no submission: {printed!r}")
        self._console.print(printed.strip(), markup=False)
        return found[1]

    def _call(self, command: list[str], **variables: str) -> str:
        # The output is captured where variables are given.
        capture = subprocess.PIPE if variables else None
        done = subprocess.run(  # noqa: S603 - the project's own commands
            command,
            cwd=ROOT,
            env={**self._server.environment, **variables},
            stdin=subprocess.DEVNULL,
            stdout=capture,
            text=True,
            preexec_fn=death_signal_hook(signal.SIGTERM),
            check=False,
        )
        if done.returncode:
            raise EmbeddedError(f"A command failed with exit code {done.returncode}: {' '.join(command)}")
        return done.stdout or ""

    def _watch(self, client: Client, submissions: dict[str, str]) -> None:
        text = TextColumn("{task.description:<16}")
        columns = (text, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, console=self._console) as progress:
            for name, submission in submissions.items():
                task = progress.add_task(escape(name), total=None)

                def show(seen: dict[str, Any], task: Any = task) -> None:  # noqa: ANN401 - rich's TaskID
                    progress.update(task, total=seen["progress"]["total"], completed=seen["progress"]["done"])
                    self._server.check(lambda line: progress.console.print(escape(line)))

                client.wait(submission, on_progress=show, poll=0.5)

    def _print_board(self, client: Client, spec: BoardSpec) -> None:
        board = client.standings(spec.slug)
        table = Table(title=f"Board {spec.slug} on {_compared(client, spec)}", title_justify="left")
        for column in ("rank", "agent", "owner", "score", "mean improvement", "verified"):
            table.add_column(column, justify="left" if column in {"agent", "owner"} else "right")
        for row in board["results"]:
            rank = "-" if row["rank"] is None else str(row["rank"])
            if row["rank"] != row["rank_high"]:
                rank += f"–{row['rank_high']}"  # noqa: RUF001 - a range
            verified = f"{row['verified']}/{row['total']}"
            table.add_row(rank, escape(row["agent"]), row["owner"], *_numbers(row), verified)
        for row in board["references"]:
            table.add_row("", f"[dim]{escape(row['label'])}[/]", "[dim]reference[/]", *_numbers(row), "")
        self._console.print(table)


def _states(results: Path) -> list[EnvState]:
    return read_states(results.read_text(), format="csv", metrics=[METRIC])


def _written(results: Path, kind: str, states: Iterable[EnvState]) -> Path:
    file = results.with_name(f"{results.stem}-{kind}.csv")
    file.write_text(write_states(states, format="csv"), encoding="utf-8")
    return file


def _first_steps(board: BoardSpec, uris: Iterable[str], folder: Path) -> Path:
    # The few actions of the environment's probe, for each of a board's benchmarks.
    spec = environment_spec(board.environment)
    line = spec.commandline(spec.probe_actions)
    file = folder / f"{board.slug}.csv"
    with file.open("w", newline="") as written:
        rows = csv.writer(written)
        rows.writerow(["benchmark", "reward", "walltime", "commandline"])
        rows.writerows([uri, "", 0, line] for uri in uris)
    return file


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


def _numbers(row: dict[str, Any]) -> tuple[str, str]:
    score, gain = row["score"], row["mean_improvement"]
    return "-" if score is None else f"{score:.4f}", "-" if gain is None else f"{gain:+.2%}"
