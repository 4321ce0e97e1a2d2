"""A server with so many rows of everything, and each request that anybody can send to it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from django.contrib import admin
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from datasets.loading import load_dataset
from leaderboard.accounts.services import create_token
from leaderboard.boards.services import load_boards
from leaderboard.models import Board, PortableEntry, Puzzle, Submission
from optarena.datasets import DatasetProgram, write_manifest
from optarena.specs import BoardSpec, environment_spec
from optarena.specs.benchmark import Workload
from runner.machines.machine import Machine
from runner.machines.presence import announce_runner
from tests.factories import PASSWORD, make_board, make_calibration, make_dataset, make_user
from tests.kit.boards import agent, boards_across, fail, record, submit, verifications
from tests.kit.cases import JSON, Case, fill_in, get, post, send
from tests.kit.portable import PORTABLE_SLUG, make_portable_board, make_portable_entry, reading_and_sealing

if TYPE_CHECKING:
    from pathlib import Path

    from django.contrib.auth.models import User
    from django.http import HttpResponse

    from leaderboard.accounts.models import ApiToken

WAITING, ENDED, DOUBTFUL = 1, 2, 3
"""The action of items whose replay waits, has ended, and found what is implausible."""


def write_dataset(parent: Path, name: str, programs: int) -> Path:
    """A folder with a dataset of small programs, all 400 instructions unoptimised and 100 at -Oz."""
    folder = parent / name
    folder.mkdir()
    files = [f"p{number:03}.txt" for number in range(programs)]
    for file in files:
        (folder / file).write_text(f"{name} {file}\n")
    made = [
        DatasetProgram(
            file=file,
            domain="sorting",
            baselines={"ir_instructions": {"O0": 400, "Oz": 100}},
            workloads=(Workload(name="small", expected_stdout=b"sorted"),),
        )
        for file in files
    ]
    write_manifest(folder, title=name, description=name, licence="MIT", programs=made)
    return folder


@dataclass
class Site:
    """The server.

    Attributes:
        rows: How many datasets, programs of a dataset, boards, entries of a board, items of a submission,
            tokens, runners and calibrations of a runner it has.
        large: Programs of the dataset for large submissions.
    """

    rows: int
    folder: Path
    large: int = 0
    tokens: list[ApiToken] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.user = make_user("ada")
        self.staff = make_user("grace", staff=True)
        self.boards = self._make_boards()
        self._make_puzzles()
        self.ended, self.waiting, self.doubtful = self._make_submissions()
        self.portable = self._make_portable()
        for number in range(self.rows):
            token, self.bearer = create_token(user=self.user, name=f"token {number}")
            self.tokens.append(token)
            machine = Machine(fingerprint={}, versions={})
            self.runner = announce_runner(
                name=f"runner {number}", hardware_class="x86_64-cpu", machine=machine
            )
            for _ in range(self.rows):
                make_calibration(f"runner {number}")

    def _make_boards(self) -> list[Board]:
        sizes = {"main-v0": self.rows, "large-v0": self.large}
        for name, programs in sizes.items():
            if programs:
                load_dataset(manifest_dir=write_dataset(self.folder, name, programs))
        for number in range(self.rows - 1):
            make_dataset(f"other{number}-v0", ["p000"])
        slugs = {f"board{number}": "main-v0" for number in range(self.rows)}
        slugs |= {"large": "large-v0"} if self.large else {}
        definitions = [
            BoardSpec(
                slug=slug,
                title=slug,
                description=slug,
                dataset=dataset,
                environment="llvm-ic-v0",
                metric="ir_instructions",
                baseline_level="Oz",
            )
            for slug, dataset in slugs.items()
        ]
        return load_boards(definitions=[*definitions, *boards_across("main-v0")])

    def _make_puzzles(self) -> None:
        for number in range(1, self.rows + 1):
            make_dataset(f"puzzle-v{number}", ["program"])
            board = make_board(slug=f"puzzle-{number}", dataset=f"puzzle-v{number}")
            Puzzle.objects.create(
                number=number,
                announced_at=timezone.now(),
                sha256="0" * 64,
                day=date(2026, 1, number),
                board=board,
            )

    def _make_submissions(self) -> tuple[Submission, Submission, Submission]:
        waiting, doubtful, *ended = (
            submit(self.user, self.document(self.rows, action, agent=agent(number)))
            for number, action in enumerate([WAITING, DOUBTFUL, *[ENDED] * self.rows])
        )
        for submission, value in ((ended[0], 90), (doubtful, 20)):
            for verification in verifications(submission):
                record(verification, value)
        return ended[0], waiting, doubtful

    def _make_portable(self) -> PortableEntry:
        for number in range(1, self.rows):
            make_portable_board(slug=f"{PORTABLE_SLUG}{number}")
        board = make_portable_board(programs=self.rows)
        numbers = range(self.rows)
        entries = [make_portable_entry(board, self.user, agent(number), number) for number in numbers]
        return entries[0]

    def document(
        self,
        items: int,
        action: int,
        *,
        agent: str = "agent",
        board: str = "board0",
        dataset: str = "main-v0",
    ) -> dict[str, Any]:
        """A submission's body: one action for each of the first programs."""
        uris = (f"benchmark://{dataset}/p{number:03}" for number in range(items))
        rows = [{"benchmark": uri, "actions": [action]} for uri in uris]
        return {"board": board, "agent": agent, "open": True, "items": rows}

    @property
    def api(self) -> Client:
        return Client(headers={"Authorization": f"Bearer {self.bearer}"})

    def browser(self, user: User | None = None) -> Client:
        """Somebody who is logged in; nobody by default."""
        client = Client()
        if user is not None:
            client.force_login(user)
        return client


def routes() -> Iterator[str]:
    """The names of all routes but those of the admin site."""

    def walk(patterns: Iterable[URLPattern | URLResolver], space: str) -> Iterator[str]:
        for pattern in patterns:
            if isinstance(pattern, URLResolver):
                if pattern.namespace != "admin":
                    yield from walk(pattern.url_patterns, f"{pattern.namespace or space}")
            elif pattern.name:
                yield f"{space}:{pattern.name}".removeprefix(":")

    yield from walk(get_resolver().url_patterns, "")


def cases() -> list[Case]:
    return [
        *_reading(),
        *_reading_boards(),
        *_reading_texts(),
        *reading_and_sealing(),
        *_listing_admin(),
        *_reading_people(),
        *_accounts(),
        *_submitting(),
        *_deciding(),
    ]


def _reading_texts() -> Iterator[Case]:
    for route in ("manual:index", "manual:methodology", "manual:sources"):
        yield get(route)
    yield get("leaderboard:search", query=f"?q={quote('a p')}")
    for route in (
        "leaderboard:robots",
        "leaderboard:sitemap",
        "leaderboard:agents-text",
        "leaderboard:llms-text",
    ):
        yield get(route)
    yield get("docs-of", "boards")
    yield get("manual:chapter", "faq")
    yield get("manual:source", "examples/agents/annealing.py")
    yield get("leaderboard:favicon", status=HTTPStatus.MOVED_PERMANENTLY)


def _reading() -> Iterator[Case]:
    board, dataset, program, environment = "board0", "main-v0", "p000", "llvm-ic-v0"
    plain: tuple[str, ...] = ("healthz", "readyz", "problems", "schema", "docs", "api-datasets")
    plain += ("accounts:signup", "accounts:login", "datasets:list")
    api = ("index", "limits", "environments", "queue", "runners", "boards", "submissions", "records")
    pages = (
        "home",
        "boards",
        "submissions",
        "environments",
        "queue",
        "runners",
        "records",
        "records-feed",
        "data",
        "puzzle",
    )
    for route in (
        *plain,
        *(f"leaderboard-api:{one}" for one in (*api, "data", "puzzles")),
        *(f"leaderboard:{one}" for one in pages),
    ):
        yield get(route)
    yield get("metrics", status=HTTPStatus.NOT_FOUND)
    yield get("leaderboard-api:data-file", "steps-v0", "metadata.json")
    for route in ("api-dataset", "api-manifest", "api-archive", "api-benchmarks", "datasets:dataset"):
        yield get(route, dataset)
    yield get("leaderboard-api:records", query="?board=board0")
    yield get("leaderboard:records", query="?board=board0")
    for route in ("api-bitcode", "api-benchmark", "datasets:benchmark", "leaderboard-api:results"):
        yield get(route, dataset, program)
    for space in ("leaderboard-api", "leaderboard"):
        yield get(f"{space}:environment", environment)
        yield get(f"{space}:runner", "@runner")
        yield get(f"{space}:board", board)
        for state in ("@ended", "@waiting"):
            yield get(f"{space}:submission", state)
            yield get(f"{space}:item", state, 0)
        yield get(f"{space}:submissions", query="?board=board0&agent=agent")
    yield get("leaderboard:drift", board)
    yield get("leaderboard:item", "@ended", 0, query="?step=1&effective=1")
    yield get("leaderboard:play", dataset, program)
    yield get("leaderboard:play", dataset, program, query="?environment=llvm-ic-v0&actions=1,2")
    yield get("leaderboard-api:export-item", "@ended", 0)
    yield get("leaderboard-api:minimised", "@ended", 0)
    yield get("leaderboard-api:difference", "@ended", 0, "1")
    yield get("leaderboard-api:items", "@ended")
    yield get("leaderboard-api:edits", "@ended")
    yield get("leaderboard:edit", "@ended", by="owner")
    yield get("leaderboard:progress", "@waiting")
    yield get("api-me", by="program")
    yield get("leaderboard:submissions", query="?mine=1", by="owner")
    for route in ("accounts:tokens", "leaderboard:submit", "leaderboard:home"):
        yield get(route, by="owner")


def _reading_boards() -> Iterator[Case]:
    board = "board0"
    for query in ("?all=1", "?sort=-contribution&owner=ada&text=agent", "?as_of=2026-01-01"):
        yield get("leaderboard:board", board, query=query)
    for space in ("leaderboard-api", "leaderboard"):
        yield get(f"{space}:programs", board)
    yield get("leaderboard-api:export-board", board)
    yield get("leaderboard:build", board)
    yield get("leaderboard-api:standings", board, query="?sort=agent&effort=unreported&trained=false")
    for query in ("", "?all=1"):
        yield get("leaderboard-api:standings", board, query=query)
        yield get("leaderboard-api:standings-csv", board, query=query)


def _listing_admin() -> Iterator[Case]:
    yield get("admin:index", by="operator")
    for model in admin.site._registry:
        yield get(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist", by="operator")


def _submitting() -> Iterator[Case]:
    fresh = itertools.count(10)
    accepted = HTTPStatus.ACCEPTED

    def new(site: Site) -> dict[str, Any]:
        return site.document(site.rows, next(fresh))

    def submitted(site: Site) -> dict[str, Any]:
        return {"@": [submit(site.user, new(site)).pk]}

    def edited(site: Site) -> dict[str, Any]:
        return {"@": [site.ended.pk], "description": "new"}

    def broken(site: Site) -> dict[str, Any]:
        """The first item of a new submission, which failed because of the infrastructure."""
        submission = submit(site.user, new(site))
        fail(verifications(submission)[0], "infra:killed")
        return {"@": [submission.pk, 0]}

    def verified(site: Site) -> dict[str, Any]:
        """The first item of a new submission, which is verified."""
        submission = submit(site.user, new(site))
        record(verifications(submission)[0], 80)
        return {"@": [submission.pk, 0]}

    def step(site: Site) -> dict[str, Any]:
        return {"@": [*verified(site)["@"], "1"]}

    yield send("leaderboard-api:submissions", new, accepted)
    yield send("leaderboard-api:validate", new)
    yield post(
        "POST leaderboard-api:submissions with known work",
        lambda site: site.api,
        lambda site: site.document(site.rows, ENDED),
        status=accepted,
        content_type=JSON,
    )
    yield send("leaderboard-api:withdraw", submitted)
    yield fill_in("leaderboard:withdraw", submitted)
    yield fill_in("leaderboard:submit", _form)
    yield send("leaderboard-api:edit", edited)
    yield fill_in("leaderboard:edit", edited)
    yield fill_in("leaderboard:open", edited)
    yield send("leaderboard-api:retry", broken, accepted)
    yield fill_in("leaderboard:retry", broken, "staff")
    yield send("leaderboard-api:repeat", verified, accepted)
    yield fill_in("leaderboard:repeat", verified, "staff")
    yield send("leaderboard-api:difference", step, accepted)
    yield send("leaderboard-api:minimised", verified, accepted)
    yield fill_in("leaderboard:difference", step)
    yield fill_in("leaderboard:minimise", verified)
    yield fill_in("leaderboard:play", lambda _: {"@": ["main-v0", "p000"], "pick": "3"})


def _form(site: Site) -> dict[str, Any]:
    commandline = environment_spec("llvm-ic-v0").commandline((9,))
    lines = [f'benchmark://main-v0/p{number:03},,,"{commandline}"' for number in range(site.rows)]
    return {"board": "board0", "agent": "web", "states": "\n".join(lines), "key": f"k{site.rows}"}


def _deciding() -> Iterator[Case]:
    for action in ("publish", "refuse"):
        yield post(
            f"POST admin:leaderboard_submissionitem_changelist {action}",
            lambda site: site.browser(site.staff),
            lambda site, action=action: {
                "action": action,
                "_selected_action": list(site.doubtful.items.values_list("pk", flat=True)),
            },
        )


def _reading_people() -> Iterator[Case]:
    yield get("leaderboard:compare")
    for room in ("leaderboard", "leaderboard-api"):
        yield get(f"{room}:across", "load_size_bytes")
    yield get("leaderboard-api:across-list")
    for space in ("leaderboard-api", "leaderboard"):
        yield _comparison(space)
        yield get(f"{space}:person", "ada")
        yield get(f"{space}:records", query="?owner=ada")
    yield get("leaderboard-api:agents", "ada")
    yield get("leaderboard-api:entries", "ada", query=f"?agent={quote(agent(2))}")
    yield get("leaderboard:agent", "ada", query=f"?name={quote(agent(2))}")
    for route in ("settings", "email", "password", "delete"):
        yield get(f"accounts:{route}", by="owner")
    yield get("accounts:reset")
    yield get("accounts:new-password", "MQ", "no-token")


def _comparison(space: str) -> Case:
    """Four columns of all kinds, with their sequences."""

    def prepare(site: Site) -> Callable[[], HttpResponse]:
        entries = [str(site.ended.pk), str(site.waiting.pk), "level:Oz", "virtual-best"]
        client = site.browser(site.user)
        return lambda: client.get(reverse(f"{space}:compare"), {"entry": entries})  # type: ignore[return-value] # the client's own class

    return Case(f"GET {space}:compare of four", prepare)


def _accounts() -> Iterator[Case]:
    """Changes of accounts, by page and by program."""
    new = {"username": "eve", "password": PASSWORD}
    known = {"username": "ada", "password": PASSWORD}
    mine = {"password": PASSWORD}
    changes: dict[str, dict[str, Any]] = {
        "email": mine | {"email": "ada@example.org"},
        "password": mine | {"new_password": f"{PASSWORD} again"},
        "delete": mine,
    }
    for route, body in (("api-signup", new), ("api-token", known)):
        yield post(
            f"POST {route}",
            lambda site: site.browser(),
            lambda _, body=body: dict(body),
            status=HTTPStatus.CREATED,
            content_type=JSON,
        )
    yield Case(
        "DELETE api-token",
        lambda site: lambda: site.api.delete(reverse("api-token")),  # type: ignore[arg-type, return-value] # as above
        HTTPStatus.NO_CONTENT,
    )
    yield fill_in("accounts:settings", lambda _: {"affiliation": "here"})
    yield send("api-me", lambda _: {"affiliation": "here"})
    for name, body in changes.items():
        yield fill_in(f"accounts:{name}", lambda _, body=body: dict(body))
        yield send(f"api-{name}", lambda _, body=body: dict(body), HTTPStatus.NO_CONTENT)
    yield fill_in("accounts:reset", lambda _: {"email": "ada"}, "nobody")
    yield fill_in("accounts:signup", lambda _: dict(new), "nobody")
    yield fill_in("accounts:login", lambda _: dict(known), "nobody")
    yield fill_in("accounts:logout", lambda _: {})
    yield fill_in("accounts:tokens", lambda _: {"name": "t", "days": 7}, status=HTTPStatus.OK)
    yield fill_in("accounts:revoke", lambda site: {"@": [site.tokens[0].public_id]})
