"""What surrounds every request: ids, headers, limits, problems (RFC 9457), health, and what is hostile."""

from __future__ import annotations

import errno
import io
import json
import re
import socket
import time
import uuid
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import Error as DatabaseError
from django.db import InterfaceError, InternalError, OperationalError, ProgrammingError, connection
from django.http import Http404
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from prometheus_client.parser import text_string_to_metric_families
from rest_framework import exceptions, serializers
from rest_framework.test import APIRequestFactory
from rest_framework.views import APIView

from leaderboard.celery import app as celery_app
from leaderboard.common import health
from leaderboard.common.middleware import CONTENT_SECURITY_POLICY
from leaderboard.common.problems import PROBLEM_TYPES, RETRY_SECONDS, ProblemError, type_for_status
from optarena.errors import InvalidDocument, Problem, UnknownName
from optarena.limits import MAX_SUBMISSION_BYTES
from runner.database import database_now
from runner.machines import presence
from runner.machines.machine import Machine
from runner.queue import leases, sweeping
from tests.factories import PASSWORD, make_calibration, make_user, make_work
from tests.kit.routes import routes
from tests.kit.work import OUTCOME

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import DjangoAssertNumQueries, Settings
    from rest_framework.request import Request


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
def test_a_body_over_the_limit_is_not_read(client: Client, settings: Settings, length: str) -> None:
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


KEY = "0F9B4C1E-1111-4222-8333-ABCDEFABCDEF"
SAMPLES = {"str": "Ada", "slug": "ic", "path": "a/B", "uuid": KEY.lower(), "int": "0"}
MISSPELT: list[Callable[[str], str]] = [
    lambda path: path.rstrip("/"),
    lambda path: f"{path}/",
    lambda path: f"/{path}",
    lambda path: path.replace("/v1/", "/v1//"),
    lambda path: path.replace("/api/v1/", "/API/V1/"),
    lambda path: path.replace("/submissions/", "/Submissions/").replace("/withdraw/", "/WITHDRAW/"),
    lambda path: path.replace(KEY.lower(), KEY),
    lambda path: f"{path} ",
    lambda path: f"{path.rstrip('/')} /",
]


@pytest.mark.parametrize("misspell", MISSPELT)
def test_a_misspelt_address_of_the_api_leads_to_the_right_one_and_keeps_the_method(
    client: Client, db: None, misspell: Callable[[str], str]
) -> None:
    """After 301 most clients turn a POST into a GET: a submission then looked like a list."""
    for route in routes():
        path = "/" + re.sub(r"<(\w+):\w+>", lambda found: SAMPLES[found[1]], route)
        wrong = misspell(path)
        if not route.startswith("api/v1/") or wrong == path:
            continue
        right = client.post(path, "{}", content_type="application/json")
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            answer = client.generic(
                method, "/", b"{}", "application/json", PATH_INFO=wrong, QUERY_STRING="board=a%20b"
            )
            assert (answer.status_code, answer.headers.get("Location")) == (308, f"{path}?board=a%20b"), wrong
            assert right.status_code not in {200, 308}, path
    there = ("/API/v1/nothing", "/api", "/api/v1//boards/")
    kinds = [client.get(one, follow=True)["Content-Type"] for one in there]
    assert kinds == ["application/problem+json", "application/problem+json", "application/json"]


def test_what_an_address_names_is_left_as_it_is(client: Client, db: None) -> None:
    for given, meant in {
        "/api/v1//users/Me/": "/api/v1/users/Me/",
        "/API/v1/Users/Me": "/api/v1/users/Me/",
        "/api/v1/users/Me": "/api/v1/users/Me/",
        "/api/v1/Boards/Submit/Standings.CSV": "/api/v1/boards/Submit/standings.csv",
    }.items():
        answer = client.get("/", PATH_INFO=given)
        assert (answer.status_code, answer.headers.get("Location")) == (308, meant), given
    assert client.get("/api/v1/users/Me/").status_code == 404


def test_an_answer_of_the_api_has_its_length(client: Client, db: None) -> None:
    for path in ("/api/v1/limits/", "/api/v1/nothing/"):
        answer = client.get(path)
        assert answer["Content-Length"] == str(len(answer.content)), path


def test_a_form_is_sent_on_as_it_is(client: Client, db: None, settings: Settings) -> None:
    assert client.post("/accounts/login", {"username": "x"}).status_code == 308
    settings.SECURE_SSL_REDIRECT = True
    for path in ("/api/v1/submissions/?board=x", "/accounts/login/"):
        answer = Client().post(path, "{}", content_type="application/json")
        assert (answer.status_code, answer["Location"]) == (308, f"https://testserver{path}")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("headers", "kind", "field", "value"),
    [
        ({"Content-Encoding": "gzip"}, "application/json", "Content-Encoding", "gzip"),
        ({"Content-Encoding": "br"}, "text/csv", "Content-Encoding", "br"),
        ({}, "application/json; charset=utf-16", "Content-Type", "utf-16"),
        ({}, 'text/csv; charset="ISO-8859-1"', "Content-Type", "ISO-8859-1"),
        ({}, "text/csv; charset=klingon", "Content-Type", "klingon"),
    ],
)
def test_a_body_in_another_coding_is_refused_by_its_name(
    member: Client, headers: dict[str, str], kind: str, field: str, value: str
) -> None:
    for address in (VALIDATE, "/api/v1/submissions/", SIGNUP, "/accounts/login/"):
        answer = member.generic("POST", address, b"{}", kind, headers=headers)
        assert answer.status_code == 415, address
        if "api" in address:
            [error] = answer.json()["errors"]
            assert (error["field"], error["value"]) == (field, value)
            assert ("UTF-8" in error["remedy"]) == (field == "Content-Type")
        assert (answer.headers.get("Accept-Encoding") == "identity") == bool(headers)
    for same in ("application/json; charset=UTF-8", "application/json; charset=us-ascii"):
        answer = member.generic("POST", SIGNUP, b"{}", same, headers={"Content-Encoding": "identity"})
        assert answer.status_code == 422


def because_of(error: DatabaseError, cause: Exception) -> DatabaseError:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (RuntimeError("the password is hunter2"), ""),
        (ProgrammingError("hunter2"), ""),
        (OSError(errno.EIO, "hunter2"), ""),
        (OperationalError("hunter2"), "did not answer"),
        (InterfaceError("hunter2"), "did not answer"),
        (because_of(OperationalError("hunter2"), psycopg.errors.DiskFull("hunter2")), "disk is full"),
        (because_of(InternalError("hunter2"), psycopg.errors.ReadOnlySqlTransaction()), "accepts no writes"),
        (OSError(errno.ENOSPC, "hunter2"), "disk is full"),
        (OSError(errno.EROFS, "hunter2"), "accepts no writes"),
    ],
)
@pytest.mark.parametrize("path", ["/api/v1/datasets/", "/datasets/"])
def test_a_failure_of_ours_differs_from_what_is_missing_for_the_moment(
    path: str, error: Exception, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both are answered without a database."""

    def broken(*args: object) -> None:
        raise error

    monkeypatch.setattr("datasets.selectors.dataset_versions", broken)
    response = Client(raise_request_exception=False).get(path)
    text = response.content.decode()
    expected = (503, str(RETRY_SECONDS)) if said else (500, None)
    assert (response.status_code, response.headers.get("Retry-After")) == expected
    assert response["X-Request-ID"] in text or said
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
def test_a_full_disk_or_lost_programs_are_told(client: Client, settings: Settings, tmp_path: Path) -> None:
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


def test_a_lost_database_is_told(client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
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


def places_and_links(client: Client, address: str) -> tuple[set[str], set[str]]:
    answer = client.get(address)
    text = answer.content.decode()
    assert "script-src 'self'" in answer["Content-Security-Policy"]
    assert not re.search(r'(src|href)="(https?:)?//', text)
    for file in re.findall(r'(?:src|href)="(/static/[^"]+)"', text):
        assert client.get(file).status_code == 200
    places = Counter(re.findall(r' id="([^"]+)"', text))
    assert [place for place, count in places.items() if count > 1] == []
    return set(places), {one for one in re.findall(r'href="([^"]*)"', text) if one.startswith(("#", DOCS))}


DOCS = "/api/v1/docs/"


def test_the_documentation_has_a_page_for_each_tag_and_needs_no_other_server(client: Client) -> None:
    """Each operation and schema once had a place on one page, to which addresses elsewhere still lead."""
    document = client.get("/api/v1/schema/?format=json").json()
    operations = [
        one for path in document["paths"].values() for one in path.values() if isinstance(one, dict)
    ]
    tags = {tag for one in operations for tag in one["tags"]}
    places, links = places_and_links(client, DOCS)
    assert {one["operationId"] for one in operations} <= places
    assert {f"schema-{name}" for name in document["components"]["schemas"]} <= places
    assert {*(f"section-{tag}" for tag in tags), "section-schemas"} <= places
    pages = {f"{DOCS}{tag}/": places_and_links(client, f"{DOCS}{tag}/") for tag in tags}
    assert {one.partition("#")[0] for one in links} == {"", DOCS, *pages}
    for page, (there, further) in {DOCS: (places, links), **pages}.items():
        for link in further:
            target, _, anchor = link.partition("#")
            assert not anchor or anchor in (pages[target][0] if target else there), (page, link)
    wrong = client.get(f"{DOCS}nowhere/")
    assert (wrong.status_code, "has no part" in wrong.content.decode()) == (404, True)


VALIDATE = "/api/v1/submissions/validate/"


@pytest.fixture
def member(db: None, client: Client) -> Client:
    client.force_login(make_user("ada"))
    return client


def post(client: Client, body: str | bytes, address: str = VALIDATE, kind: str = "application/json") -> Any:
    return client.post(address, body, content_type=kind)


@pytest.mark.parametrize(
    ("address", "body", "named"),
    [
        (VALIDATE, r'{"agent": "\ud800"}', ""),
        (VALIDATE, r'{"\udfff": 1}', ""),
        (VALIDATE, r'{"items": [{"claims": {"\ud800": 1}}]}', ""),
        (VALIDATE, '{"board": "nope", "board": "llvm-ic"}', "board"),
        (VALIDATE, '{"items": [{"actions": [5], "actions": [0]}]}', "actions"),
        (VALIDATE, '{"board": ' + "[" * 500 + "]" * 500 + "}", ""),
        (VALIDATE, '{"zz": ' + '{"a":' * 935 + "1" + "}" * 935 + "}", ""),
        (SIGNUP, rf'{{"username": "\ud800", "password": "{PASSWORD}"}}', ""),
        (SIGNUP, r'{"username": "bob", "password": "\ud800"}', ""),
        (SIGNUP, rf'{{"username": "bob", "username": "eve", "password": "{PASSWORD}"}}', "username"),
    ],
)
def test_json_with_two_meanings_or_none_is_refused(
    member: Client, address: str, body: str, named: str
) -> None:
    answer = post(member, body, address)
    assert (answer.status_code, answer.json()["type"]) == (400, "/problems/#malformed-document")
    assert "JSON" in answer.content.decode()
    assert named in answer.content.decode()
    assert get_user_model().objects.count() == 1


@pytest.mark.parametrize(
    ("button", "page"),
    [
        ("/submissions/{id}/withdraw/", "/submissions/{id}/"),
        ("/submissions/{id}/items/0/steps/1/difference/", "/submissions/{id}/items/0/"),
        ("/accounts/tokens/{id}/revoke/", "/accounts/tokens/"),
    ],
)
def test_the_address_of_a_button_leads_to_its_page(client: Client, db: None, button: str, page: str) -> None:
    client.force_login(make_user())
    named = {"id": uuid.uuid4()}
    refused = client.get(button.format(**named))
    shown = refused.content.decode()
    assert (refused.status_code, f'href="{page.format(**named)}"' in shown) == (405, True)
    assert "Allow header" not in shown, "That is for programs."


@pytest.mark.parametrize(
    ("sender", "near"),
    [
        ("http://testserver/boards/?sort=rank", "/boards/?sort=rank"),
        ("http://evil.example/boards/", ""),
        ("http://testserver//evil.example/", ""),
        ("http://[", ""),
        ("", ""),
    ],
)
def test_a_form_whose_token_is_old_leads_back_to_its_page(db: None, sender: str, near: str) -> None:
    strict = Client(enforce_csrf_checks=True)
    refused = strict.post("/accounts/login/", headers={"Referer": sender} if sender else {})
    shown = refused.content.decode()
    assert (refused.status_code, "The page with the form" in shown) == (403, bool(near))
    assert "evil" not in shown
    if near:
        assert f'href="{near}">The page with the form' in shown


def test_a_wrong_parameter_leads_to_the_page_without_it(client: Client, db: None) -> None:
    refused = client.get("/submissions/?page=x")
    assert refused.status_code == 422
    assert '"/submissions/">The page without' in refused.content.decode()


def test_a_login_that_leads_back_to_a_button_says_where_to_go(client: Client, db: None) -> None:
    user = make_user()
    sent = client.post(f"/submissions/{uuid.uuid4()}/withdraw/")
    assert sent["Location"].startswith("/accounts/login/?next=/submissions/")
    page = client.post(sent["Location"], {"username": user.username, "password": PASSWORD}, follow=True)
    assert (page.status_code, page["Allow"]) == (405, "POST")
    assert "Go to the page that has it" in page.content.decode()
    other = client.put("/boards/")
    assert (other.status_code, "address of a button" in other.content.decode()) == (405, False)


def test_a_nul_in_an_address_leads_nowhere(client: Client, db: None) -> None:
    bitcode = "/api/v1/datasets/kernels-v0/benchmarks/%00/bitcode/"
    pages = ("/datasets/%00/", "/datasets/kernels-v0/%00/")
    lists = ("/api/v1/boards/?cursor=cD0lMDA=", "/api/v1/submissions/?board=%00")
    for address in ("/api/v1/datasets/%00/", bitcode, *pages, *lists):
        answer = client.get(address)
        is_problem = answer["Content-Type"] == "application/problem+json"
        assert (answer.status_code in {400, 404}, is_problem) == (True, address not in pages), address


def test_another_servers_name_is_a_problem(
    client: Client, db: None, caplog: pytest.LogCaptureFixture
) -> None:
    for address, kind in (("/api/v1/boards/", "application/problem+json"), ("/boards/", "text/html")):
        answer = client.get(address, headers={"Host": "evil<b>.example"})
        assert (answer.status_code, answer["Content-Type"].partition(";")[0]) == (400, kind)
        assert "OPTARENA_ALLOWED_HOSTS" in answer.content.decode()
        if "api" in address:
            [error] = answer.json()["errors"]
            assert (error["field"], error["value"]) == ("Host", "evil<b>.example")
    assert "Traceback" not in caplog.text


Answer = tuple[int, dict[str, Any], Any]


def raising(error: Exception) -> Callable[..., Any]:
    class View(APIView):
        permission_classes = ()

        def post(self, request: Request) -> None:
            raise error

    return View.as_view()


def answer(view: Callable[..., Any], data: Any = None) -> Answer:
    response = view(APIRequestFactory().post("/api/v1/x/", data or {}, format="json"))
    response.render()
    assert response["Content-Type"] == "application/problem+json"
    return response.status_code, json.loads(response.content), response


@pytest.mark.parametrize(
    ("error", "status", "kind"),
    [
        (exceptions.NotAuthenticated(), 401, "not-authenticated"),
        (exceptions.AuthenticationFailed(), 401, "not-authenticated"),
        (exceptions.PermissionDenied(), 403, "permission-denied"),
        (PermissionDenied("Not yours."), 403, "permission-denied"),
        (Http404("No such board."), 404, "not-found"),
        (exceptions.NotFound(), 404, "not-found"),
        (exceptions.MethodNotAllowed("PUT"), 405, "method-not-allowed"),
        (exceptions.NotAcceptable(), 406, "not-acceptable"),
        (exceptions.UnsupportedMediaType("text/xml"), 415, "unsupported-media-type"),
        (exceptions.ParseError(), 400, "malformed-document"),
        (exceptions.Throttled(wait=7.2), 429, "throttled"),
        (RequestDataTooBig(), 413, "too-large"),
        (SuspiciousOperation("secret detail"), 400, "bad-request"),
        (
            UnknownName("No board 'x'.", field="board", value="x", remedy="See /boards/."),
            422,
            "invalid-document",
        ),
        (ProblemError("idempotency-key-reused"), 409, "idempotency-key-reused"),
    ],
)
def test_every_kind_of_error_has_its_problem_type(error: Exception, status: int, kind: str) -> None:
    code, body, response = answer(raising(error))
    assert (code, body["status"], body["type"]) == (status, status, f"/problems/#{kind}")
    assert body["title"] == PROBLEM_TYPES[kind].title
    assert body["instance"] == "/api/v1/x/"
    assert body["detail"]
    assert response.headers.get("Retry-After") == ("8" if kind == "throttled" else None)
    assert ("errors" in body) == (kind == "invalid-document")
    assert body["remedy"]
    assert "secret" not in json.dumps(body)


def test_an_error_of_a_service_lists_every_problem_with_row_value_and_remedy() -> None:
    first = {"field": "benchmark", "row": 2, "value": "x", "message": "Unknown.", "remedy": "Use another."}
    second = {"field": "document", "value": "v" * 500, "message": "Too long.", "remedy": "Shorten it."}
    _, body, _ = answer(raising(InvalidDocument([Problem(**first), Problem(**second)])))  # type: ignore[arg-type] # texts and numbers
    assert body["detail"] == "2 values cannot be used."
    assert body["errors"] == [first, second | {"value": body["errors"][1]["value"]}]
    assert len(body["errors"][1]["value"]) == 120
    assert answer(raising(Http404("No such board.")))[1]["detail"] == "No such board."
    one = {"field": "board", "value": "x", "message": "No board 'x'.", "remedy": "See /boards/."}
    error = UnknownName("No board 'x'.", field="board", value="x", remedy="See /boards/.")
    assert answer(raising(error))[1]["errors"] == [one]


class ItemSerializer(serializers.Serializer[Any]):
    benchmark = serializers.CharField(max_length=3)
    actions = serializers.ListField(child=serializers.IntegerField(min_value=0))


class DocumentSerializer(serializers.Serializer[Any]):
    board = serializers.ChoiceField(choices=["llvm-ic"])
    password = serializers.CharField(max_length=3)
    items = ItemSerializer(many=True, allow_empty=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        raise serializers.ValidationError("The whole is wrong.")


class CheckingView(APIView):
    authentication_classes = ()
    permission_classes = ()

    def post(self, request: Request) -> None:
        DocumentSerializer(data=request.data).is_valid(raise_exception=True)


def test_nested_errors_are_one_list_with_rows_and_values() -> None:
    data = {
        "board": "gcc",
        "password": "hunter2",
        "items": [
            {"benchmark": "abc", "actions": [1]},
            {"benchmark": "toolong", "actions": [1, -5, "x"]},
            {},
        ],
    }
    code, body, _ = answer(CheckingView.as_view(), data)
    assert code == 422
    found = {error["field"]: error for error in body["errors"]}
    assert found["board"]["value"] == "gcc"
    assert found["board"]["remedy"] == "Use one of the documented values."
    assert found["items.1.benchmark"] | {"message": ""} == {
        "field": "items.1.benchmark",
        "row": 1,
        "value": "toolong",
        "message": "",
        "remedy": "Shorten the value.",
    }
    assert found["items.1.actions.1"]["value"] == "-5"
    assert found["items.1.actions.2"]["value"] == "x"
    assert found["items.2.benchmark"]["remedy"] == "Add this field."


def test_secrets_are_never_repeated_and_an_error_of_the_whole_has_no_field() -> None:
    data: dict[str, Any] = {"board": "llvm-ic", "password": "hunter2", "items": []}
    _, body, _ = answer(CheckingView.as_view(), data)
    assert "hunter2" not in json.dumps(body)
    assert {error["field"] for error in body["errors"]} == {"password", "items"}
    data |= {"password": "ok", "items": [{"benchmark": "abc", "actions": []}]}
    _, body, _ = answer(CheckingView.as_view(), data)
    assert (body["errors"][0]["field"], body["errors"][0]["message"]) == ("", "The whole is wrong.")


@pytest.mark.django_db
def test_a_body_that_cannot_be_used_is_a_problem(client: Client) -> None:
    for content, media, status, kind in (
        ("{", "application/json", 400, "malformed-document"),
        ("\xff".encode("latin-1"), "application/json", 400, "malformed-document"),
        ('{"username": NaN}', "application/json", 400, "malformed-document"),
        ("[" * 100_000, "application/json", 400, "malformed-document"),
        ("<x/>", "application/xml", 415, "unsupported-media-type"),
        ("[]", "application/json", 422, "invalid-document"),
        ("null", "application/json", 422, "invalid-document"),
    ):
        response = client.post(SIGNUP, content, content_type=media)
        assert (response.status_code, response.json()["type"]) == (status, f"/problems/#{kind}")


def test_the_error_reference_explains_every_type_by_a_title_of_its_own(client: Client) -> None:
    assert len({kind.title for kind in PROBLEM_TYPES.values()}) == len(PROBLEM_TYPES)
    text = client.get("/problems/").content.decode()
    for name, kind in PROBLEM_TYPES.items():
        assert kind.remedy.endswith(".")
        assert f'id="{name}"' in text
    assert "<code>Authorization: Bearer &lt;token&gt;</code>" in text
    assert "`" not in text


def test_every_status_has_a_general_type() -> None:
    for status in (400, 401, 403, 404, 405, 406, 409, 411, 413, 415, 418, 422, 429, 500, 503):
        assert type_for_status(status).status == (400 if status == 418 else status)


WORD = "a word of this test"
ALLOWED = {"Authorization": f"Bearer {WORD}"}


@pytest.fixture
def token(settings: Settings) -> None:
    settings.OPTARENA_METRICS_TOKEN = WORD


def read(client: Client) -> dict[tuple[str, tuple[str, ...]], float]:
    """Every sample by its name and its labels' values."""
    answer = client.get("/metrics", headers=ALLOWED)
    assert answer.status_code == 200
    families = text_string_to_metric_families(answer.content.decode())
    return {
        (sample.name, tuple(sample.labels.values())): sample.value
        for family in families
        for sample in family.samples
    }


@pytest.mark.usefixtures("db", "token")
def test_figures_are_those_of_the_queue(client: Client) -> None:
    now = database_now()
    for _ in range(4):
        make_work()
    for reason in ("", "env:crash"):
        lease = leases.lease_next(worker="one", now=now + timedelta(seconds=1))
        assert lease is not None
        if reason:
            leases.fail(lease=lease, reason=reason, detail="", now=now + timedelta(seconds=3))
        else:
            leases.record(lease=lease, outcome=OUTCOME, now=now + timedelta(seconds=3))
    assert leases.lease_next(worker="lost", now=now + timedelta(seconds=4)) is not None
    sweeping.sweep(now=now + timedelta(hours=1))
    found = read(client)
    assert found["optarena_queued", ("x86_64-cpu",)] == 2
    assert found["optarena_runners", ("x86_64-cpu", "no")] == 0
    assert found["optarena_oldest_queued_seconds", ("x86_64-cpu",)] >= 0
    assert found["optarena_verifications_total", ("", "recorded")] == 1
    assert found["optarena_verifications_total", ("env:crash", "failed")] == 1
    assert found["optarena_payer_queued", ("x86_64-cpu", "")] == 2
    assert found["optarena_payer_oldest_queued_seconds", ("x86_64-cpu", "")] >= 0
    assert found["optarena_lost_leases_last_hour", ()] == 1
    assert found["optarena_phase_last_hour", ("leased",)] == 3
    assert found["optarena_phase_last_hour_seconds", ("leased",)] == 3600  # 2, 2, and until it was lost
    assert found["optarena_phase_last_hour_quantile_seconds", ("leased", "0.5")] == 2


@pytest.mark.usefixtures("db", "token")
def test_nobody_reads_them_without_the_token(client: Client, settings: Settings) -> None:
    for given in ({}, {"Authorization": "Bearer another"}, {"Authorization": WORD}):
        answer = client.get("/metrics", headers=given)
        assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Bearer")
        assert b"optarena_queued" not in answer.content
    settings.OPTARENA_METRICS_TOKEN = ""
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


@pytest.mark.usefixtures("db", "token")
def test_the_oldest_calibration_and_drifts_of_live_workers_are_counted(client: Client) -> None:
    now, machine = database_now(), Machine(fingerprint={}, versions={})
    for name in ("one", "two", "three"):
        presence.announce_runner(name=name, hardware_class="x86_64-cpu", machine=machine)
    make_calibration("one", now=now - timedelta(hours=30))
    make_calibration("two", now=now - timedelta(hours=40), drift="Calibration: slow.")
    make_calibration("two", now=now - timedelta(hours=2))
    make_calibration("three", now=now - timedelta(hours=1), drift="Calibration: slow.")
    make_calibration("gone", now=now - timedelta(days=9), drift="Calibration: slow.")
    found = read(client)
    assert found["optarena_calibration_oldest_seconds", ("x86_64-cpu",)] == pytest.approx(30 * 3600, rel=0.01)
    assert found["optarena_drifted_runners", ("x86_64-cpu",)] == 1
