"""What commands share: printing (results to standard output, else standard error), options, files, logins."""

from __future__ import annotations

import functools
import json
import math
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Literal, NamedTuple, TypeVar, cast

import click
from rich.cells import cell_len
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from optarena.client import TOKEN_VARIABLE, URL_VARIABLE, Client, ServerUnreachable, server_url
from optarena.client_answers import WHY_UNRANKED
from optarena.datasets import environment_of
from optarena.documents.loading import decode, json_document
from optarena.documents.places import Place, group_problems, list_numbers
from optarena.documents.texts import one_line
from optarena.errors import InvalidDocument, InvalidInput, OptArenaError, Problem
from optarena.limits import MAX_SUBMISSION_BYTES
from optarena.paths import site_data
from optarena.specs import (
    BoardSpec,
    EnvironmentSpec,
    board_specs,
    environment_spec,
    program_formats,
    unknown_name,
    withdrawn_board_specs,
)
from optarena.state import EnvState, beside_items, form_of, format_of, read_rows, repeated_rows

if TYPE_CHECKING:
    from optarena.tables import TextTable

BOARD_ADDRESS: Final = re.compile(
    r"^(?:(?P<base>https?://[^?#]*?)(?:/api/v1)?/boards/)?(?P<slug>[A-Za-z0-9_-]+)/?"
    r"(?P<query>\?[^#]*)?(?:#.*)?$"
)
_SHOWN: Final = 20
_STYLES: Final = {
    **dict.fromkeys(("verified", "equal", "valid"), "green"),
    **dict.fromkeys(("refuted", "differs", "invalid", "failed"), "red"),
    **dict.fromkeys(("quarantined", "partial"), "yellow"),
}


class _Console(Console):
    # A text by a server, a file or a plug-in could control the terminal. So each text is printed on one line,
    # with its control characters made visible, and has no markup. Only what `in_style` returns has a style.

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - rich's
        super().__init__(highlight=False, markup=False, emoji=False, **options)

    def render_str(self, text: str, **options: Any) -> Text:  # noqa: ANN401 - rich's
        return super().render_str(one_line(text), **options)


def output() -> Console:
    # Lines that go into a pipe are never wrapped.
    console = _Console()
    if not console.is_terminal:
        console.width = 1000
    return console


def errors() -> Console:
    return _Console(stderr=True, soft_wrap=True)


def in_style(text: str, style: str) -> Text:
    return Text(one_line(text), style)


def echo(text: str) -> None:
    # A single text, for programs; much faster than a console.
    click.echo(one_line(text))


def show_error(message: str, *, kind: str = "error") -> None:
    errors().print(in_style(f"{kind}:", "bold red"), message)


def show_problems(problems: Sequence[Problem]) -> None:
    # One line for all rows that have the same problem, up to a screenful of lines.
    groups = group_problems(problems)
    for problem, rows in groups[:_SHOWN]:
        where = f"{places('row', rows)}: " if rows else ""
        given = f" (given: {problem.value})" if problem.value else ""
        show_error(f"{where}{problem.field}: {problem.message}{given} {problem.remedy}".rstrip())
    if len(groups) > _SHOWN:
        show_error(f"{len(groups) - _SHOWN} more problems are not shown; correct these first.")


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def places(noun: str, numbers: Sequence[int]) -> str:
    return f"{noun}{'s' if len(set(numbers)) > 1 else ''} {list_numbers(numbers)}"


def styled(word: str) -> Text:
    # With a colon behind it or without.
    return in_style(word, _STYLES.get(word.removesuffix(":"), ""))


def print_json(document: object) -> None:
    # ASCII without DEL: texts by a server or an author could control the terminal.
    click.echo(json.dumps(document, indent=2, allow_nan=False).replace("\x7f", "\\u007f"))


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, numbers: Sequence[str] = ()) -> None:
    console, reasons = output(), []
    cells = [[_cell(value) for value in row] for row in rows]
    if console.is_terminal and columns[-1] == WHY_UNRANKED:
        # A column of sentences would leave the others no room: they are lines below.
        agents, columns = columns.index("agent"), columns[:-1]
        reasons = [(row[agents], reason) for *row, reason in cells if reason]
        cells = [row[:-1] for row in cells]
    by_column = list(zip(*cells, strict=True)) or [()] * len(columns)
    are_names = [not any(" " in str(cell) for cell in column) for column in by_column]
    least = 0  # What is neither broken nor lost, of names with their heading, and of texts the longest word.
    for heading, is_name, texts in zip(columns, are_names, by_column, strict=True):
        whole = [heading, *map(str, texts)]
        parts = whole if is_name else [word for text in whole for word in text.split()]
        least += 2 + max(map(cell_len, parts), default=0)
    shown = Table(box=None, pad_edge=False, header_style="bold")
    for place, column in enumerate(columns):
        is_whole = least <= console.width and are_names[place]
        align: Literal["left", "right"] = "right" if column in numbers else "left"
        shown.add_column(_cell(column), justify=align, overflow="fold", no_wrap=is_whole)
    for row in cells:
        shown.add_row(*row)
    console.print(shown)
    for agent, reason in reasons:
        console.print(agent, ": ", reason, sep="")


def _cell(value: object) -> str | Text:
    if value is None or isinstance(value, (str, Text)):
        return value or ""
    return one_line(str(value))


def text_table(shown: TextTable) -> None:
    table(shown.columns, shown.rows, numbers=shown.numbers)
    for line in shown.note.splitlines():
        output().print(line)


class _Description(ProgressColumn):
    # rich's own column reads markup.
    def render(self, task: Task) -> Text:
        return in_style(task.description, "")


def progress_bar() -> Progress:
    console = errors()
    return Progress(
        _Description(),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


def number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.0f}" if float(value).is_integer() else f"{value:.4f}"


MAX_PARALLEL: Final = 64
ALL_CORES: Final = "all"
Command = TypeVar("Command", bound="Callable[..., Any]")


class _Seconds(click.FloatRange):
    # JSON has finite numbers only.

    def __init__(self) -> None:
        super().__init__(0)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401 - click's signature
        seconds: float = super().convert(value, param, ctx)
        if not math.isfinite(seconds):
            self.fail("give a finite number of seconds.", param, ctx)
        return seconds


FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)
NEW_FILE: Final = click.Path(dir_okay=False, path_type=Path)
FOLDER: Final = click.Path(file_okay=False, path_type=Path)
json_output = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
walltime = click.option("--walltime", type=_Seconds(), help="Seconds that the whole search took.")
server = click.option("--url", envvar=URL_VARIABLE, help=f"The server. [default: ${URL_VARIABLE}]")
environment = click.option(
    "--env", help="The environment whose actions the states name. [default: that of the board or the dataset]"
)
sandbox = click.option(
    "--no-sandbox", is_flag=True, help="Replay without the kernel's sandbox. Only for states that you trust."
)


def with_options(options: Sequence[Callable[[Any], Any]], command: Command) -> Command:
    for option in reversed(options):
        command = option(command)
    return command


def login(command: Command) -> Command:
    text = f"Your API token. [default: ${TOKEN_VARIABLE}, or that of `optarena login`]"
    return server(click.option("--token", envvar=TOKEN_VARIABLE, help=text)(reading_answers(command)))


def reading_answers(command: Command) -> Command:
    # Values of unexpected types are the server's fault, not one of this program.
    @functools.wraps(command)
    def guarded(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401 # whatever the command's are
        try:
            return command(*arguments, **options)
        except OptArenaError:
            raise
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            message = f"The server's answer cannot be used ({type(error).__name__}: {error})."
            remedy = "Check the address, and that both are of one release."
            raise ServerUnreachable(f"{message} {remedy}") from error

    return cast("Command", guarded)


class ProcessCount(click.ParamType[int]):
    name = "number|all"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:  # noqa: ANN401 # click's signature
        if value == ALL_CORES:
            return min(len(os.sched_getaffinity(0)), MAX_PARALLEL)
        found: int = click.IntRange(1, MAX_PARALLEL).convert(value, param, ctx)
        return found


class OutputFile(click.Path):
    # Its name says what is written: under another ending it would be read as something else.
    def __init__(self, *endings: str) -> None:
        super().__init__(dir_okay=False, path_type=Path)
        self._endings = endings

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:  # noqa: ANN401 # click's signature
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if path.suffix.lower() not in self._endings:
            message = f"{path} does not end in {' or '.join(filter(None, self._endings))}."
            remedy = f"Give a name that does{', or has no ending' if '' in self._endings else ''}."
            field = param.opts[0].removeprefix("--") if param else ""
            raise InvalidInput(message, field=field, value=str(path), remedy=remedy)
        return path


RESULTS_FILE: Final = OutputFile(".csv", ".json", "")


def board_named(slug: str, env: str | None) -> BoardSpec:
    known = {one.slug: one for one in board_specs()}
    for one in withdrawn_board_specs():
        if one.slug == slug:
            message = f"Board {slug} is withdrawn: {one.withdrawn}"
            raise InvalidInput(message, field="board", value=slug, remedy=f"Name one of: {', '.join(known)}.")
    if slug not in known:
        raise unknown_name("board", slug, list(known))
    board = known[slug]
    if env is not None and environment_spec(env).slug != board.environment:
        message = f"Board {slug} is of the environment {board.environment}, not {env}."
        raise InvalidInput(message, field="env", value=env, remedy="Leave --env out.")
    return board


def confirmation(question: str) -> Callable[[Command], Command]:
    def ask(context: click.Context, _: click.Parameter, is_given: bool) -> None:  # noqa: FBT001 # click's signature
        if is_given or context.resilient_parsing:
            return
        try:
            is_wanted = click.confirm(question, err=True)
        except click.Abort as error:
            if not isinstance(error.__context__, EOFError):
                raise
            click.echo(err=True)  # the question's line
            message = "The question has no answer, since standard input has ended."
            raise InvalidInput(message, field="yes", remedy="Give --yes.") from error
        if not is_wanted:
            click.echo("Nothing was changed.", err=True)
            context.exit(1)

    given = "Do not ask whether it is meant."
    return click.option("--yes", is_flag=True, callback=ask, expose_value=False, help=given)


_LISTED: Final = 5


def chosen_state(path: Path, states: Sequence[EnvState], benchmark: str | None) -> EnvState:
    # Of a file's states, the one of this program, by its URI, what follows the scheme, or its name.
    def names(uri: str) -> tuple[str, ...]:
        file = PurePosixPath(uri)
        return uri, uri.partition("://")[2], file.name, file.stem

    found = [one for one in states if benchmark is None or benchmark in names(one.benchmark)]
    if len(found) == 1:
        return found[0]
    uris = [one.benchmark for one in states]
    shown = ", ".join(uris[:_LISTED]) + (", …" if len(uris) > _LISTED else "")
    if found:
        message = f"{path} has {len(found)} rows" + (f" of {benchmark}." if benchmark else ".")
    else:
        message = f"{path} has no row of {benchmark}."
    raise InvalidInput(
        message, field="benchmark", value=benchmark, remedy=f"Name a program by --benchmark: {shown}."
    )


UUID: Final = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
# What may be given of an id.
ID_PREFIX: Final = r"[0-9a-fA-F][0-9a-fA-F-]{3,35}"


class _Kind(NamedTuple):
    field: str
    what: str
    listing: str


_SUBMISSION: Final = _Kind("submission", "a submission", "optarena status")
_ENTRY: Final = _Kind("entry", "a portable entry", "optarena portfolio status")
_NAMED: Final = 5


def submission_id(client: Client, text: str) -> str:
    def beginning(prefix: str) -> dict[str, str]:
        found = islice(client.submissions(prefix=prefix), _NAMED)
        return {one["id"]: f"{one['agent']} on {one['board']}" for one in found}

    return _identifier(client, text, _SUBMISSION, beginning)


def portable_entry_id(client: Client, text: str) -> str:
    def beginning(prefix: str) -> dict[str, str]:
        boards = (client.portable_board(one["slug"]) for one in client.portable_boards())
        rows = (row for board in boards for row in board["rows"] + board["sealed"])
        return {row["entry"]: row["agent"] for row in rows if row["entry"].startswith(prefix.lower())}

    return _identifier(client, text, _ENTRY, beginning)


def _identifier(client: Client, text: str, kind: _Kind, beginning: Callable[[str], dict[str, str]]) -> str:
    # ``beginning`` finds the ids that begin with a text, each with words that tell whose it is.
    if "://" in text and not text.startswith(f"{client.url}/"):
        message = f"{text[:100]!r} is not an address of the server {client.url}."
        raise InvalidInput(message, field=kind.field, value=text, remedy="Give its server with --url.")
    if found := re.search(UUID, text):
        return found[0]
    if not re.fullmatch(ID_PREFIX, text):
        remedy = f"Give its id, or the address of its page; `{kind.listing}` lists yours."
        raise InvalidInput(f"{text[:100]!r} is not {kind.what}.", field=kind.field, value=text, remedy=remedy)
    known = beginning(text)
    if not known:
        message = f"The id of {kind.what} that begins with {text!r} is not known."
        raise InvalidInput(message, field=kind.field, value=text, remedy=f"`{kind.listing}` lists yours.")
    if len(known) > 1:
        named = ", ".join(f"{one} ({whose})" for one, whose in list(known.items())[:_NAMED])
        message = f"More than one id begins with {text!r}: {named}."
        raise InvalidInput(message, field=kind.field, value=text, remedy="Give more characters of yours.")
    return next(iter(known))


_DATASET: Final = re.compile(r"\b(?:benchmark|generator)://([a-z0-9_.-]+)/")


def read_file(path: Path, env: str | None) -> tuple[EnvironmentSpec, list[EnvState]]:
    spec, rows = read_rows_of(read_text(path), path, env)
    return spec, [state for _, state in rows]


def read_text(path: Path) -> str:
    if path.suffix in {one.suffix for one in program_formats()}:
        remedy = "Give a CSV or JSON file of states; `optarena show` takes both."
        raise InvalidInput(f"{path} is a program.", field="file", value=str(path), remedy=remedy)
    # Do not wait, not even for the writer of a pipe.
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            message = f"{path} is not a regular file."
            raise InvalidInput(message, field="file", value=str(path), remedy="Save the states in a file.")
        return _text(file, str(path))


def read_input() -> str:
    return _text(sys.stdin.buffer, "standard input")


def _text(file: BinaryIO, name: str) -> str:
    data = file.read(MAX_SUBMISSION_BYTES + 1)
    if len(data) > MAX_SUBMISSION_BYTES:
        message = f"{name} has more than {MAX_SUBMISSION_BYTES:,} bytes."
        raise InvalidInput(message, field="file", value=name, remedy="Split the file.")
    return decode(data)


def read_about(text: str) -> dict[str, Any]:
    # What a submission's document says of itself. What is wrong in one is told where its items are read.
    if form_of(text) == "csv":
        return {}
    with suppress(InvalidDocument):
        return beside_items(json_document(text, field="document"))
    return {}


def read_rows_of(
    text: str, path: Path, env: str | None
) -> tuple[EnvironmentSpec, list[tuple[int, EnvState]]]:
    # It is JSON if its first character or the file's name says so, else CSV. If the user names no
    # environment, the dataset of the first benchmark tells it.
    spec = environment_spec(env) if env else _environment_of(text)
    form = "json" if form_of(text) == "json" else format_of(path)
    rows, problems = read_rows(text, format=form, metrics=spec.claimable_names, environment=spec)
    if problems:
        raise InvalidDocument(problems)
    return spec, rows


def refuse_repeats(rows: Sequence[tuple[int, EnvState]]) -> None:
    # As boards do.
    place = Place()
    benchmarks = {row: state.benchmark for row, state in rows}
    for row, message in repeated_rows(benchmarks.items()).items():
        place.record(row).at("benchmark").problem(message, benchmarks[row], "Keep one row.")
    if place.problems:
        raise InvalidDocument(place.problems)


def _environment_of(text: str) -> EnvironmentSpec:
    found = _DATASET.search(text)
    return environment_of(found[1] if found else "")


_OWN: Final = 0o600


def client(url: str | None, token: str | None) -> Client:
    return Client(url, stored_token(url) if token is None else token)


def board_address(source: str) -> tuple[str | None, str]:
    # The server, if the address of a board's page is given, and the board.
    found = BOARD_ADDRESS.match(source)
    if found is None and "://" in source:
        message = f"{source[:200]} is not the address of a board."
        remedy = "Copy it from the board's page: https://…/boards/<name>/."
        raise InvalidInput(message, field="board", value=source, remedy=remedy)
    if found is None:
        return None, source
    if found["query"]:
        message = f"{source[:200]} chooses rows or a moment, and the command takes a whole board of today."
        remedy = f"Leave out {found['query'][:200]}, or open the address in a browser."
        raise InvalidInput(message, field="board", value=source, remedy=remedy)
    if found["base"] and is_typed("url"):
        message = "--url and the address of a board both name a server."
        raise InvalidInput(message, field="url", remedy="Leave out --url, or name the board alone.")
    return found["base"], found["slug"]


def refuse_unused(what: str, **options: str | None) -> None:
    # Options that are given, and would have no effect.
    for name, value in options.items():
        if value is not None:
            message = f"--{name} {value} says nothing about {what}."
            raise InvalidInput(message, field=name, value=value, remedy="Leave it out.")


def is_typed(option: str) -> bool:
    # It is on the command line, and not only in a variable.
    source = click.get_current_context().get_parameter_source(option)
    return source is click.core.ParameterSource.COMMANDLINE


def require_token(client: Client, what: str = "Submitting") -> None:
    if not client.token:
        remedy = f"Run `optarena login NAME`, or set ${TOKEN_VARIABLE}; `optarena signup NAME` prints one."
        raise InvalidInput(f"{what} needs a token.", field="token", remedy=remedy)


def logins_path() -> Path:
    return site_data() / "logins.json"


def stored_token(url: str | None) -> str:
    return _read().get(server_url(url), "")


def token_for(base: str) -> str:
    # For a server that an address names, which may be any: only what was given for this one.
    given = os.environ.get(TOKEN_VARIABLE, "")
    return given if given and server_url(None) == server_url(base) else stored_token(base)


def store_token(url: str | None, token: str) -> None:
    _write(_read() | {server_url(url): token})


def drop_token(url: str | None) -> None:
    server = server_url(url)
    _write({one: token for one, token in _read().items() if one != server})


def _read() -> dict[str, str]:
    try:
        data = json.loads(logins_path().read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError:
        data = None
    if not isinstance(data, dict) or not all(isinstance(one, str) for one in data.values()):
        message = f"{logins_path()} does not have tokens by server."
        remedy = "Delete it, and run `optarena login NAME` again."
        raise InvalidInput(message, field="logins", value=str(logins_path()), remedy=remedy)
    return data


def _write(tokens: dict[str, str]) -> None:
    # At once: a reader sees the old tokens or the new ones.
    path = logins_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.{os.getpid()}")
    new.unlink(missing_ok=True)
    new.touch(_OWN, exist_ok=False)
    new.write_text(json.dumps(tokens, indent=2), encoding="utf-8")
    new.replace(path)
