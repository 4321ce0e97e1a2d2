"""Settings come from the environment and name the remedy for an unusable value; limits, logs and files."""

from __future__ import annotations

import ast
import gzip
import hashlib
import inspect
import json
import logging
import os
import re
import runpy
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, models
from django.test import Client

from leaderboard.checks import refuse_unsafe_settings
from leaderboard.common.addresses import network
from leaderboard.common.storage import StaticStorage
from leaderboard.models import Board
from leaderboard.settings.environment import database, mail_server, shared_cache
from optarena import limits
from tests.kit.folders import ROOT

if TYPE_CHECKING:
    from pytest_django import Settings

    from leaderboard.embedded import EmbeddedStack


SWITCHES = (
    "OPTARENA_HTTPS",
    "OPTARENA_TRUST_FORWARDED_PROTO",
    "OPTARENA_CROSS_ORIGIN",
    "OPTARENA_WORKER_SETTLES",
    "OPTARENA_DJANGO_DEBUG",
)
READERS = {
    "OPTARENA_DATABASE_URL": partial(database, "OPTARENA_DATABASE_URL", ""),
    "OPTARENA_EMAIL_URL": partial(mail_server, "OPTARENA_EMAIL_URL", ""),
    "OPTARENA_BROKER_URL": shared_cache,
    "OPTARENA_CACHE_URL": shared_cache,
}
GOOD_KEY = "0123456789abcdef" * 3


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, Any]]:
    """The settings of a server with these variables of ours alone; this process logs as it did."""
    for name in [one for one in os.environ if one.startswith("OPTARENA_")]:
        monkeypatch.delenv(name)
    monkeypatch.setattr("structlog.configure", lambda **_: None)

    def read_settings(**variables: str) -> dict[str, Any]:
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        return runpy.run_path(str(ROOT / "leaderboard" / "settings" / "__init__.py"))

    return read_settings


def run(code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("OPTARENA_")}
    environment = clean | {"DJANGO_SETTINGS_MODULE": "leaderboard.settings"} | variables
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


Read = Callable[..., dict[str, Any]]
OF_HTTPS = ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT", "SECURE_HSTS_SECONDS")


def test_defaults_are_safe_and_need_no_secret(read: Read) -> None:
    expected = {
        "DEBUG": False,
        "ALLOWED_HOSTS": ["localhost", "127.0.0.1", "[::1]"],
        "CSRF_TRUSTED_ORIGINS": [],
    }
    assert {name: value for name, value in read().items() if name in expected} == expected
    assert not any(read()[name] for name in OF_HTTPS)
    values = read(OPTARENA_CSRF_TRUSTED_ORIGINS="https://arena.example")
    assert all(values[name] for name in OF_HTTPS)


def test_a_socket_folder_keeps_its_capitals_and_slashes(read: Read) -> None:
    url = "postgres://app:p%2Fw@%2Fsrv%2FMy%20Data%2Frun/optarena"
    database = read(OPTARENA_DATABASE_URL=url)["DATABASES"]["default"]
    assert (database["HOST"], database["PASSWORD"]) == ("/srv/My Data/run", "p/w")
    assert (database["NAME"], database["CONN_MAX_AGE"]) == ("optarena", 0)
    assert database["OPTIONS"]["pool"]["max_size"] >= 4


def test_the_parameters_of_the_url_reach_the_database(read: Read) -> None:
    url = "postgres://db.example/optarena?sslmode=verify-full&sslrootcert=/srv/ca.pem"
    options = read(OPTARENA_DATABASE_URL=url)["DATABASES"]["default"]["OPTIONS"]
    assert (options["sslmode"], options["sslrootcert"]) == ("verify-full", "/srv/ca.pem")
    assert options["pool"]


def test_the_database_keeps_the_plans_of_statements_that_are_sent_often(db: None) -> None:
    for number in range(7):
        Board.objects.filter(pk=number).exists()
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        assert any("leaderboard_board" in statement for (statement,) in cursor.fetchall())


def test_lists_may_have_spaces_and_secrets_may_begin_with_a_dollar(read: Read) -> None:
    variables = {
        "OPTARENA_ALLOWED_HOSTS": "localhost, arena.example",
        "OPTARENA_CSRF_TRUSTED_ORIGINS": "http://old.example, https://arena.example/ ,",
        "OPTARENA_SECRET_KEY": f"${GOOD_KEY}",
        "OPTARENA_SECRET_KEY_FALLBACKS": "one, two",
        "OPTARENA_METRICS_TOKEN": "$PATH",
    }
    expected = {
        "ALLOWED_HOSTS": ["localhost", "arena.example"],
        "CSRF_TRUSTED_ORIGINS": ["http://old.example", "https://arena.example"],
        "OPTARENA_HTTPS": True,
        "SECRET_KEY": f"${GOOD_KEY}",
        "SECRET_KEY_FALLBACKS": ["one", "two"],
        "OPTARENA_METRICS_TOKEN": "$PATH",
    }
    assert {name: value for name, value in read(**variables).items() if name in expected} == expected


@pytest.mark.parametrize(
    ("name", "value", "shown_value"),
    [
        ("OPTARENA_DATABASE_URL", "mysql://user:secret@host/optarena", "mysql://…@host/optarena"),
        ("OPTARENA_DATABASE_URL", "postgres://user:sec/ret@host/optarena", "postgres://…@host/optarena"),
        (
            "OPTARENA_DATABASE_URL",
            "postgres://user:secret@host:many/optarena",
            "postgres://…@host:many/optarena",
        ),
        ("OPTARENA_EMAIL_URL", "user:secret@host:587", "…@host:587"),
        ("OPTARENA_EMAIL_URL", "smtp://user:sec/ret@host", "smtp://…@host"),
        ("OPTARENA_BROKER_URL", "sentinel://:secret@host:26379", "sentinel://…@host:26379"),
        ("OPTARENA_BROKER_URL", "redis://:secret@[::1", "redis://…@[::1"),
        ("OPTARENA_CACHE_URL", "sentinel://:secret@host:26379", "sentinel://…@host:26379"),
    ],
)
def test_an_unusable_url_is_named_without_its_password(
    name: str, value: str, shown_value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPTARENA_CACHE_URL", raising=False)
    monkeypatch.setenv(name, value)
    with pytest.raises(
        ImproperlyConfigured, match=f"^{name} is '{re.escape(shown_value)}'; set it to a URL"
    ) as told:
        READERS[name]()
    assert "sec" not in str(told.value)


UNUSABLE = """
OPTARENA_LEASE_SECONDS=0 OPTARENA_HEARTBEAT_SECONDS=soon OPTARENA_LOG_FORMAT=xml OPTARENA_LOG_LEVEL=LOUD
OPTARENA_TOKEN_DAYS=-1 OPTARENA_CSRF_TRUSTED_ORIGINS=arena.example
OPTARENA_PUBLIC_URL=arena.example OPTARENA_PUBLIC_URL=https://arena.example/path OPTARENA_PUBLIC_URL=http://[::1
OPTARENA_PUBLIC_URL=https://
OPTARENA_DATABASE_URL=localhost/optarena OPTARENA_IDLE_PRESSURE=101 OPTARENA_IDLE_WAIT_SECONDS=0
OPTARENA_REPLAY_MEMORY_MB=255 OPTARENA_THROTTLE_UPLOAD=many OPTARENA_THROTTLE_STUDY=0/hour
OPTARENA_DIFFERENCE_DAYS=0 OPTARENA_DIFFERENCE_DAYS=1000000 OPTARENA_DIFFERENCES_KEPT=-1
OPTARENA_THROTTLE_LOGIN=0/min OPTARENA_THROTTLE_GUESS=0/day
OPTARENA_THROTTLE_CHECK=20_per_minute OPTARENA_THROTTLE_RESET=often
OPTARENA_THROTTLE_MAIL=-1/hour OPTARENA_RESET_MINUTES=0 OPTARENA_EMAIL_URL=mail.example.org
OPTARENA_EMAIL_URL=ftp://mail.example.org OPTARENA_NUM_PROXIES=-1 OPTARENA_NUM_PROXIES=one
OPTARENA_BOARD_DATASETS=kernels-v0 OPTARENA_BOARD_DATASETS=programs-v0=
OPTARENA_BOARD_DATASETS=programs-v0=kernels-v00 OPTARENA_BOARD_PROGRAMS=llvm-ic
OPTARENA_BOARD_PROGRAMS=llvm-ic=0 OPTARENA_BOARD_PROGRAMS=llvm-id=5 OPTARENA_FIRST_BLOCKS=2
"""


@pytest.mark.parametrize("given", [*UNUSABLE.split(), *(f"{name}=yess" for name in SWITCHES)])
def test_an_unusable_value_names_variable_value_and_remedy(read: Read, given: str) -> None:
    name, _, value = given.partition("=")
    with pytest.raises(ImproperlyConfigured, match=f"^{name} .*set it to") as told:
        read(**{name: value})
    assert value in str(told.value)


@pytest.mark.parametrize(
    "begin",
    [
        "import sys, manage; sys.argv = ['manage.py', 'check']; manage.main()",
        pytest.param(
            "import sys, leaderboard.web_server.__main__ as web; sys.argv[1:] = ['--fd', '0']; web.main()",
            marks=pytest.mark.soak,
        ),
    ],
    ids=["manage.py", "web server"],
)
def test_a_command_says_in_one_line_which_setting_it_cannot_use(begin: str) -> None:
    done = run(begin, OPTARENA_SWEEP_SECONDS="soon")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error: OPTARENA_SWEEP_SECONDS is 'soon'; set it to")
    assert "Traceback" not in done.stderr


def test_a_command_says_in_one_line_which_plug_in_cannot_be_imported() -> None:
    begin = "import sys, manage; sys.argv = ['manage.py', 'bootstrap']; manage.main()"
    done = run(begin, OPTARENA_PLUGINS="nothing.here")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error: $OPTARENA_PLUGINS names 'nothing.here', which cannot be imported")
    assert "Traceback" not in done.stderr


def test_switches_know_several_words(read: Read) -> None:
    for word in ("on", "True", "1", " yes"):
        assert read(OPTARENA_HTTPS=word)["OPTARENA_HTTPS"] is True
    for word in ("off", "False", "0", "no"):
        assert read(OPTARENA_CROSS_ORIGIN=word)["OPTARENA_CROSS_ORIGIN"] is False


def test_serving_without_a_good_secret_key_is_refused_with_the_remedy() -> None:
    done = run("import leaderboard.wsgi", OPTARENA_SECRET_KEY="short")  # noqa: S106 - of a test
    last = done.stderr.strip().splitlines()[-1]
    assert done.returncode == 1
    assert "ImproperlyConfigured" in last
    assert "export OPTARENA_SECRET_KEY=" in last


def test_with_a_mail_server_serving_needs_the_public_address(read: Read, settings: Settings) -> None:
    mails = {"OPTARENA_EMAIL_URL": "smtp://mail.example", "OPTARENA_SECRET_KEY": GOOD_KEY}
    done = run("import leaderboard.wsgi", **mails)
    assert (done.returncode, "Set OPTARENA_PUBLIC_URL" in done.stderr) == (1, True)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.OPTARENA_PUBLIC_URL = "http://10.8.0.1:8080"
    refuse_unsafe_settings()
    assert read()["OPTARENA_PUBLIC_URL"] == ""
    origins = "https://*.example, https://arena.example, https://old.example"
    assert read(OPTARENA_CSRF_TRUSTED_ORIGINS=origins)["OPTARENA_PUBLIC_URL"] == "https://arena.example"
    assert read(OPTARENA_PUBLIC_URL="http://a:8000/")["OPTARENA_PUBLIC_URL"] == "http://a:8000"


def test_the_deployment_check_reports_a_missing_key(settings: Settings) -> None:
    for key in (GOOD_KEY, ""):
        settings.SECRET_KEY = key
        found = {one.id for one in run_checks(tags=["security"], include_deployment_checks=True)}
        assert ("leaderboard.E001" in found) == (not key)


@pytest.mark.soak  # the plain case is below, with the other lines
def test_json_logs_are_one_object_a_line() -> None:
    code = (
        "import django; django.setup(); import structlog, logging; "
        "structlog.get_logger('x').info('made', number=3); logging.getLogger('y').warning('old %s', 'style')"
    )
    done = run(code, OPTARENA_LOG_FORMAT="json")
    first, second = (json.loads(line) for line in done.stderr.strip().splitlines())
    assert (first["event"], first["number"], first["level"], first["logger"]) == ("made", 3, "info", "x")
    assert (second["event"], second["level"]) == ("old style", "warning")
    assert first["timestamp"].endswith("Z")


@pytest.mark.soak
def test_a_command_says_that_there_is_no_database(tmp_path: Path) -> None:
    code = """
import sys
import manage
from django.conf import settings
settings.DATABASES["default"]["OPTIONS"]["pool"]["timeout"] = 1
sys.argv = ["manage.py", "load_dataset", "kernels-v0"]
manage.main()
"""
    nowhere = f"postgres://{str(tmp_path).replace('/', '%2F')}/optarena"
    done = run(code, OPTARENA_DATABASE_URL=nowhere, OPTARENA_SECRET_KEY=GOOD_KEY)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert f'connection to server on socket "{tmp_path}' in done.stderr
    assert "error: The database cannot be reached" in done.stderr
    assert "$OPTARENA_DATABASE_URL" in done.stderr


@pytest.mark.soak
@pytest.mark.stack
@pytest.mark.skipif("OPTARENA_DATABASE_URL" in os.environ, reason="a database of its own is needed")
def test_a_command_says_that_the_database_has_no_tables(embedded: EmbeddedStack) -> None:
    # The tests' own database has another name; nobody migrates this one.
    environment = embedded.environment() | {"OPTARENA_SECRET_KEY": GOOD_KEY}
    code = "import sys, manage; sys.argv = ['manage.py', 'load_dataset', 'kernels-v0']; manage.main()"
    done = run(code, **environment)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert 'error: The database is not set up: relation "datasets_' in done.stderr
    assert "Run `python manage.py migrate` first." in done.stderr


OURS = ("accounts", "datasets", "leaderboard", "runner")
OF_PROPERTIES = {
    "about": limits.DESCRIPTION_LENGTH,
    "action_space": limits.ACTION_SPACE_LENGTH,
    "actions": limits.MAX_ACTIONS_PER_ITEM,
    "affiliation": limits.AFFILIATION_LENGTH,
    "agent": limits.AGENT_LENGTH,
    "benchmark": limits.URI_LENGTH,
    "board": limits.NAMED_BOARD_LENGTH,
    "description": limits.DESCRIPTION_LENGTH,
    "email": limits.EMAIL_LENGTH,
    "items": limits.MAX_ITEMS_PER_SUBMISSION,
    "name": limits.TOKEN_NAME_LENGTH,
    "new_password": limits.PASSWORD_LENGTH,
    "password": limits.PASSWORD_LENGTH,
    "url": limits.SUBMISSION_URL_LENGTH,
    "username": limits.GIVEN_USERNAME_LENGTH,
}
"""The limit of each property of the API's document that states one."""


def our_models() -> Iterator[type[models.Model]]:
    for label in OURS:
        yield from apps.get_app_config(label).get_models()


def given_lengths(model: type[models.Model]) -> dict[str, str]:
    """What a model's source gives as the length of each of its texts; empty where it gives none."""
    [definition] = ast.parse(inspect.getsource(model)).body
    assert isinstance(definition, ast.ClassDef)
    found = {}
    for line in definition.body:
        if isinstance(line, ast.Assign | ast.AnnAssign) and isinstance(line.value, ast.Call):
            name = ast.unparse(line.targets[0] if isinstance(line, ast.Assign) else line.target)
            given = {one.arg: ast.unparse(one.value) for one in line.value.keywords}
            found[name] = given.get("max_length", "")
    texts = {
        field.name
        for field in model._meta.local_fields
        if isinstance(field, models.CharField | models.TextField) and field.max_length
    }
    return {name: text for name, text in found.items() if name in texts}


def test_a_column_is_as_long_as_its_limit(db: None) -> None:
    count = 0
    for model in our_models():
        for name, text in given_lengths(model).items():
            assert text.startswith("limits."), f"{text or 'the default'} has no name in optarena.limits"
            most = getattr(limits, text.removeprefix("limits."))
            field = model._meta.get_field(name)
            assert isinstance(field, models.Field)
            assert field.max_length == most, field
            if not isinstance(field, models.TextField):
                assert stored_length(model._meta.db_table, field.column) == most, field
            count += 1
    assert count > 50


def stored_length(table: str, column: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT character_maximum_length FROM information_schema.columns "
            "WHERE table_name = %s AND column_name = %s",
            [table, column],
        )
        [(length,)] = cursor.fetchall()
    return int(length)


def stated(document: Any, name: str = "") -> Iterator[tuple[str, int]]:
    """The longest texts and lists of a JSON schema, with the property that each belongs to."""
    if isinstance(document, list):
        for one in document:
            yield from stated(one, name)
    elif isinstance(document, dict):
        yield from (
            (name, document[key]) for key in ("maxLength", "maxItems") if isinstance(document.get(key), int)
        )
        for key, inner in document.items():
            if key == "properties":
                for own, schema in inner.items():
                    yield from stated(schema, own)
            else:
                yield from stated(inner, document.get("name", name) if key == "schema" else name)


def test_the_document_of_the_api_states_the_same_limits() -> None:
    document = yaml.load((ROOT / "docs" / "openapi.yaml").read_text(), yaml.CSafeLoader)
    found = set(stated(document))
    assert {name for name, _ in found} >= {"username", "password"}
    assert {(name, most) for name, most in found if OF_PROPERTIES.get(name) != most} == set()


def written(
    name: str,
    message: str,
    *values: object,
    traceback: bool = False,
    configured: dict[str, Any] = settings.LOGGING,
) -> str:
    stream = StringIO()
    handler = logging.StreamHandler(stream)
    made = dict(configured["formatters"]["structured"])
    handler.setFormatter(made.pop("()")(**made))
    logger = logging.getLogger(name)
    logger.addHandler(handler)
    try:
        logger.warning(message, *values, exc_info=traceback)
    finally:
        logger.removeHandler(handler)
    return stream.getvalue()


def test_a_path_makes_no_second_line_and_a_traceback_keeps_its_lines() -> None:
    for end in ("\n", "\r", "\x1b[2K", "\u2028", "\x85"):
        path = f"/a{end}2026-01-01 [info] forged"
        line = written("waitress", "Client disconnected while serving %s", path)
        assert len(line.splitlines()) == 1
        assert end not in line.rstrip("\n")
        assert "forged" in line
    try:
        int("wrong")
    except ValueError:
        line = written("django", "failed", traceback=True)
    assert "ValueError: invalid literal" in line
    assert len(line.splitlines()) > 2


def test_a_line_of_json_is_one_object(read: Read) -> None:
    line = written("y", "old %s", "style", configured=read(OPTARENA_LOG_FORMAT="json")["LOGGING"])
    found = json.loads(line)
    assert (found["event"], found["level"], found["logger"]) == ("old style", "warning", "y")
    assert found["timestamp"].endswith("Z")


def test_a_link_by_which_a_password_is_set_is_masked() -> None:
    for name in ("waitress", "django.request"):
        line = written(name, "Service Unavailable: %s", "/accounts/reset/MQ/c1abc-0123456789abcdef/")
        assert ("/accounts/reset/***" in line, "c1abc" in line) == (True, False)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:0:1:2:3:4:5", "2001:db8:0:1::"),
        ("2001:DB8::1", "2001:db8::"),
        ("fe80::1%eth0", "fe80::"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("::ffff:cb00:7107", "203.0.113.7"),
        ("", ""),
        ("unknown", "unknown"),
    ],
)
def test_addresses_of_one_customer_have_one_network(address: str, expected: str) -> None:
    assert network(address) == expected


@pytest.mark.django_db
def test_an_unknown_dataset_is_refused_before_anything_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr(
        "leaderboard.management.commands.bootstrap.call_command", lambda name, *_, **__: done.append(name)
    )
    with pytest.raises(CommandError, match=r"There is no dataset 'kernels-v00'\. Did you mean"):
        call_command("bootstrap", "kernels-v0", "kernels-v00", verbosity=0)
    assert done == []


def test_models_and_migrations_agree(db: None) -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


STATIC = Path(__file__).parents[3] / "datasets" / "site" / "static" / "site"
VENDOR = STATIC / "vendor"


def test_vendored_files_have_the_recorded_hashes_and_a_licence() -> None:
    listed: dict[str, str] = {}
    for package in json.loads((VENDOR / "vendor.json").read_text()):
        assert package["version"]
        assert package["licence"]
        assert any("LICENSE" in name for name in package["files"])
        listed |= package["files"]
    actual = {
        str(path.relative_to(VENDOR)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in VENDOR.rglob("*")
        if path.is_file() and path.name != "vendor.json"
    }
    assert actual == listed


def test_our_styles_stay_small_and_load_nothing_from_elsewhere() -> None:
    css = (STATIC / "site.css").read_text()
    assert len(gzip.compress(css.encode())) < 6_000
    assert not re.search(r"https?://|@import|url\(", css)


@pytest.fixture(autouse=True)
def _as_served(settings: Settings) -> None:
    """Files are found once, as a server finds them, and not for each request."""
    settings.WHITENOISE_AUTOREFRESH = False


def test_every_static_file_of_a_page_is_served_in_a_fresh_clone(client: Client) -> None:
    text = client.get("/problems/").content.decode()
    addresses = re.findall(r'(?:src|href)="(/static/[^"]+)"', text)
    assert len(addresses) >= 4
    for address in addresses:
        assert client.get(address).status_code == 200


def test_collected_files_have_hashed_names_and_are_kept_for_ever(settings: Settings, tmp_path: Path) -> None:
    settings.STATIC_ROOT = tmp_path
    storage = StaticStorage(location=tmp_path, base_url="/static/")
    assert storage.url("site/site.css") == "/static/site/site.css"
    assert finders.find("site/site.css")
    # The files of others are the larger part, and compressing them takes seconds.
    others = ["admin", "django_htmx", "rest_framework"]
    call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=others)
    storage = StaticStorage(location=tmp_path, base_url="/static/")
    address = storage.url("site/site.css")
    assert re.fullmatch(r"/static/site/site\.[0-9a-f]{12}\.css", address)
    assert (tmp_path / address.removeprefix("/static/")).exists()
    response = Client().get(address)
    assert response.status_code == 200
    assert "immutable" in response["Cache-Control"]
