"""Commands that ask a server: accounts and their tokens, boards, and submissions."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from http import HTTPStatus
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import click

from optarena import limits
from optarena.cli import console
from optarena.cli.console import (
    counted,
    echo,
    errors,
    number,
    output,
    places,
    print_json,
    progress_bar,
    show_error,
    styled,
    submission_id,
    table,
    text_table,
)
from optarena.client import TOKEN_VARIABLE, ApiProblem, Client, ClientError, automatic_key
from optarena.client_answers import WHY_UNRANKED, rank_text, score_text, short_id, texts_of
from optarena.errors import InvalidInput
from optarena.specs import environment_spec
from optarena.specs.board import CONSISTENT
from optarena.state import EnvState, format_of, write_states

if TYPE_CHECKING:
    from pathlib import Path

    from rich.text import Text

    from optarena.agents.reports import SearchReport


_password = click.option(
    "--password", envvar="OPTARENA_PASSWORD", help="[default: $OPTARENA_PASSWORD, or asked for]"
)


@click.command()
@click.argument("username")
@_password
@console.server
def signup(username: str, password: str | None, url: str | None) -> None:
    """Make an account and print its first token."""
    with Client(url, token="") as client:
        _show(client.signup(username, _given(password, is_new=True))["token"])


@click.command()
@click.argument("username")
@_password
@console.server
def token(username: str, password: str | None, url: str | None) -> None:
    """Print a new token of an account."""
    with Client(url, token="") as client:
        _show(client.make_token(username, _given(password))["token"])


@click.command()
@click.argument("username")
@_password
@console.server
def login(username: str, password: str | None, url: str | None) -> None:
    """Make a token and keep it for this server, so that other commands need no --token."""
    with Client(url, token="") as client:
        token = client.make_token(username, _given(password))["token"]
    console.store_token(url, token)
    output().print(f"logged in as {username} at {client.url}; the token is in {console.logins_path()}")


@click.command()
@console.server
def logout(url: str | None) -> None:
    """Revoke the token that is kept for this server, and forget it."""
    token = console.stored_token(url)
    with Client(url, token) as client:
        try:
            if token:
                client.revoke_token()
        except ApiProblem as error:
            if error.status != HTTPStatus.UNAUTHORIZED:  # it has expired or was revoked elsewhere
                raise
    console.drop_token(url)
    output().print(f"logged out at {client.url}" if token else f"not logged in at {client.url}")


def _given(password: str | None, *, is_new: bool = False) -> str:
    # Not by the option itself: its prompt writes to standard output, where the token is expected.
    if password is not None:
        return password
    found: str = click.prompt("Password", hide_input=True, confirmation_prompt=is_new, err=True)
    return found


def _show(text: str) -> None:
    errors().print(f"Keep it: it is shown once. Use it with `export {TOKEN_VARIABLE}=…`.")
    echo(text)


@click.command()
@console.json_output
@console.login
def boards(url: str | None, token: str | None, *, as_json: bool) -> None:
    """List the boards of the server with their best entries."""
    with console.client(url, token) as client:
        found = client.boards()
    if as_json:
        print_json(found)
    else:
        text_table(found.table)


@click.command()
@click.argument("slug", metavar="BOARD")
@click.option("--all", "every", is_flag=True, help="Every entry, not only the best of each owner.")
@console.json_output
@console.login
def board(slug: str, url: str | None, token: str | None, *, every: bool, as_json: bool) -> None:
    """Show the rows of BOARD, its short name or its address, and the references that they compare with.

    An entry without a rank is followed by the reason. Entries that are being verified have no score.
    """
    base, slug = console.board_address(slug)
    if base and not console.is_typed("token"):
        token = console.token_for(base)
    with console.client(base or url, token) as client:
        page = client.standings(slug, every_entry=every)
    if as_json:
        print_json(page)
    else:
        text_table(page.table)


@click.command()
@click.argument("entries", nargs=-1, required=True)
@click.option("--board", help="The board, if none of the entries is a submission.")
@console.json_output
@console.login
def compare(
    entries: tuple[str, ...], board: str | None, url: str | None, token: str | None, *, as_json: bool
) -> None:
    """Compare two to four ENTRIES of one board, program by program.

    An entry is a submission (its id, the beginning of its id, or the address of its page), a level of the
    compiler such as `level:Oz`, or `virtual-best`, the best verified result of each program.
    """
    with console.client(url, token) as client:
        names = [
            one if one == "virtual-best" or one.startswith("level:") else submission_id(client, one)
            for one in entries
        ]
        found = client.compare(names, board=board)
    if as_json:
        print_json(found)
        return
    output().print(f"board: {found['board']}; programs that all have: {found['common']:d}")
    table(
        ("", "entry", "score", "in words", "rank", "mean of common programs", "ahead alone on"),
        (
            (
                *texts_of(one, "letter", "label"),
                score_text(one["score"]),
                one["against_reference"],
                rank_text(one),
                score_text(one["geometric_mean"]),
                "" if one["wins"] is None else f"{one['wins']:d}",
            )
            for one in found["columns"]
        ),
        numbers=("score", "rank", "mean of common programs", "ahead alone on"),
    )
    if any(one["wins"] is None for one in found["columns"]):
        output().print("The virtual best is not counted as ahead.")
    for pair in found["pairs"]:
        wins, ties = counted(pair["wins"], "win"), counted(pair["ties"], "tie")
        losses = f"{pair['losses']:,d} loss{'' if pair['losses'] == 1 else 'es'}"
        output().print(f"{pair['one']} against {pair['other']}: {wins}, {ties}, {losses}")
    letters = [one["letter"] for one in found["columns"]]
    programs = (
        (
            program["benchmark"],
            *(score_text(cell["ratio"]) for cell in program["cells"]),
            program["winner"] or "",
        )
        for program in found["results"]
    )
    table(("program", *letters, "ahead"), programs, numbers=letters)
    if found["next"]:
        output().print(f"only the first {len(found['results'])} programs are shown")


Json = dict[str, Any]
Say = Callable[[str], None]


def print_verdicts(submission: Json) -> None:
    items = submission["items"]
    claims_of_items = [
        [
            f"the claim of {name} is {status}"
            for name, status in (item.get("claim_status") or {}).items()
            if status != CONSISTENT
        ]
        for item in items
    ]
    table(
        ("item", "benchmark", "verdict", "measured", "ratio", "reason"),
        (
            (
                item["position"],
                item["benchmark"],
                styled(item["verdict"]),
                number(item["value"]),
                "" if item["ratio"] is None else f"{item['ratio']:.4f}",
                "; ".join(filter(None, [(item["reason"] or {}).get("id", ""), *claims])),
            )
            for item, claims in zip(items, claims_of_items, strict=True)
        ),
        numbers=("item", "measured", "ratio"),
    )
    by_reason: dict[str, list[int]] = {}
    for item in items:
        if reason := item["reason"]:
            detail = f" {reason['detail']}" if reason["detail"] else ""
            text = f"{reason['id']}: {reason['meaning']}{detail} {reason['remedy']}"
            by_reason.setdefault(text, []).append(item["position"])
    for text, positions in by_reason.items():
        output().print(f"{places('item', positions)}: {text}")
    output().print(*summary(submission))


def summary(submission: Json) -> tuple[Text, str]:
    if submission["score"] is None:
        score = f"no score, {submission.get('coverage') or 0:.0%} of the board's benchmarks"
    else:
        score = f"score {submission['score']:.4f}"
    where = f"on {submission['board']}"
    if submission["rank"] is None:
        why = submission.get("unranked") or ""
        rank = f"unranked {where}" + (f": {why}" if why else "")
    else:
        rank = f"rank {rank_text(submission)} {where}"
    return styled(f"{submission['state']}:"), f"{score}, {rank}"


_LATEST: Final = 20


@click.command()
@click.argument("submission", required=False)
@console.json_output
@console.login
def status(submission: str | None, url: str | None, token: str | None, *, as_json: bool) -> None:
    """Show the verdicts, the score and the rank of SUBMISSION, an id or the address of its page.

    Without SUBMISSION, your latest ones are listed.
    """
    with console.client(url, token) as client:
        if submission is None:
            console.require_token(client, "Listing your submissions")
            owner = client.me()["username"]
            listed = list(islice(client.submissions(owner=owner), _LATEST))
            if not listed and not as_json:
                output().print(f"{owner} has submitted nothing to {client.url}.")
                return
            (console.print_json if as_json else _list)(listed)
            return
        found = client.submission(submission_id(client, submission))
        found["items"] = list(client.items(found["id"]))
    if as_json:
        console.print_json(found)
        return
    print_verdicts(found)
    _say_forecast(found, output().print)


@click.command()
@click.argument("submission")
@click.option("--to", type=console.RESULTS_FILE, help="A new file. [default: print]")
@console.login
def download(submission: str, to: Path | None, url: str | None, token: str | None) -> None:
    """Save the states of SUBMISSION as `validate` and `submit` read them.

    SUBMISSION is an id or the address of a page. The states are CSV, or JSON if the name of the file says so.
    Claims and rewards are as they were submitted. Items that you may not read are named and left out.
    """
    with console.client(url, token) as client:
        items = list(client.items(submission_id(client, submission)))
    states = [_state(one) for one in readable(items)]
    text = write_states(states, format="csv" if to is None else format_of(to))
    if to is None:
        click.echo(text, nl=False)
        return
    with to.open("x", encoding="utf-8", newline="") as file:
        file.write(text)
    output().print(f"saved: {counted(len(states), 'state')} in {to}")


@click.command()
@click.argument("submission")
@console.confirmation("A withdrawn submission cannot come back. Withdraw it?")
@console.login
def withdraw(submission: str, url: str | None, token: str | None) -> None:
    """Withdraw SUBMISSION, an id or the address of its page. It stays listed without a rank."""
    with console.client(url, token) as client:
        console.require_token(client, "Withdrawing")
        found = client.withdraw(submission_id(client, submission))
    output().print(styled(f"{found['state']}:"), found["url"])


@click.command()
@click.argument("submission")
@click.option("--description", help="What the agent does; an empty text removes it.")
@click.option("--link", help="Where to read more (http or https); an empty text removes it.")
@click.option("--compilations", type=click.IntRange(0), help="Compilations per program in the search.")
@console.walltime
@click.option(
    "--trained-on-test-set/--not-trained-on-test-set",
    default=None,
    help="Whether the agent saw these programs in training.",
)
@click.option(
    "--open", "is_open", is_flag=True, help="Let everybody read the sequences from now on, for good."
)
@console.login
def edit(  # noqa: PLR0913 - one argument for each option
    submission: str,
    *,
    description: str | None,
    link: str | None,
    compilations: int | None,
    walltime: float | None,
    trained_on_test_set: bool | None,
    is_open: bool,
    url: str | None,
    token: str | None,
) -> None:
    """Change what you told about SUBMISSION, an id or the address of its page.

    What you do not name stays as it is. What was there before stays public.
    """
    effort = {
        "compilations": compilations,
        "walltime_seconds": walltime,
        "trained_on_test_set": trained_on_test_set,
    }
    told = {name: value for name, value in effort.items() if value is not None}
    changes: Json = {"description": description, "url": link}
    changes = {name: value for name, value in changes.items() if value is not None}
    changes |= {"open": True} if is_open else {}
    if not changes and not told:
        raise click.UsageError("Name what changes: --description, --link, a part of the effort, or --open.")
    with console.client(url, token) as client:
        console.require_token(client, "Changing what you told")
        key = submission_id(client, submission)
        if told:
            before = client.submission(key)["effort"]
            changes["effort"] = {name: told.get(name, before[name]) for name in effort}
        found = client.edit(key, changes)
    output().print(f"changed: {found['url']}")


def _list(submissions: Iterable[Json]) -> None:
    table(
        ("submission", "board", "agent", "state", "done", "score", "rank", WHY_UNRANKED),
        (
            (
                short_id(one["id"]),
                *texts_of(one, "board", "agent"),
                styled(one["state"]),
                f"{one['progress']['done']}/{one['progress']['total']}",
                "" if one["score"] is None else f"{one['score']:.4f}",
                rank_text(one),
                one.get("unranked") or "",
            )
            for one in submissions
        ),
        numbers=("done", "score", "rank"),
    )


def _state(item: Json) -> EnvState:
    if item["commandline"] is None:
        message = f"You may not read the sequence of item {item['position']}: {closed(item)}."
        remedy = "Log in as its owner, or as somebody who has verified a result at least as good."
        raise InvalidInput(message, field="commandline", remedy=remedy)
    names = ("benchmark", "commandline", "reward", "walltime", "claims")
    state = EnvState(**{name: item[name] for name in names})
    # The server keeps all of them as floats.
    claims = {
        name: int(value) if float(value).is_integer() else value for name, value in state.claims.items()
    }
    return replace(state, claims=claims)


def readable(items: list[Json]) -> list[Json]:
    # The others are named; if none can be read, the caller's error for the first of them says why.
    found = [one for one in items if one["commandline"] is not None]
    if not found:
        return items
    for one in items:
        if one["commandline"] is None:
            where = f"item {one['position']} ({one['benchmark']})"
            show_error(f"{where}: you may not read it: {closed(one)}", kind="warning")
    return found


def closed(item: Json) -> str:
    # Why the server kept a sequence back.
    opens_at = item.get("opens_at")
    return f"it opens on {str(opens_at)[:10]}" if opens_at else f"it is {item['verdict']}"


WAIT_SECONDS: Final = 3600.0
LINE_SECONDS: Final = 60.0


@click.command()
@click.argument("file", type=console.FILE)
@click.option("--board", help="The board's short name, as in its address.")
@click.option("--agent", help="The agent's name on the board.")
@click.option("--description", help="What the agent does.")
@click.option("--link", help="Where to read more (http or https).")
@click.option("--compilations", type=click.IntRange(0), help="Compilations per program in the search.")
@console.walltime
@click.option("--trained-on-test-set", is_flag=True, help="The agent saw these programs in training.")
@click.option(
    "--open", "is_open", is_flag=True, help="Let everybody read the sequences once they are verified."
)
@click.option("--key", help="Idempotency key. [default: made from what is submitted]")
@click.option("--wait", is_flag=True, help="Wait for the verdicts and print them.")
@click.option("--dry-run", is_flag=True, help="Let the server check everything; store nothing.")
@console.json_output
@console.environment
@console.login
def submit(  # noqa: PLR0913 - one argument for each option
    file: Path,
    *,
    board: str | None,
    agent: str | None,
    description: str | None,
    link: str | None,
    compilations: int | None,
    walltime: float | None,
    trained_on_test_set: bool,
    is_open: bool,
    key: str | None,
    wait: bool,
    dry_run: bool,
    as_json: bool,
    env: str | None,
    url: str | None,
    token: str | None,
) -> int:
    """Submit the states of FILE (CSV or JSON) to a board.

    A FILE that is a submission's document, as the REST API takes it, needs no options; those that are given
    replace what it says. A report of `optarena search` beside FILE gives the effort. Running the same command
    again makes no second submission, unless you have withdrawn the first. With --wait, the exit code is 0 if
    every item is verified, and 1 if one is not; while your quota does not suffice, it tries again when the
    server says. With --json, only the server's answer goes to standard output.
    """
    from optarena.agents.reports import read_report  # noqa: PLC0415 # brings numpy, for which no login waits

    say: Say = (console.errors() if as_json else output()).print
    text = console.read_text(file)
    effort = {
        "compilations": compilations,
        "walltime_seconds": walltime,
        "trained_on_test_set": trained_on_test_set or None,
    }
    named = {"board": board, "agent": agent, "description": description, "url": link, "open": is_open or None}
    own = console.read_about(text)
    document = _document(own, named, effort)
    most = limits.IDEMPOTENCY_KEY_LENGTH  # a header must hold it
    if key is not None and not (key.isascii() and key.isprintable() and 0 < len(key) <= most):
        raise click.BadParameter(f"give 1 to {most} printable ASCII characters.", param_hint="--key")
    with console.client(url, token) as client:
        console.require_token(client)
        _, states = console.read_rows_of(text, file, env or _environment(client, str(document["board"])))
        console.refuse_repeats(states)
        report = None if own.get("effort") else read_report(file)
        _fill(document, file, report, [state for _, state in states], say)
        with _rows_of_the_file([row for row, _ in states]):
            if dry_run:
                found = client.check(document)
                say(f"{counted(found['items'], 'item')} can be submitted to {found['board']}")
                _say_forecast(found, say)
            else:
                found = _sent(client, document, key, say, wait=wait)
        is_awaited = wait and not dry_run
        if is_awaited:
            found = _wait(client, found, say)
    if as_json:
        console.print_json(found)
    elif is_awaited:
        print_verdicts(found)
    return 1 if is_awaited and found["state"] != "verified" else 0


def _document(own: Json, named: Json, effort: Json) -> Json:
    # What the options name replaces what the file says of itself.
    given = {name: value for name, value in named.items() if value is not None}
    document = {"description": "", "url": "", "open": False} | own | given
    for name in ("board", "agent"):
        if not document.get(name):
            raise click.UsageError(f"Give --{name}: the file does not name one.")
    blank = {"compilations": None, "walltime_seconds": None, "trained_on_test_set": False}
    known = own.get("effort") or {}
    if isinstance(known, dict):  # the server refuses anything else
        document["effort"] = (
            blank | known | {one: value for one, value in effort.items() if value is not None}
        )
    return document


@contextmanager
def _rows_of_the_file(rows: Sequence[int]) -> Iterator[None]:
    # The server counts the items that were sent; users know rows of the file.
    try:
        yield
    except ApiProblem as error:
        error.errors = tuple(
            one if one.row is None or one.row >= len(rows) else replace(one, row=rows[one.row])
            for one in error.errors
        )
        raise


def _sent(client: Client, document: Json, key: str | None, say: Say, *, wait: bool) -> Json:
    def warn(problem: ApiProblem) -> None:
        show_error(f"{problem} Trying again in {problem.retry_after} s.", kind="warning")

    done = "submitted"

    def repeat() -> None:
        nonlocal done
        done = "submitted before"

    patience = WAIT_SECONDS if wait else 0.0
    used = key or automatic_key(document)
    while True:
        submission = client.submit(document, key=used, patience=patience, on_wait=warn, on_repeat=repeat)
        if submission.get("state") != "withdrawn":
            break
        if key:
            message = f"The submission that was made with this key has been withdrawn: {submission['url']}."
            remedy = "Give another --key to submit it again."
            raise InvalidInput(message, field="--key", value=key, remedy=remedy)
        used, done = automatic_key(document, after=submission["id"]), "submitted"
    say(f"{done}: {submission['url']}")
    _say_forecast(submission, say)
    return submission


def _environment(client: Client, board: str) -> str | None:
    try:
        found = client.board(board)
    except ApiProblem as error:
        if error.status == HTTPStatus.NOT_FOUND:  # the server reports it together with any other problems
            return None
        raise
    slug: str = found["environment"]
    if environment_spec(slug).digest != found["environment_digest"]:
        message = f"{slug} has a different version here than on the board {board}"
        show_error(f"{message}: values measured here may differ there.", kind="warning")
    return slug


def _fill(
    document: Json, file: Path, report: SearchReport | None, states: Sequence[EnvState], say: Say
) -> None:
    document["items"] = [
        {name: value for name, value in state.as_dict().items() if value not in (None, {})}
        for state in states
    ]
    if report is None:
        return
    from optarena.agents.reports import check_report, report_path  # noqa: PLC0415 # as above

    check_report(report, states, name=report_path(file).name)
    effort = document["effort"]
    effort["trained_on_test_set"] |= report.run.trained_on_test_set
    if effort["compilations"] is None:
        effort["compilations"] = report.compilations
    if effort["walltime_seconds"] is None:
        effort["walltime_seconds"] = report.wall_seconds
    trained = "trained" if effort["trained_on_test_set"] else "not trained"
    made = counted(effort["compilations"], "compilation")
    took = f"{effort['walltime_seconds']:.0f} s, {trained} on the test set"
    say(f"from {report_path(file).name}: {made} of each program, {took}")
    if report.from_store:
        say(
            f"A store answered {report.from_store} of {counted(report.evaluations, 'evaluation')}, so "
            "the time is less than the search takes; give --walltime if you know it."
        )
    told = f"`{report.run.command}` repeats it."
    if not document["description"] and report.run.minutes is None and len(told) <= limits.DESCRIPTION_LENGTH:
        document["description"] = told


def _forecast(submission: Json) -> str:
    wait = submission.get("wait")
    return str(wait.get("text") or "") if isinstance(wait, dict) else ""


def _say_forecast(submission: Json, say: Say) -> None:
    if text := _forecast(submission):
        say(text)


def _wait(client: Client, submission: Json, say: Say) -> Json:
    with suppress(ClientError):  # only a hint: the submission has been stored
        wanted = str(client.board(submission["board"]).get("hardware_class", ""))
        classes = client.queue().get("hardware_classes", [])
        if any(one.get("stuck") and one.get("name") == wanted for one in classes):
            say(f"no runner of class {wanted} is available; the replays wait for one")
    told_at = time.monotonic()
    with progress_bar() as bar:
        task = bar.add_task("verifying", total=submission["progress"]["total"])

        def show(seen: Json) -> None:
            nonlocal told_at
            wait = seen.get("wait")
            position = wait.get("position") if isinstance(wait, dict) else None
            doing = f"position {position:,}" if isinstance(position, int) else "verifying"
            done, total = seen["progress"]["done"], seen["progress"]["total"]
            bar.update(task, completed=done, description=doing)
            if bar.disable and time.monotonic() - told_at >= LINE_SECONDS:  # instead of a bar
                told_at = time.monotonic()
                console.errors().print(f"{done} of {total} items have a verdict. {_forecast(seen)}".rstrip())

        ended = client.wait(submission["id"], on_progress=show, timeout=WAIT_SECONDS)
    ended["items"] = list(client.items(ended["id"]))
    return ended
