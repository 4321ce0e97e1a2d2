"""The checks that are programs of their own, so that one command runs everything."""

from __future__ import annotations

import os
import re
import secrets
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from optarena import ROOMS
from tests.kit.background import BACKGROUND, MYPY
from tests.kit.folders import ROOT

PACKAGES = ("envs/optarena", "leaderboard", "runner", "datasets")
SHARED_NAMES = {
    "Baseline": "what a compiler's own level makes of a program, and the row that keeps it",
    "Benchmark": "a program to optimise, and the row that keeps it",
    "Dataset": "a set of benchmarks, and the row of its family",
    "Workload": "a run of a program, and the row that keeps it",
}
"""Names that two public classes have, and what these are; docs/glossary.md says which is meant where."""
FRAMEWORK_NAMES = {"Command", "Migration"}
"""Names that Django asks for."""
PLAIN_WORDS = {
    r"(?<!there )\b(is|are|was|were|be) no (?!longer|more|fewer|less|later|earlier|such)\b": "is not a …",
    r"thousand million": "GFLOP/s",
    r"\bnot yours to\b": "You do not have permission to …",
    r"\bas the (last )?line above\b|\bas said above\b": "the reason itself",
    r"\bsomething else than\b": "differs from",
}
"""Wording that reads badly, and what to write instead."""
BIN = Path(sys.executable).parent
CHECKS = {
    "ruff check": ("ruff", "check", "--no-cache", "."),
    "ruff format": ("ruff", "format", "--no-cache", "--check", "."),
    "import-linter": ("lint-imports", "--no-cache"),
}


def run(*command: str | Path, **variables: str) -> str:
    """Run a command in the repository; what it printed, and a failed test if it failed."""
    done = subprocess.run(
        list(map(str, command)),
        cwd=ROOT,
        env={**os.environ, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", CHECKS)
def test_check_passes(name: str) -> None:
    program, *arguments = CHECKS[name]
    run(BIN / program, *arguments)


@pytest.mark.timeout(600)
def test_types_agree() -> None:
    code, output = BACKGROUND.result(MYPY)
    assert code == 0, output


def test_a_server_behind_https_passes_the_deployment_check() -> None:
    run(
        sys.executable,
        *("manage.py", "check", "--deploy", "--fail-level", "WARNING"),
        OPTARENA_SECRET_KEY=secrets.token_urlsafe(50),
        OPTARENA_ALLOWED_HOSTS="arena.example.org",
        OPTARENA_CSRF_TRUSTED_ORIGINS="https://arena.example.org",
    )


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


class TestHouseRules:
    """What no linter checks."""

    files = tuple(
        ROOT / name
        for name in run("git", "ls-files", "--cached", "--others", "--exclude-standard").split()
        if (ROOT / name).is_file()
    )

    def test_words_are_plain(self) -> None:
        found = {
            f"{place}:{text[: match.start()].count(chr(10)) + 1} {match[0]!r}": instead
            for path in self.files
            if (place := path.relative_to(ROOT).as_posix()).endswith((".py", ".html", ".md"))
            and not place.startswith(("tests/", "datasets/suites/", "envs/optarena/datasets/builtin/"))
            for text in (path.read_text(),)
            for pattern, instead in PLAIN_WORDS.items()
            for match in re.finditer(pattern, text, re.IGNORECASE)
        }
        assert found == {}

    def test_tests_share_by_the_kit_only(self) -> None:
        """What two test modules need lives in ``tests/kit``, ``tests/factories.py`` or ``tests/plugins``."""
        imports = re.compile(r"^ *from (\.\S*|(?:\S+\.)?(?:test_\w+|conftest)) import ", re.MULTILINE)
        found = {
            str(path): modules
            for path in self.files
            if path.is_relative_to(ROOT / "tests") and path.suffix == ".py"
            if (modules := set(imports.findall(path.read_text())) - {module_of(path)})
        }
        assert found == {}

    def test_public_classes_have_names_of_their_own(self) -> None:
        """Nested classes do not count: the outer class's name is part of theirs."""
        classes = Counter(
            name
            for path in self.files
            if (place := path.relative_to(ROOT).as_posix()).startswith(PACKAGES)
            and place.endswith(".py")
            and not place.endswith("_pb2.py")
            for name in re.findall(r"^class ([A-Za-z]\w*)", path.read_text(), re.MULTILINE)
        )
        shared = {name: count for name, count in classes.items() if count > 1 and name not in FRAMEWORK_NAMES}
        assert shared == dict.fromkeys(SHARED_NAMES, 2)

    def test_lock_files_name_hashes_and_no_addresses(self) -> None:
        for lock in ROOT.glob("requirements*.lock"):
            text = lock.read_text()
            assert "://" not in text
            assert "--hash=sha256:" in text

    def test_lock_files_hold_what_the_project_asks_for(self) -> None:
        locked = {
            line.partition("==")[0]
            for line in (ROOT / "requirements-dev.lock").read_text().splitlines()
            if "==" in line
        }
        run_time = {
            line.partition("==")[0]
            for line in (ROOT / "requirements.lock").read_text().splitlines()
            if "==" in line
        }
        assert run_time <= locked
        assert {"django", "djangorestframework", "psycopg", "gymnasium", "celery"} <= run_time

    def test_no_file_outside_the_rooms_of_compilers_names_one(self) -> None:
        """Pages, API, command line, runner and the package's core know compilers by what they register."""
        rooms = tuple(
            f"envs/optarena/{name}"
            for name in (
                *ROOMS,
                "deploy",  # what builds with clang take
                "machine_code",
                "wrappers",
                "datasets/builtin",
                "__init__.py",
                "envs.py",
                "native.py",
            )
        )
        apart = (*rooms, "datasets/suites", "datasets/builder", "leaderboard/static/optarena/vendor")
        names = re.compile("|".join(room for room in ROOMS if room != "generators"), re.IGNORECASE)
        found = {
            str(path): sorted(set(names.findall(text)))
            for path in self.files
            if (place := path.relative_to(ROOT).as_posix()).startswith(
                ("leaderboard", "runner", "datasets", "envs")
            )
            and not place.startswith(apart)
            and path.suffix in (".py", ".html", ".js", ".css")
            and names.search(text := path.read_text())
        }
        assert found == {}
