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
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from leaderboard.embedded.errors import EmbeddedError
from leaderboard.embedded.process import dying_with
from leaderboard.embedded.server import Server, listen
from leaderboard.embedded.stack import ROOT, EmbeddedStack
from leaderboard.embedded.state import write_private
from optarena.client import ApiProblem, Client
from optarena.datasets import datasets
from optarena.specs import board_specs, environment_spec
from optarena.specs.device import CPU

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optarena.specs import BoardSpec

AGENTS: Final = {
    "oz-sequence": "oz_sequence.py",
    "random search": "random_search.py",
    "greedy search": "greedy_search.py",
}
_FIRST_STEPS: Final = "first steps"
"""The agent of the demo's own entries, on boards of measured times: a search by such times takes long."""
_UUID: Final = re.compile(r"/submissions/([0-9a-f-]{36})/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """The demo's user, kept in the state folder."""

    username: str
    password: str
    token: str


class Clock:
    """Prints each step, and records how long it took."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self.phases: list[tuple[str, float]] = []
        installed = int(os.environ.get("OPTARENA_INSTALL_SECONDS", "0") or 0)
        if installed:
            self.phases.append(("install requirements", float(installed)))

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """A step of the demo."""
        self._console.print(f"[bold]{escape(name)}[/] ...")
        began = time.monotonic()
        yield
        self.phases.append((name, time.monotonic() - began))

    @property
    def total(self) -> float:
        """Seconds of all steps so far."""
        return sum(seconds for _, seconds in self.phases)

    def show(self) -> None:
        """Print the time of each step."""
        table = Table(box=None, pad_edge=False, title="Time of each step", title_justify="left")
        table.add_column("step")
        table.add_column("seconds", justify="right")
        for name, seconds in self.phases:
            table.add_row(escape(name), f"{seconds:.1f}")
        table.add_row("[bold]total[/]", f"[bold]{self.total:.1f}[/]")
        self._console.print(table)


def run_demo(state: Path, *, port: int, once: bool, budget: int | None = None) -> int:
    """Run the demo and serve until Ctrl-C.

    Args:
        state: The state folder; its content is used again.
        port: The wanted port.
        once: Stop after the board has been printed.
        budget: Actions that an agent may try on each program; its own default if None.

    Raises:
        EmbeddedError: Something could not be started.
    """
    console = Console(highlight=False)
    clock = Clock(console)
    stack = EmbeddedStack(state)
    try:
        with clock.phase("start PostgreSQL and Valkey"):
            stack.start()
        server = Server(stack, listener=listen(port))
        if server.port != port:
            console.print(f"[yellow]Port {port} is taken; using {server.port} instead.[/]")
        try:
            Demo(server, stack.folder.path / "demo", console, clock, budget).run()
            if not once:
                console.print("Serving until Ctrl-C.")
                server.watch(lambda line: console.print(escape(line)))
        finally:
            server.stop()
    finally:
        stack.stop()
        console.print("All processes were stopped.")
    return 0


class Demo:
    """The steps of the demo on one server, for the first of its boards."""

    def __init__(
        self, server: Server, folder: Path, console: Console, clock: Clock, budget: int | None
    ) -> None:
        self._server = server
        self._folder = folder
        self._console = console
        self._clock = clock
        self._board = next(iter(board_specs()))
        self._dataset = self._compared(self._board)
        self._budget = [] if budget is None else ["--budget", str(budget)]
        folder.mkdir(exist_ok=True)

    def run(self) -> None:
        """All steps; the server keeps running."""
        with self._clock.phase("prepare the database, load the dataset and the board"):
            self._server.bootstrap()
        with self._clock.phase("start web, worker and sweeper"):
            self._server.start()
        account = self._account()
        with Client(self._server.url, account.token) as client:
            submissions = {}
            for name, script in AGENTS.items():
                results = self._search(name, script)
                with self._clock.phase(f"submit {name}"):
                    submissions[name] = self._submit(name, results, account, self._board)
            with self._clock.phase("verify by replay"):
                self._watch(client, submissions)
            self._print_board(client, self._board)
            self._measure(client, account)
        self._clock.show()
        for board in (self._board, *_measured_boards()):
            self._console.print(f"Board: [bold]{self._server.url}/boards/{board.slug}/[/]")
        self._console.print(f"User [bold]{account.username}[/], password in {self._folder / 'account.json'}")

    def _compared(self, board: BoardSpec) -> str:
        """The dataset that a board compares on this server."""
        pairs = (
            pair.split("=") for pair in self._server.environment["OPTARENA_BOARD_DATASETS"].split(",") if pair
        )
        return dict(pairs).get(board.dataset, board.dataset)

    def _measure(self, client: Client, account: Account) -> None:
        """Submit a simple entry to each board whose replays measure times, and print these boards."""
        submissions = {}
        with self._clock.phase("submit to the boards of measured times"):
            for board in _measured_boards():
                entry = self._first_steps(board)
                submissions[board.slug] = self._submit(_FIRST_STEPS, entry, account, board)
        with self._clock.phase("measure in blocks"):
            self._watch(client, submissions)
        for board in _measured_boards():
            self._print_board(client, board)

    def _first_steps(self, board: BoardSpec) -> Path:
        """The few actions of the environment's probe, for each of a board's benchmarks."""
        spec = environment_spec(board.environment)
        names = spec.probe.actions if spec.probe else ()
        line = spec.commandline([spec.action_table.names.index(name) for name in names])
        uris = board.benchmarks or datasets()[self._compared(board)].uris()
        file = self._folder / f"{board.slug}.csv"
        with file.open("w", newline="") as written:
            rows = csv.writer(written)
            rows.writerow(["benchmark", "reward", "walltime", "commandline"])
            rows.writerows([uri, "", 0, line] for uri in uris)
        return file

    def _account(self) -> Account:
        """The account of an earlier run if the server still knows it, or a new one."""
        file = self._folder / "account.json"
        known = Account(**json.loads(file.read_text())) if file.exists() else None
        if known is not None and self._knows(known):
            return known
        with self._clock.phase("sign up"), Client(self._server.url, "") as client:
            username, password = f"demo-{secrets.token_hex(3)}", secrets.token_urlsafe(18)
            made = Account(
                username=username, password=password, token=str(client.signup(username, password)["token"])
            )
        write_private(file, json.dumps(asdict(made)))
        return made

    def _knows(self, account: Account) -> bool:
        try:
            with Client(self._server.url, account.token) as client:
                client.me()
        except ApiProblem:
            return False
        return True

    def _search(self, name: str, script: str) -> Path:
        """Run an agent; its results are kept for as long as neither it nor the environment changes."""
        source = ROOT / "examples/agents" / script
        command = [sys.executable, str(source), "--dataset", self._dataset, *self._budget]
        version = [environment_spec(self._board.environment).digest, source.read_text(), *command]
        digest = hashlib.sha256(json.dumps(version).encode()).hexdigest()[:12]
        results = self._folder / f"{source.stem}-{digest}.csv"
        if results.exists():
            self._console.print(f"[bold]{escape(name)}[/]: results of an earlier run, {results}")
            return results
        with self._clock.phase(f"run agent {name}"):
            self._call([*command, "--output", str(results)])
        return results

    def _submit(self, name: str, results: Path, account: Account, board: BoardSpec) -> str:
        """Submit by the command line, as any user does; the submission's id."""
        command = [str(Path(sys.executable).with_name("optarena")), "submit", str(results)]
        command += ["--board", board.slug, "--agent", name, "--env", board.environment]
        environment = {"OPTARENA_URL": self._server.url, "OPTARENA_TOKEN": account.token}
        printed = self._call(command, **environment)
        found = _UUID.search(printed)
        if found is None:
            raise EmbeddedError(f"The output of optarena submit has no submission: {printed!r}")
        self._console.print(printed.strip(), markup=False)
        return found[1]

    def _call(self, command: list[str], **variables: str) -> str:
        """Run a command in the foreground; its standard output, if that is captured."""
        capture = subprocess.PIPE if variables else None
        done = subprocess.run(  # noqa: S603 - the project's own commands
            command,
            cwd=ROOT,
            env={**self._server.environment, **variables},
            stdin=subprocess.DEVNULL,
            stdout=capture,
            text=True,
            preexec_fn=dying_with(signal.SIGTERM),
            check=False,
        )
        if done.returncode:
            raise EmbeddedError(f"A command failed with exit code {done.returncode}: {' '.join(command)}")
        return done.stdout or ""

    def _watch(self, client: Client, submissions: dict[str, str]) -> None:
        """Show the progress of the verdicts, and keep the server running meanwhile."""
        columns = (
            TextColumn("{task.description:<16}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
        )
        with Progress(*columns, console=self._console) as progress:
            for name, submission in submissions.items():
                task = progress.add_task(escape(name), total=None)

                def show(seen: dict[str, Any], task: Any = task) -> None:  # noqa: ANN401 - rich's TaskID
                    progress.update(task, total=seen["progress"]["total"], completed=seen["progress"]["done"])
                    self._server.check(lambda line: progress.console.print(escape(line)))

                client.wait(submission, on_progress=show, poll=0.5)

    def _print_board(self, client: Client, spec: BoardSpec) -> None:
        board = client.standings(spec.slug)
        table = Table(title=f"Board {spec.slug} on {self._compared(spec)}", title_justify="left")
        for column, justify in (("rank", "right"), ("agent", "left"), ("owner", "left")):
            table.add_column(column, justify=justify)  # type: ignore[arg-type] # rich wants the literals
        for column in ("score", "mean improvement", "verified"):
            table.add_column(column, justify="right")
        for row in board["results"]:
            rank = "-" if row["rank"] is None else str(row["rank"])
            if row["rank"] != row["rank_high"]:
                rank += f"–{row['rank_high']}"  # noqa: RUF001 - a range
            verified = f"{row['verified']}/{row['total']}"
            table.add_row(rank, escape(row["agent"]), row["owner"], *_numbers(row), verified)
        for row in board["references"]:
            table.add_row("", f"[dim]{escape(row['label'])}[/]", "[dim]reference[/]", *_numbers(row), "")
        self._console.print(table)


def _measured_boards() -> list[BoardSpec]:
    """The boards with ranks whose replays measure times on a machine without a device."""
    return [
        one for one in board_specs() if one.reference_metric and one.device == CPU and not one.provisional
    ]


def _numbers(row: dict[str, Any]) -> tuple[str, str]:
    score, improvement = row["score"], row["mean_improvement"]
    return (
        "-" if score is None else f"{score:.4f}",
        "-" if improvement is None else f"{improvement:+.2%}",
    )
