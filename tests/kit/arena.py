"""A server's rows for tests of every address: a dataset, a board, a submission and three people."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction
from django.test import Client, override_settings
from django.utils import timezone

from datasets.loading import load_dataset
from leaderboard.boards.services import load_boards
from runner.machines.machine import Machine
from runner.machines.presence import announce_runner
from tests.factories import make_board, make_token, make_user
from tests.kit.boards import boards_across, record, submit, verifications
from tests.kit.manifests import tiny_folder
from tests.kit.portable import PORTABLE_SLUG, make_portable_board, make_portable_entry

if TYPE_CHECKING:
    from http.cookies import SimpleCookie
    from pathlib import Path

    from django.contrib.auth.models import User

    from leaderboard.accounts.models import ApiToken
    from leaderboard.models import PortableEntry, Submission
    from runner.models import Runner


@dataclass(frozen=True)
class Arena:
    """What there is."""

    owner: User
    stranger: User
    staff: User
    tokens: dict[str, str]
    cookies: dict[str, SimpleCookie]
    """Those of the session of each who is logged in."""
    submission: Submission
    token: ApiToken
    """The owner's."""
    runner: Runner
    entry: PortableEntry
    """A portable one."""

    @property
    def body(self) -> dict[str, Any]:
        return body()


def body() -> dict[str, Any]:
    """A submission to the board of the arena."""
    items = [{"benchmark": f"benchmark://tiny-v0/{name}", "actions": [1]} for name in ("alpha", "beta")]
    return {"board": "test-ic", "agent": "agent", "open": True, "items": items}


def portable_body() -> dict[str, Any]:
    """A portable entry to the board of the arena."""
    return {"board": PORTABLE_SLUG, "agent": "agent", "sequences": [{"actions": [2]}]}


def make_arena(folder: Path) -> Arena:
    """The rows: one item of the submission is verified, the other is queued."""
    load_dataset(manifest_dir=tiny_folder(folder).path)
    make_board(dataset="tiny-v0")
    load_boards(definitions=boards_across("tiny-v0"))
    owner, stranger = make_user("ada", password=None), make_user("bob", password=None)
    staff = make_user("root", password=None, staff=True)
    submission = submit(owner, body())
    record(verifications(submission)[0], 150)
    token, text = make_token(owner)
    tokens = {"owner": text, "user": make_token(stranger)[1], "staff": make_token(staff)[1]}
    cookies = {
        role: _logged_in(user) for role, user in (("owner", owner), ("user", stranger), ("staff", staff))
    }
    machine = Machine(fingerprint={}, versions={})
    # It answers questions as long as it is alive, and a module's tests may take longer than a lease.
    later = timezone.now() + timedelta(hours=1)
    runner = announce_runner(name="celery@host", hardware_class="x86_64-cpu", machine=machine, now=later)
    entry = make_portable_entry(make_portable_board(), owner, "agent", 1)
    return Arena(owner, stranger, staff, tokens, cookies, submission, token, runner, entry)


def _logged_in(user: User) -> SimpleCookie:
    client = Client()
    client.force_login(user)
    return client.cookies


@contextmanager
def arena_in(folder: Path) -> Iterator[Arena]:
    """The rows, for as long as they are needed; programs are kept in ``folder``. Nothing is left."""
    storages: dict[str, Any] = settings.STORAGES
    root = folder / "blobs"
    root.mkdir()
    blobs = storages["blobs"] | {"OPTIONS": {"location": root}}
    with override_settings(STORAGES=storages | {"blobs": blobs}, OPTARENA_BLOB_ROOT=root), rolled_back():
        yield make_arena(folder)


@contextmanager
def rolled_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
