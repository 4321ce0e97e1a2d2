"""Datasets need nothing of the apps above them: a server without these shows their pages."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from django.db import connections

if TYPE_CHECKING:
    from collections.abc import Callable

ALONE: Final = Path(__file__).parent / "alone"
RANGE: Final = "loop_tool-cpu-v0"
PAGES: Final = {
    "/datasets/": "Three programs for tests.",
    "/datasets/tiny-v0/": '<circle class="s5"',
    "/datasets/tiny-v0/alpha/": "The alpha program",
    "/datasets/many-v0/": '<rect class="s4"',
    f"/datasets/{RANGE}/": "Every whole number from 1 to",
    f"/datasets/{RANGE}/7/": "a member of a range of computed programs",
    "/api/v1/datasets/tiny-v0/": '"title":"Tiny programs"',
    "/api/v1/datasets/tiny-v0/benchmarks/alpha/": '"name":"alpha"',
}
"""Addresses, and what only a page with its content has."""
Answers = dict[str, tuple[int, str]]


@pytest.fixture
def ask(tmp_path: Path, django_db_setup: None) -> Callable[..., dict[str, Any]]:
    """Asks a server that has datasets alone, in a process of its own."""
    given = connections["default"].settings_dict
    database = {name: str(given[name]) for name in ("ENGINE", "HOST", "PORT", "USER", "PASSWORD")}
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ALONE), str(Path(__file__).parents[2])]),
        "DJANGO_SETTINGS_MODULE": "alone_settings",
        "ALONE_DATABASE": json.dumps({**database, "NAME": f"alone_{os.getpid()}"}),
        "ALONE_BLOBS": str(tmp_path / "alone-blobs"),
    }

    def run(**asked: list[str]) -> dict[str, Any]:
        done = subprocess.run(
            [sys.executable, str(ALONE / "show_pages.py")],
            input=json.dumps(asked),
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return answer

    return run


@pytest.mark.soak
def test_every_page_of_datasets_is_shown_without_the_apps_above(
    ask: Callable[..., dict[str, Any]], folder: Any, tmp_path: Path
) -> None:
    many = Path(shutil.copytree(folder.path, tmp_path / "many-v0"))
    small = folder.path
    folder.path = many
    folder.grow("many-v0", 70)
    folder.write()
    told = ask(datasets=[str(small), str(many), RANGE], addresses=[*PAGES, "/datasets/none-v0/"])
    answers: Answers = told["answers"]
    assert {address: answers[address][0] for address in PAGES} == dict.fromkeys(PAGES, 200)
    assert [address for address, text in PAGES.items() if text not in answers[address][1]] == []
    assert answers["/datasets/none-v0/"][0] == 404
    imported = {name.partition(".")[0] for name in told["modules"]}
    assert not {"leaderboard", "runner"} & imported
    page = answers["/datasets/"][1]
    links = page.partition('<ul class="links">')[2].partition("</ul>")[0]
    assert re.findall(r'href="([^"]+)"', links) == ["/datasets/"]
    assert "<footer>" not in page
