"""``optarena portfolio`` and ``train``: sequences and policies, learned from programs; tried, and sent."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import click

from optarena.agents.catalogue import agent_named
from optarena.agents.known_sequences import (
    Portfolio,
    builtin_portfolio,
    check_name,
    find_portfolio,
    join_portfolios,
    write_portfolio,
)
from optarena.agents.learning import LearningPlan
from optarena.agents.learning import learn as learned
from optarena.agents.outcomes import Objective
from optarena.agents.policies import write_policy
from optarena.agents.reports import check_new, lock_output, replace_file
from optarena.cli import console, search
from optarena.cli.console import (
    counted,
    output,
    portable_entry_id,
    print_json,
    progress_bar,
    show_error,
    styled,
    table,
)
from optarena.client_answers import WHY_UNRANKED, rank_text, short_id, texts_of
from optarena.datasets import Benchmark, datasets
from optarena.errors import InvalidInput, ToolMissing
from optarena.specs import environment_spec
from optarena.training.episodes import TrainingPlan

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.client import Client

Json = dict[str, Any]
WAIT_SECONDS: Final = 3600.0


@click.command("submit")
@click.argument("portfolio", metavar="FILE|NAME")
@click.option("--board", required=True, help="The short name of a board of portable entries.")
@click.option("--agent", required=True, help="The agent's name on the board.")
@click.option("--wait", is_flag=True, help="Wait for the score and print it.")
@console.login
def submit_portfolio(  # noqa: PLR0913 - one argument for each option
    portfolio: str, *, board: str, agent: str, wait: bool, url: str | None, token: str | None
) -> int:
    """Submit a portfolio as a portable entry.

    PORTFOLIO is a TOML file, or a name of the package's.

    The server draws programs at the end of the round, the same for all entries of it, and replays every
    sequence on each of them; the best one counts. One entry of yours takes part in a round, and running the
    same command again makes no second one. With --wait, the exit code is 0 if the entry has a score, and 1 if
    it could not be verified. A name of the package's goes before a file of that name; ./NAME is the file.
    """
    with console.client(url, token) as client:
        console.require_token(client)
        found = client.portable_board(board)
        spec = environment_spec(found["environment"])
        if spec.digest != found["environment_digest"]:
            show_error(f"{spec.slug} has a different version here than on the board {board}.", kind="warning")
        chosen = find_portfolio(portfolio, spec.action_table)
        sequences = [{"actions": list(one.actions)} for one in chosen.sequences]
        output().print(f"sequences of {chosen.name}: {len(sequences)}")
        entry = client.seal({"board": board, "agent": agent, "sequences": sequences})
        output().print(f"sealed: {entry['page_url']}")
        output().print(f"programs are drawn at {entry['round_ends_at']}")
        return _wait(client, entry) if wait else 0


@click.command("board")
@click.argument("board", required=False)
@console.json_output
@console.login
def portable_board(board: str | None, url: str | None, token: str | None, *, as_json: bool) -> None:
    """Show the last round of BOARD and what was sealed since. Without it, list these boards."""
    with console.client(url, token) as client:
        found = client.portable_boards() if board is None else client.portable_board(board)
    if as_json:
        print_json(found)
    elif isinstance(found, dict):
        _list_entries(found["rows"] + found["sealed"])
    else:
        names = ("slug", "environment", "dataset", "programs", "entries")
        rows = ([str(one[name]) for name in names] for one in found)
        table(("board", *names[1:]), rows, numbers=names[3:])


@click.command("status")
@click.argument("entry", required=False)
@console.json_output
@console.login
def entry_status(entry: str | None, url: str | None, token: str | None, *, as_json: bool) -> None:
    """Show state, score and rank of ENTRY, an id or a page's address.

    Without ENTRY, those of yours are listed that are in the last round of a board, or were sealed since.
    """
    with console.client(url, token) as client:
        if entry is not None:
            found = client.portable_entry(portable_entry_id(client, entry))
            (print_json if as_json else _show_entry)(found)
            return
        console.require_token(client, "Listing your entries")
        owner = client.me()["username"]
        boards = (client.portable_board(one["slug"]) for one in client.portable_boards())
        listed = (row for board in boards for row in board["rows"] + board["sealed"])
        rows = [row for row in listed if row["owner"] == owner]
        (print_json if as_json else _list_entries)(rows)


@click.command("withdraw")
@click.argument("entry")
@console.confirmation("A withdrawn entry cannot come back. Withdraw it?")
@console.login
def withdraw_entry(entry: str, url: str | None, token: str | None) -> None:
    """Withdraw ENTRY, an id or the address of its page. It stays readable without a rank.

    As long as its programs have not been drawn, another entry may take its place.
    """
    with console.client(url, token) as client:
        console.require_token(client, "Withdrawing")
        found = client.withdraw_entry(portable_entry_id(client, entry))
    output().print(styled(f"{found['state']}:"), found["page_url"])


def _list_entries(rows: Iterable[Json]) -> None:
    table(
        ("rank", "agent", "by", "state", "score", "sequences", "entry", WHY_UNRANKED),
        (
            (
                rank_text(one),
                *texts_of(one, "agent", "owner"),
                styled(one["state"]),
                "" if one["score"] is None else f"{one['score']:.4f}",
                one["sequences"],
                short_id(one["entry"]),
                one["why"],
            )
            for one in rows
        ),
        numbers=("rank", "score", "sequences"),
    )


def _show_entry(entry: Json) -> None:
    done = f"{entry['ended_replays']} of {entry['replays']} replays"
    output().print(f"{entry['agent']} on {entry['board']}: ", styled(entry["state"]), f", {done}", sep="")
    if entry["score"] is not None:
        _print_scores(entry)
    output().print(f"rank {rank_text(entry)}" if entry["rank"] else f"no rank: {entry['why']}")
    output().print(entry["page_url"])


def _wait(client: Client, entry: Json) -> int:
    with progress_bar() as bar:
        task = bar.add_task("sealed", total=None)

        def show(seen: Json) -> None:
            total = seen["replays"] or None
            bar.update(task, description=seen["state"], completed=seen["ended_replays"], total=total)

        ended = client.wait_for_entry(entry["id"], on_progress=show, timeout=_most_seconds(entry))
    if ended["state"] == "withdrawn":
        output().print("the entry was withdrawn")
        return 1
    if ended["score"] is None:
        output().print(f"{ended['unverified']} replays could not be made; submit the same entry again")
        return 1
    _print_scores(ended)
    if ended["state"] == "quarantined":
        output().print("A reviewer looks at the entry before it gets a rank.")
    return 0


def _most_seconds(entry: Json) -> float:
    # Until its programs are drawn, and for its replays.
    try:
        left = datetime.fromisoformat(entry["round_ends_at"]) - datetime.now(UTC)
    except (TypeError, ValueError):  # the server says nothing that could be waited for
        return WAIT_SECONDS
    return max(0.0, left.total_seconds()) + WAIT_SECONDS


def _print_scores(entry: Json) -> None:
    drawn = [one for one in entry["programs"] if one["is_drawn"]]
    interval = entry["score_interval"]
    between = f" ({interval[0]:.4f} to {interval[1]:.4f})" if interval else ""
    output().print(f"score {entry['score']:.4f}{between} on {counted(len(drawn), 'program')}")
    if entry["report_score"] is not None:
        known = len(entry["programs"]) - len(drawn)
        output().print(f"report {entry['report_score']:.4f} on {known} known programs")


_OPTIONS = (
    click.option(
        "--from",
        "sources",
        multiple=True,
        required=True,
        metavar="DATASET[/SPLIT]",
        help="Learn from the programs of this dataset, or of a split of it; repeatable.",
    ),
    click.option("--largest", type=click.IntRange(1), help="Only programs with at most this cost as given."),
)


def program_choices(command: console.Command) -> console.Command:
    return console.with_options(_OPTIONS, command)


def learning_programs(sources: Sequence[str], cost: str, largest: int | None) -> Iterator[Benchmark]:
    seen: set[str] = set()
    for source in sources:
        name, _, split = source.partition("/")
        dataset = datasets()[name]
        if dataset.kind != "stored":
            message = f"{name} has no fixed number of programs."
            raise InvalidInput(message, field="from", value=name, remedy="Name a stored dataset.")
        for benchmark in dataset.split(split) if split else dataset:
            size = benchmark.baseline(cost, "O0")
            if benchmark.uri not in seen and (largest is None or (size is not None and size <= largest)):
                seen.add(benchmark.uri)
                yield benchmark


_FROZEN: Final = "Give another --output; a portfolio is frozen once results name it."


@click.group()
def portfolio() -> None:
    """Learn sequences that are good on many programs, try known ones, or submit them as portable entries."""


for command in (submit_portfolio, entry_status, portable_board, withdraw_entry):
    portfolio.add_command(command)


@portfolio.command()
@search.choices
def apply(**chosen: Any) -> int:  # noqa: ANN401 # click's options
    """Try a portfolio's sequences on programs, and keep the best. `search portfolio` does the same."""
    return search.run(agent_named("portfolio"), **chosen)


@portfolio.command()
@program_choices
@click.option("--env", required=True, help="The environment.")
@click.option("--metric", help="What to optimise, an exact metric. [default: the cost]")
@click.option("--size", type=click.IntRange(1), default=12, help="The most sequences.")
@click.option(
    "--evaluations",
    type=click.IntRange(1),
    default=150,
    help="How many sequences to evaluate for the candidate of a program.",
)
@click.option(
    "--changes",
    type=click.IntRange(0),
    default=20,
    help="How many changes of each chosen sequence to try on all programs.",
)
@click.option("--seed", type=click.IntRange(0), default=0, help="Of random choices.")
@click.option("--nproc", type=console.ProcessCount(), default=1, help="As for `search`.")
@click.option("--name", default="mine-v0", help="Its name with its version.")
@click.option("--output", "target", required=True, type=console.NEW_FILE, help="The file.")
def learn(  # noqa: PLR0913 # one argument for each option
    *,
    sources: tuple[str, ...],
    largest: int | None,
    env: str,
    metric: str | None,
    name: str,
    target: Path,
    **numbers: int,
) -> int:
    """Learn a portfolio from programs. `portfolio apply` and `search local` take its file.

    Each sequence is chosen for what it adds to the others on all programs. Figures on the programs from
    which it was learned say little: apply it to others. Ctrl-C keeps the sequences that were chosen: the same
    as with a smaller --size.
    """
    check_name(name)
    spec = environment_spec(env)
    objective = Objective.of(spec, metric or "")
    programs = tuple(learning_programs(sources, objective.cost.name, largest))
    listed = builtin_portfolio(spec.action_table, "list")
    starts = () if listed is None else tuple(one.actions for one in listed.sequences)
    plan = LearningPlan(environment=spec, objective=objective, benchmarks=programs, starts=starts, **numbers)
    made = Portfolio(
        name=name,
        kind="portfolio",
        table=spec.action_table.name,
        sequences=(),
        trained_on=tuple(one.uri for one in programs),
        description=plan.description,
    )
    with lock_output(target):
        check_new(target, _FROZEN)
        try:
            # The file is written anew after each sequence, so that an interruption keeps what is there.
            for sequence in learned(plan, lambda line: output().print(line)):
                made = replace(made, sequences=(*made.sequences, sequence))
                replace_file(target, write_portfolio(made, plan.environment))
        finally:
            if made.sequences:
                output().print(f"{counted(len(made.sequences), 'sequence')} written to {target}")
    return 0


@portfolio.command()
@click.argument("parts", nargs=-1, required=True, metavar="FILE|NAME...")
@click.option("--env", required=True, help="The environment.")
@click.option("--name", default="mine-v0", help="Its name with its version.")
@click.option("--output", "target", required=True, type=console.NEW_FILE, help="The file.")
def join(*, parts: tuple[str, ...], env: str, name: str, target: Path) -> int:
    """Write the sequences of several portfolios as one. Each is a file, or one of the package's."""
    check_name(name)
    spec = environment_spec(env)
    made = join_portfolios((find_portfolio(one, spec.action_table) for one in parts), name)
    with lock_output(target):
        check_new(target, _FROZEN)
        replace_file(target, write_portfolio(made, spec))
    output().print(f"{counted(len(made.sequences), 'sequence')} written to {target}")
    return 0


_MOST_SEED: Final = 2**32 - 1  # The greatest that PyTorch's and NumPy's generators all take


@click.group()
def train() -> None:
    """Train a policy that proposes actions."""


@train.command()
@program_choices
@click.option("--env", required=True, help="The environment.")
@click.option(
    "--steps",
    type=click.IntRange(1),
    default=60_000,
    help="How many actions to take, in whole rollouts of 2,048.",
)
@click.option("--length", type=click.IntRange(1, 1_000), default=45, help="Actions of an episode.")
@click.option("--seed", type=click.IntRange(0, _MOST_SEED), default=0, help="Of random choices.")
@click.option(
    "--portfolio",
    metavar="FILE|NAME",
    help="Half of the episodes begin behind a part of its sequences. [default: the package's newest]",
)
@click.option("--name", default="mine-v0", help="Its name with its version.")
@click.option(
    "--output",
    "target",
    required=True,
    type=console.OutputFile(".json"),
    help="The JSON file; the arrays are written beside it.",
)
def ppo(  # noqa: PLR0913 # one argument for each option
    *,
    sources: tuple[str, ...],
    largest: int | None,
    env: str,
    portfolio: str | None,
    name: str,
    target: Path,
    **numbers: int,
) -> int:
    """Train a policy by PPO. `search ppo` and `search local-ppo` take its file.

    It looks at features of the program, and is rewarded with the logarithm of what each action gains. Needs
    the extra `rl`; the policy that it writes does not, and holds no code. Figures on the programs from which
    it learned say little: apply it to others.
    """
    check_name(name)
    spec = environment_spec(env)
    objective = Objective.of(spec)
    table = spec.action_table
    plan = TrainingPlan(
        environment=spec,
        objective=objective,
        benchmarks=tuple(learning_programs(sources, objective.cost.name, largest)),
        portfolio=find_portfolio(portfolio, table) if portfolio else builtin_portfolio(table, "portfolio"),
        **numbers,
    )
    beside = target.with_suffix(".npz")
    with lock_output(target):
        for path in (target, beside):
            check_new(path, "Give another --output; a policy is frozen once results name it.")
        try:
            trainer = importlib.import_module("optarena.training.ppo")
        except ImportError as error:
            message = f"Training needs PyTorch and Stable-Baselines3: {error}."
            raise ToolMissing(
                message, field="rl", remedy="Install them: pip install 'optarena[rl]'."
            ) from error
        made = trainer.train(plan, name, lambda line: output().print(line))
        document, arrays = write_policy(made)
        replace_file(beside, arrays)
        replace_file(target, document)  # the JSON file last
    output().print(f"The policy was written to {target}")
    return 0
