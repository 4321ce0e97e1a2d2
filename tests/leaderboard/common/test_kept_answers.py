"""Answers that are given again while nothing has changed, and what is said of a database that fails."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, OperationalError, connection, connections, transaction
from django.db.backends.postgresql.base import DatabaseWrapper
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import RequestFactory
from psycopg_pool import ConnectionPool

from leaderboard.common import kept_answers
from leaderboard.common.connections import connection_class
from leaderboard.common.kept_answers import KeptAnswersMiddleware
from leaderboard.common.problems import NO_DATABASE, OUTAGE, Outage, missing
from leaderboard.settings import _database
from tests.kit.processes import wait_until

if TYPE_CHECKING:
    from pytest_django import Settings

# Each statement is committed.
pytestmark = [pytest.mark.server, pytest.mark.django_db(transaction=True)]


ask = RequestFactory().get


def served(server: KeptAnswersMiddleware, path: str = "/", **more: Any) -> HttpResponse:
    response = server(ask(path, **more))
    assert isinstance(response, HttpResponse)
    return response


class Views:
    def __init__(self, answer: Callable[[HttpRequest], Any] | None = None) -> None:
        self.asked = 0
        self._answer = answer

    def __call__(self, request: HttpRequest) -> Any:
        self.asked += 1
        if self._answer:
            return self._answer(request)
        return HttpResponse(f"{User.objects.count()} users", headers={"Vary": "Cookie"})


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    """Nothing changes in the database. What PostgreSQL does by itself, as autovacuum, is a change, too."""
    settings.OPTARENA_KEPT_ANSWERS_SECONDS = 3600
    monkeypatch.setattr(kept_answers, "_snapshot", lambda: "1:1:")


@pytest.mark.usefixtures("still")
def test_an_answer_is_given_again_while_nothing_has_changed() -> None:
    views = Views()
    server = KeptAnswersMiddleware(views)
    first, again = served(server, "/boards/?page=1"), served(server, "/boards/?page=1")
    assert views.asked == 1
    assert (again.content, again.headers) == (first.content, first.headers)
    server(ask("/boards/?page=2"))
    server(ask("/boards/?page=1", headers={"HX-Request": "true"}))
    server(ask("/boards/?page=1", headers={"Accept": "application/json"}))
    server(ask("/boards/?page=1", headers={"Host": "other.example"}))
    assert views.asked == 5


def test_a_change_is_seen_at_once() -> None:
    views = Views()
    server = KeptAnswersMiddleware(views)
    assert served(server).content == b"0 users"
    User.objects.create(username="ada")
    assert served(server).content == b"1 users"
    User.objects.all().delete()
    assert served(server).content == b"0 users"
    assert views.asked == 3


def test_a_change_that_is_committed_while_an_answer_is_made_is_seen_by_the_next() -> None:
    """A transaction that had begun before ends after the view has read."""
    other = connections.create_connection("default")
    other.set_autocommit(False)
    with other.cursor() as cursor:
        cursor.execute(
            "INSERT INTO auth_user (username, password, is_superuser, first_name, last_name, email, "
            "is_staff, is_active, date_joined) VALUES ('ada', '', false, '', '', '', false, true, now())"
        )

    def answer(_: HttpRequest) -> HttpResponse:
        told = HttpResponse(f"{User.objects.count()} users")
        if views.asked == 1:
            other.commit()
        return told

    views = Views(answer)
    server = KeptAnswersMiddleware(views)
    try:
        assert served(server).content == b"0 users"
        assert served(server).content == b"1 users"
    finally:
        other.close()


@pytest.mark.usefixtures("still")
def test_an_answer_gets_old(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    settings.OPTARENA_KEPT_ANSWERS_SECONDS = 2
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    views = Views()
    server = KeptAnswersMiddleware(views)
    server(ask("/"))
    now[0] += 1.9
    server(ask("/"))
    assert views.asked == 1
    now[0] += 0.2
    server(ask("/"))
    assert views.asked == 2


@pytest.mark.parametrize(
    "headers",
    [{"Cookie": "sessionid=1"}, {"Authorization": "Token secret"}, {"Range": "bytes=0-1"}, {"If-Range": "x"}],
)
@pytest.mark.usefixtures("still")
def test_who_is_known_gets_an_answer_of_his_own(headers: dict[str, str]) -> None:
    views = Views()
    server = KeptAnswersMiddleware(views)
    for _ in range(2):
        server(ask("/"))
        server(ask("/", headers=headers))
    assert views.asked == 3


def with_cookie() -> HttpResponse:
    response = HttpResponse("x")
    response.set_cookie("csrftoken", "secret")
    return response


@pytest.mark.parametrize(
    "answer",
    [
        lambda: HttpResponse("no", status=404),
        lambda: HttpResponse("x", headers={"Cache-Control": "no-store"}),
        lambda: HttpResponse("x", headers={"Cache-Control": "private"}),
        lambda: HttpResponse("x", headers={"RateLimit-Policy": "1"}),
        lambda: HttpResponse("x", headers={"ETag": '"1"'}),
        lambda: HttpResponse("x" * (kept_answers.MOST_BYTES_OF_ONE + 1)),
        lambda: StreamingHttpResponse(["a stream"]),
        with_cookie,
    ],
    ids=["not 200", "no-store", "private", "a limit", "tagged", "long", "stream", "cookie"],
)
def test_some_answers_are_never_kept(answer: Callable[[], Any]) -> None:
    def answer_of_data(_: HttpRequest) -> Any:
        User.objects.count()
        return answer()

    views = Views(answer_of_data)
    server = KeptAnswersMiddleware(views)
    server(ask("/"))
    server(ask("/"))
    assert views.asked == 2


def test_posts_health_checks_and_a_server_that_keeps_nothing(settings: Settings) -> None:
    views = Views()
    server = KeptAnswersMiddleware(views)
    for path in ("/healthz", "/readyz", "/metrics"):
        server(ask(path))
        server(ask(path))
    server(RequestFactory().post("/"))
    server(RequestFactory().post("/"))
    assert views.asked == 8
    settings.OPTARENA_KEPT_ANSWERS_SECONDS = 0
    server(ask("/"))
    server(ask("/"))
    assert views.asked == 10


@pytest.mark.usefixtures("still")
def test_the_answers_that_nobody_asks_for_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_answers, "MOST_BYTES", 2 * kept_answers.BYTES_BESIDE + 200)
    views = Views()
    server = KeptAnswersMiddleware(views)
    for path in ("/a", "/b", "/a", "/c", "/a"):
        server(ask(path))
    assert views.asked == 3
    server(ask("/b"))
    assert views.asked == 4


def test_a_page_without_data_needs_no_database(monkeypatch: pytest.MonkeyPatch) -> None:
    views = Views(lambda _: HttpResponse("a chapter"))
    server = KeptAnswersMiddleware(views)
    with monkeypatch.context() as patch:
        patch.setattr(connection, "cursor", pytest.fail)
        assert served(server).content == served(server).content == b"a chapter"
    assert views.asked == 2


def test_within_a_transaction_nothing_is_kept() -> None:
    views = Views()
    server = KeptAnswersMiddleware(views)
    with transaction.atomic():
        server(ask("/"))
        User.objects.create(username="ada")
        assert served(server).content == b"1 users"


def test_a_database_that_fails_is_told_at_once_and_not_asked_again(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.OPTARENA_KEPT_ANSWERS_SECONDS = 3600
    views = Views()
    server = KeptAnswersMiddleware(views)
    served(server)
    failing = "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '57P01'; END $$"
    monkeypatch.setattr(kept_answers, "_SNAPSHOT", failing)
    answer = served(server)
    assert (answer.status_code, views.asked) == (503, 1)
    with pytest.raises(OperationalError):  # of the view's own statement, which the outer layers answer
        server(ask("/other"))


def test_a_slow_answer_of_before_ends_no_newer_ones() -> None:
    kept = kept_answers._Kept()  # two requests in an order that no test can force
    answer = kept_answers._Answer(b"x", (), time.monotonic() + 60)  # as above
    kept.keep("10:12:", ("new",), answer)
    kept.keep("10:11:", ("old",), answer)
    assert kept.find(("new",), lambda: "10:12:") is answer
    assert kept.find(("old",), lambda: "10:11:") is None
    kept.keep("13:13:", ("newest",), answer)
    assert kept.find(("new",), lambda: "13:13:") is None


def failure(statement: str, using: DatabaseWrapper | None = None) -> DatabaseError:
    with pytest.raises(DatabaseError) as caught, (using or connection).cursor() as cursor:
        cursor.execute(statement)
    return caught.value


def made_with(options: dict[str, Any]) -> Any:
    return DatabaseWrapper({**connection.settings_dict, "OPTIONS": options}, alias="small")


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("53100", "The server's disk is full."),
        ("53200", "The database does not have enough memory."),
        ("25006", "The database accepts no writes."),
        ("57P01", "The database did not answer."),
        ("22012", None),
    ],
)
def test_the_error_says_what_is_missing(code: str, text: str | None) -> None:
    assert missing(failure(f"DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '{code}'; END $$")) == text


def test_a_pool_without_a_free_connection_is_not_an_outage(monkeypatch: pytest.MonkeyPatch) -> None:
    options = {**connection.settings_dict["OPTIONS"], "pool": {"min_size": 1, "max_size": 1, "timeout": 0.5}}
    first, second = (made_with(options) for _ in range(2))
    try:
        first.ensure_connection()
        monkeypatch.setattr("leaderboard.common.problems.connection", first)
        assert missing(failure("SELECT 1", second)) == "All connections to the database are in use."
        assert not OUTAGE.lasts()
    finally:
        first.close()
        first.close_pool()


def test_a_statement_that_was_given_up_does_not_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPTARENA_DATABASE_ANSWER_SECONDS", "1")
    impatient = made_with(_database()["OPTIONS"])
    try:
        assert "did not answer within 1 s" in str(failure("SELECT pg_sleep(600)", impatient))
    finally:
        impatient.close_pool()

    def goes_on() -> bool:
        with connection.cursor() as cursor:
            cursor.execute("SELECT query FROM pg_stat_activity WHERE state = 'active'")
            return any("pg_sleep(600)" in query for (query,) in cursor.fetchall())

    wait_until(lambda: not goes_on())


def test_who_waits_for_a_database_that_hangs_waits_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes connections and says nothing. After the pool has waited in vain, no other one is tried."""
    outage = Outage()
    monkeypatch.setattr("leaderboard.common.problems.OUTAGE", outage)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        options = {"pool": {"min_size": 0, "max_size": 2, "timeout": 0.5}, "connect_timeout": 60}
        address = {"HOST": "127.0.0.1", "PORT": str(silent.getsockname()[1]), "OPTIONS": options}
        hanging: Any = DatabaseWrapper({**connection.settings_dict, **address}, alias="hanging")
        monkeypatch.setattr("leaderboard.common.problems.connection", hanging)
        assert missing(failure("SELECT 1", hanging)) == NO_DATABASE
        silent.setblocking(False)
        tried = [silent.accept()[0]]
        with pytest.raises(BlockingIOError):
            silent.accept()
        tried[0].close()
        hanging.close_pool()


def test_a_pool_does_not_check_a_connection_for_longer_than_its_user_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("leaderboard.common.connections._FRESH_SECONDS", 0)
    parameters = connection.get_connection_params()
    impatient = connection_class(600, check_seconds=1)
    with impatient.connect(**parameters, autocommit=True) as own:
        row = own.execute("SELECT pg_backend_pid()").fetchone()
        assert row is not None
        os.kill(row[0], signal.SIGSTOP)
        try:
            with pytest.raises(psycopg.OperationalError, match="did not answer within 1 s"):
                ConnectionPool.check_connection(own)
        finally:
            os.kill(row[0], signal.SIGCONT)


def test_a_pool_looks_at_a_connection_that_has_just_answered_and_does_not_ask_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("leaderboard.common.connections._FRESH_SECONDS", 600)  # whatever the machine does
    parameters = connection.get_connection_params()
    with connection_class(600).connect(**parameters, autocommit=True) as own, connection.cursor() as other:
        row = own.execute("SELECT pg_backend_pid()").fetchone()
        assert row is not None
        ConnectionPool.check_connection(own)
        other.execute("SELECT query FROM pg_stat_activity WHERE pid = %s", row)
        assert other.fetchone() == ("SELECT pg_backend_pid()",)
        other.execute("SELECT pg_terminate_backend(%s, 10000)", row)
        with pytest.raises(psycopg.OperationalError):
            ConnectionPool.check_connection(own)


def test_an_outage_of_a_full_pool_is_what_a_fresh_connection_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    outage = Outage()
    assert not outage.begins(is_full=True)
    with monkeypatch.context() as patch:
        patch.setitem(connection.settings_dict, "HOST", "/nowhere")
        assert outage.begins(is_full=True)
        assert outage.lasts()
    assert not outage.lasts()
    assert not outage.begins(is_full=True)
