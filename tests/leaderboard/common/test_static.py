"""Vendored files are the ones that were reviewed, and static files work before and after collection."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.test import Client

from leaderboard.common.storage import StaticStorage

if TYPE_CHECKING:
    from pytest_django import Settings

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
    call_command("collectstatic", interactive=False, verbosity=0)
    storage = StaticStorage(location=tmp_path, base_url="/static/")
    address = storage.url("site/site.css")
    assert re.fullmatch(r"/static/site/site\.[0-9a-f]{12}\.css", address)
    assert (tmp_path / address.removeprefix("/static/")).exists()
    response = Client().get(address)
    assert response.status_code == 200
    assert "immutable" in response["Cache-Control"]
    compressed = (tmp_path / address.removeprefix("/static/")).with_suffix(".css.gz")
    made = compressed.stat().st_mtime_ns
    call_command("collectstatic", interactive=False, verbosity=0)
    assert compressed.stat().st_mtime_ns == made, "an unchanged file is not compressed again"
