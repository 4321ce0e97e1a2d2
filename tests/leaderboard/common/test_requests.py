"""What surrounds every request: ids, headers, size limits, errors outside views, health."""

from __future__ import annotations

import errno
import io
import json
import re
import socket
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from django.core.management import call_command
from django.db import Error as DatabaseError
from django.db import InterfaceError, InternalError, OperationalError, ProgrammingError, connection
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from leaderboard.celery import app as celery_app
from leaderboard.common import health
from leaderboard.common.middleware import CONTENT_SECURITY_POLICY
from leaderboard.common.problems import RETRY_SECONDS
from optarena.limits import MAX_SUBMISSION_BYTES

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import DjangoAssertNumQueries, Settings

SIGNUP = "/api/v1/auth/signup/"


class Untouchable(io.RawIOBase):
    """A body that fails the test as soon as it is read."""

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        pytest.fail("the body was read")


def announced(client: Client, path: str, length: str) -> Any:
    return client.generic("POST", path, b"", CONTENT_LENGTH=length, **{"wsgi.input": Untouchable()})  # type: ignore[arg-type] # WSGI keys


@pytest.mark.parametrize("length", [str(MAX_SUBMISSION_BYTES + 1), "10000000", "99999999999999", "-1", "x"])
def test_a_body_over_the_limit_is_refused_before_it_is_read(
    client: Client, settings: Settings, length: str
) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = None  # an embedding site cannot turn the limit off
    response = announced(client, SIGNUP, length)
    assert (response.status_code, response["Content-Type"]) == (413, "application/problem+json")
    assert "5,000,000 bytes" in response.json()["detail"]
    page = announced(client, "/accounts/login/", length)
    assert (page.status_code, "The body is too large" in page.content.decode()) == (413, True)


@pytest.mark.django_db
def test_a_body_at_the_limit_is_read(client: Client) -> None:
    body = json.dumps({"username": "x", "password": "", "padding": ""})
    body = body.replace('"padding": "', '"padding": "' + "x" * (MAX_SUBMISSION_BYTES - len(body)))
    assert len(body) == MAX_SUBMISSION_BYTES
    assert client.post(SIGNUP, body, content_type="application/json").status_code == 422


def test_a_body_of_unknown_length_is_refused_with_the_reason(client: Client) -> None:
    response = client.post(
        SIGNUP, "", content_type="application/json", headers={"Transfer-Encoding": "chunked"}
    )
    assert (response.status_code, response.json()["type"]) == (411, "/problems/#length-required")


def test_every_answer_has_a_request_id(client: Client) -> None:
    made = client.get("/healthz")
    assert (made.status_code, made.json()) == (200, {"status": "ok"})
    assert re.fullmatch("[0-9a-f]{32}", made["X-Request-ID"])
    assert client.get("/healthz", headers={"X-Request-ID": "proxy-1234"})["X-Request-ID"] == "proxy-1234"
    for given in ("short", "x" * 65, "with space1", "inject\nlog"):
        assert client.get("/healthz", headers={"X-Request-ID": given})["X-Request-ID"] != given


def test_pages_allow_no_inline_script_style_or_frame(client: Client) -> None:
    response = client.get("/problems/")
    assert response["Content-Security-Policy"] == CONTENT_SECURITY_POLICY
    assert "unsafe" not in CONTENT_SECURITY_POLICY
    assert response["X-Frame-Options"] == "DENY"
    assert response["X-Content-Type-Options"] == "nosniff"
    text = response.content.decode()
    assert not re.search(r"<script(?![^>]*src=)|<style|\sstyle=|\son[a-z]+=", text)
    assert not response.cookies


def test_an_unknown_address_is_a_problem_or_a_page(client: Client) -> None:
    for path in ("/api/v1/nothing/", "/api/", "/api/v2/x"):
        response = client.get(path)
        assert (response.status_code, response["Content-Type"]) == (404, "application/problem+json")
        assert response.json()["instance"] == path
    page = client.get("/nothing/")
    assert (page.status_code, "There is nothing here" in page.content.decode()) == (404, True)


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("the password is hunter2"),
        ProgrammingError("no table"),
        OSError(errno.EIO, "broken disk"),
    ],
)
@pytest.mark.parametrize("path", ["/api/v1/datasets/", "/datasets/"])
def test_a_failure_of_ours_is_answered_without_a_database(
    path: str, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: object) -> None:
        raise error

    monkeypatch.setattr("datasets.selectors.dataset_versions", broken)
    response = Client(raise_request_exception=False).get(path)
    text = response.content.decode()
    assert (response.status_code, "Retry-After" in response) == (500, False)
    assert response["X-Request-ID"] in text
    assert "hunter2" not in text
    assert response["Content-Type"].startswith("application/problem+json" if "api" in path else "text/html")


def because_of(error: DatabaseError, cause: Exception) -> DatabaseError:
    """The error of Django for one of the driver."""
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OperationalError("hunter2"), "did not answer"),
        (InterfaceError("hunter2"), "did not answer"),
        (because_of(OperationalError("hunter2"), psycopg.errors.DiskFull("hunter2")), "disk is full"),
        (because_of(InternalError("hunter2"), psycopg.errors.ReadOnlySqlTransaction()), "accepts no writes"),
        (OSError(errno.ENOSPC, "hunter2"), "disk is full"),
        (OSError(errno.EROFS, "hunter2"), "accepts no writes"),
    ],
)
@pytest.mark.parametrize("path", ["/api/v1/datasets/", "/datasets/"])
def test_what_is_missing_for_the_moment_is_not_a_failure(
    client: Client, path: str, error: Exception, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: object) -> None:
        raise error

    monkeypatch.setattr("datasets.selectors.dataset_versions", broken)
    response = client.get(path)
    text = response.content.decode()
    assert (response.status_code, response["Retry-After"]) == (503, str(RETRY_SECONDS))
    assert said in text
    assert "hunter2" not in text
    assert response["Content-Type"].startswith("application/problem+json" if "api" in path else "text/html")


@pytest.fixture(autouse=True)
def _fresh_readiness(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answers of an earlier test are not kept."""
    monkeypatch.setattr(health, "READINESS", health.Readiness())


@pytest.mark.django_db
def test_readiness_asks_the_database_once_a_second(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client.get("/readyz")
    with django_assert_max_num_queries(0):
        for _ in range(5):
            client.get("/readyz")


@pytest.mark.django_db
def test_a_full_disk_and_lost_programs_are_not_ready(
    client: Client, settings: Settings, tmp_path: Path
) -> None:
    settings.OPTARENA_BLOB_ROOT = str(tmp_path / "gone")
    settings.OPTARENA_DISK_FLOOR_MB = 10**9
    response = client.get("/readyz")
    assert response.status_code == 503
    assert "does not exist" in response.json()["checks"]["programs"]
    assert "MB free" in response.json()["checks"]["disk"]


@pytest.mark.django_db
def test_a_process_that_was_given_up_is_named_while_pages_are_served(
    client: Client, broker: str, settings: Settings, tmp_path: Path
) -> None:
    settings.OPTARENA_BLOB_ROOT = str(tmp_path)
    settings.OPTARENA_GIVEN_UP = str(tmp_path / "given-up")
    assert client.get("/readyz").json()["status"] == "ok"
    (tmp_path / "given-up").write_text("worker\n")
    response = client.get("/readyz")
    assert (response.status_code, response.json()["status"]) == (200, "degraded")
    assert response.json()["stopped"] == ["worker"]


def test_health_checks_ask_by_any_address(client: Client, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["arena.example.org"]
    assert client.get("/healthz", headers={"Host": "10.8.0.1:8000"}).status_code == 200
    assert client.get("/problems/", headers={"Host": "10.8.0.1:8000"}).status_code == 400


@pytest.mark.django_db
@pytest.mark.parametrize("is_silent", [True, False])
def test_a_broker_that_never_answers_or_is_not_there_is_told_soon(
    client: Client, monkeypatch: pytest.MonkeyPatch, *, is_silent: bool
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        there = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        nowhere = "redis+socket:///nowhere/s.sock?virtual_host=0"
        monkeypatch.setattr(celery_app.conf, "broker_url", there if is_silent else nowhere)
        celery_app.amqp  # noqa: B018 - the connection pool is made from the address above
        began = time.monotonic()
        response = client.get("/readyz")
    checks = response.json()["checks"]
    assert (response.status_code, checks["database"], checks["migrations"]) == (503, "ok", "ok")
    assert checks["broker"] == "no connection"
    assert time.monotonic() - began < 20  # a worker waits for 30 s


@pytest.mark.django_db
def test_an_unapplied_migration_is_not_ready(client: Client) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'datasets'")
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["checks"]["migrations"].endswith("not applied")


def test_a_lost_database_is_not_ready(
    client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(connection.settings_dict, "HOST", str(tmp_path))
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["checks"]["database"] == "no connection"
    assert response.json()["checks"]["migrations"] == "unknown"


def test_the_openapi_document_is_written_once(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = ("application/vnd.oai.openapi+json", "application/vnd.oai.openapi")
    first = [client.get("/api/v1/schema/", headers={"Accept": kind}) for kind in kinds]
    assert [answer["Content-Type"].partition(";")[0] for answer in first] == list(kinds)
    document = first[0].json()
    assert document["openapi"] == "3.1.0"
    assert document["components"]["securitySchemes"]["bearer"]["scheme"] == "bearer"
    for path in document["paths"].values():
        for operation in (one for one in path.values() if isinstance(one, dict)):
            problem = operation["responses"]["default"]["content"]["application/problem+json"]
            assert problem["schema"] == {"$ref": "#/components/schemas/Problem"}
            assert operation["summary"]
    assert first[1].content.startswith(b"openapi: 3.1.0\n")
    monkeypatch.delattr(SchemaGenerator, "get_schema")
    again = [client.get("/api/v1/schema/", headers={"Accept": kind}) for kind in kinds]
    assert [answer.content for answer in again] == [answer.content for answer in first]


def test_the_openapi_document_is_valid_and_generated_without_a_warning(tmp_path: Path) -> None:
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(tmp_path / "schema.yml"))


def test_the_documentation_page_needs_no_other_server(client: Client) -> None:
    response = client.get("/api/v1/docs/")
    text = response.content.decode()
    assert "script-src 'self'" in response["Content-Security-Policy"]
    assert not re.search(r'(src|href)="(https?:)?//', text)
    for address in re.findall(r'(?:src|href)="(/static/[^"]+)"', text):
        assert client.get(address).status_code == 200
    places = Counter(re.findall(r' id="([^"]+)"', text))
    assert [place for place, count in places.items() if count > 1] == []
    links = set(re.findall(r'href="#([^"]+)"', text.partition("<article>")[0].partition("<aside>")[2]))
    assert {"section-boards", "boards"} <= links <= places.keys()
