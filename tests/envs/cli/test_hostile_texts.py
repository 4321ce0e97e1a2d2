"""What a server, a file, a variable or a plug-in says cannot control the terminal, whatever the command."""

from __future__ import annotations

import copy
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import pytest
from click.testing import CliRunner, Result

from optarena.cli import main
from optarena.datasets import datasets
from optarena.documents.texts import is_printable
from optarena.replay import replay
from optarena.specs import environment_spec
from tests.kit.dataset_server import make_dataset
from tests.kit.scripted_server import JSON, Answer, serving

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.specs.results import ReplayResult

# A title, C0, C1, DEL, an override of the direction, a separator of lines, and markup of rich.
HOSTILE: Final = "\x1b]0;x\x07\x1b[2J\x9b31m\x7f\r\v\x85\u202e\u2028\n[/bold][link=x]:x:[bold"
STYLING: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")  # of rich itself, on a terminal
QUICKSORT: Final = "benchmark://kernels-v0/quicksort"
SPEC: Final = environment_spec("llvm-ic-v0")
ID: Final = "0f0e0d0c-0b0a-4900-8800-070605040302"
ENTRY: Final = {
    "agent": "a",
    "owner": "o",
    "score": 1.0,
    "against_reference": "equal to -Oz",
    "verified": 1,
    "total": 1,
    "submission": ID,
    "rank": 1,
    "rank_high": 2,
    "unranked": "why",
}
BOARD: Final = {
    "slug": "x",
    "environment": SPEC.slug,
    "environment_digest": "0" * 64,
    "dataset": "kernels-v0",
    "benchmarks": [QUICKSORT],
    "metric": "ir_instructions",
    "hardware_class": "c",
    "entries": 1,
    "leaders": [ENTRY],
}
STANDINGS: Final = {
    "results": [ENTRY],
    "pending": [ENTRY],
    "virtual_best": ENTRY,
    "references": [{"label": "-Oz", "score": 1.0, "against_reference": "equal"}],
    "next": None,
    "provisional": True,
    "provisional_notice": "Not yet.",
}
SUBMISSION: Final = {
    **ENTRY,
    "id": ID,
    "url": "http://x",
    "board": "x",
    "state": "verified",
    "coverage": 1.0,
    "progress": {"done": 1, "total": 1},
    "wait": {"text": "Soon.", "position": 1},
    "effort": {"compilations": 1, "walltime_seconds": 1.0, "trained_on_test_set": False},
    "items": 1,
}
UNRANKED: Final = {**SUBMISSION, "score": None, "rank": None, "rank_high": None}
COMMANDLINE: Final = SPEC.commandline([0, 1])
ITEM: Final = {
    "position": 0,
    "benchmark": QUICKSORT,
    "commandline": COMMANDLINE,
    "reward": None,
    "walltime": 1.0,
    "claims": {"ir_instructions": 1},
    "verdict": "verified",
    "value": 1.0,
    "ratio": 1.0,
    "reason": {"id": "env:crash", "meaning": "m", "detail": "d", "remedy": "r"},
    "claim_status": {"ir_instructions": "differs", HOSTILE: "differs"},
}
COLUMN: Final = {"letter": "A", "label": "a", "geometric_mean": 1.0, "wins": 1, **ENTRY}
COMPARISON: Final = {
    "board": "b",
    "common": 1,
    "columns": [COLUMN],
    "pairs": [{"one": "A", "other": "B", "wins": 1, "ties": 0, "losses": 0}],
    "results": [{"benchmark": "b", "cells": [{"ratio": 1.0}], "winner": "A"}],
    "next": "/further",
}
PORTABLE: Final = {
    **SUBMISSION,
    "entry": ID,
    "why": "why",
    "page_url": "http://x",
    "replays": 2,
    "ended_replays": 1,
    "unverified": 1,
    "programs": [{"is_drawn": True}],
    "score_interval": [1.0, 2.0],
    "report_score": 1.0,
    "sequences": 1,
    "round_ends_at": "2026-11-30T00:00:00Z",
}
PORTABLE_BOARD: Final = {
    "rows": [PORTABLE],
    "sealed": [PORTABLE],
    "environment": SPEC.slug,
    "environment_digest": "0" * 64,
}
LISTED: Final = {"slug": "x", "environment": "e", "dataset": "d", "programs": 1, "entries": 1}
DATASET: Final = {
    "name": "x-v0",
    "kind": "stored",
    "licence": "MIT",
    "licences": ["MIT"],
    "title": "t",
    "benchmark_count": 1,
    "deprecated": "Use another.",
}
PROBLEM: Final = {
    "title": "Wrong",
    "detail": "This.",
    "remedy": "Do.",
    "errors": [{"field": "f", "row": 1, "value": "v", "message": "m", "remedy": "r"}],
}
TOKEN: Final = {"token": "t"}


def page(*rows: object) -> dict[str, object]:
    return {"results": list(rows), "next": None}


Answers = dict[str, Any]
Replayed = Callable[..., Result]
# Without these a command ends before it has printed the others.
NEEDED: Final = frozenset(["next", "state", "id", "environment", "environment_digest", "username"])
SUBMISSIONS: Final[Answers] = {
    "submissions/": page(SUBMISSION, UNRANKED),
    f"submissions/{ID}/": SUBMISSION,
    "/items/": page(ITEM),
    "auth/me/": {"username": "o"},
    "boards/x/": BOARD,
    "queue/": {"hardware_classes": [{"name": "c", "stuck": True}]},
}
SENT: Final[Answers] = SUBMISSIONS | {"submissions/": SUBMISSION}
ENTRIES: Final[Answers] = {
    "portable/": {"results": [LISTED]},
    "portable/x/": PORTABLE_BOARD,
    "portable/entries/": PORTABLE,
    "auth/me/": {"username": "o"},
}
# The words of a command, and what the server answers to paths that have a text: to the longest.
COMMANDS: Final[list[tuple[str, Answers]]] = [
    ("boards", {"boards/": page(BOARD)}),
    ("board x", {"boards/x/": STANDINGS}),
    ("compare level:Oz virtual-best --board b", {"compare/": COMPARISON}),
    ("status", SUBMISSIONS),
    (f"status {ID}", SUBMISSIONS),
    (f"status {ID}", SUBMISSIONS | {f"submissions/{ID}/": UNRANKED}),
    (f"status {ID[:8]}", {"submissions/": page(SUBMISSION, SUBMISSION | {"id": ID[::-1]})}),
    (f"download {ID}", SUBMISSIONS),
    (f"withdraw {ID} --yes", SUBMISSIONS | {"/withdraw/": SUBMISSION}),
    (f"edit {ID} --walltime 3", SUBMISSIONS | {"/edit/": SUBMISSION}),
    ("submit FILE --board x --agent a", SENT),
    ("submit FILE --board x --agent a --key k", SENT | {"submissions/": SUBMISSION | {"state": "withdrawn"}}),
    ("submit FILE --board x --agent a --dry-run", SENT | {"submissions/validate/": SUBMISSION}),
    ("submit FILE --board x --agent a --wait", SENT),
    ("signup o --password p", {"": TOKEN}),
    ("token o --password p", {"": TOKEN}),
    ("login o --password p", {"": TOKEN}),
    ("datasets list --server URL", {"datasets/": page(DATASET)}),
    ("portfolio submit list-v0 --board x --agent a", ENTRIES),
    ("portfolio submit list-v0 --board x --agent a --wait", ENTRIES),
    ("portfolio board x", ENTRIES),
    ("portfolio board", ENTRIES),
    ("portfolio status", ENTRIES),
    (f"portfolio status {ID}", ENTRIES),
    (f"portfolio withdraw {ID} --yes", ENTRIES),
]


def leaves(document: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], object]]:
    if isinstance(document, dict | list):
        for key, child in document.items() if isinstance(document, dict) else enumerate(document):
            yield from leaves(child, (*path, key))
    else:
        yield path, document


def spoilt(document: dict[str, Any], *paths: tuple[Any, ...]) -> dict[str, Any]:
    document = copy.deepcopy(document)
    for *parents, last in paths:
        place = document
        for key in parents:
            place = place[key]
        place[last] = HOSTILE
    return document


def all_spoilt(document: dict[str, Any]) -> dict[str, Any]:
    return spoilt(document, *(path for path, _ in leaves(document)))


class Told:
    """A command beside a server, whose answers may change from run to run."""

    def __init__(self, words: str, tmp_path: Path) -> None:
        self.words, self.file = words, tmp_path / "states.csv"
        self.file.write_text(f'benchmark,commandline\n{QUICKSORT},"{COMMANDLINE}"\n')
        self.answers: Answers = {}
        self.status = 200
        self.used: set[str] = set()

    def answer(self, _: int, path: str) -> Answer:
        used = max((one for one in self.answers if one in path), key=len, default=None)
        self.used |= set() if used is None else {used}
        return self.status, JSON, json.dumps({} if used is None else self.answers[used]).encode()

    def run(self, url: str, answers: Answers, **env: str) -> Result:
        self.answers = answers
        words = [{"FILE": str(self.file), "URL": url}.get(word, word) for word in self.words.split()]
        variables = {"OPTARENA_URL": url, "OPTARENA_TOKEN": "t", "OPTARENA_DEBUG": "0", **env}
        return CliRunner().invoke(main, words, env=variables)


def check(result: Result, *, styling: bool = False) -> None:
    assert result.exit_code in {0, 1, 2}, result.output
    assert "Traceback" not in result.output
    assert "This is a bug" not in result.output
    for text in (result.stdout, result.stderr):
        seen = STYLING.sub("", text) if styling else text
        assert not {one for one in seen if one != "\n" and not is_printable(one)}, ascii(text)


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPTARENA_SITE_DATA", str(tmp_path / "site"))
    monkeypatch.setenv("OPTARENA_CACHE", str(tmp_path / "cache"))
    for module in ("server", "portfolio"):
        monkeypatch.setattr(f"optarena.cli.{module}.WAIT_SECONDS", 0.0)


VALIDATED: Final = ("validate FILE --board llvm-ic --repeats 1", {"boards/": BOARD})
EACH: Final = pytest.mark.parametrize(("words", "answers"), COMMANDS, ids=[words for words, _ in COMMANDS])


@EACH
def test_no_answer_controls_the_terminal(words: str, answers: Answers, tmp_path: Path) -> None:
    told = Told(words, tmp_path)
    with serving(told.answer) as server:
        good = told.run(server.url, answers)
        assert "cannot be used" not in good.output, good.output
        texts = [path for path, one in leaves(answers) if isinstance(one, str) and path[-1] not in NEEDED]
        check(told.run(server.url, spoilt(answers, *texts)))
        check(told.run(server.url, spoilt(answers, *texts), FORCE_COLOR="1"), styling=True)
        check(told.run(server.url, all_spoilt(answers)))
        told.status = 422
        check(told.run(server.url, {"": all_spoilt(PROBLEM)}))


@pytest.mark.soak
@pytest.mark.parametrize(("words", "answers"), [*COMMANDS, VALIDATED], ids=str)
def test_no_field_of_an_answer_controls_the_terminal(words: str, answers: Answers, tmp_path: Path) -> None:
    told = Told(words, tmp_path)
    with serving(told.answer) as server:
        told.run(server.url, answers)
        for path, _ in leaves({name: answers[name] for name in told.used}):
            check(told.run(server.url, spoilt(answers, path)))


@pytest.fixture(scope="module")
def result() -> ReplayResult:
    made = replay(environment=SPEC, benchmark=datasets().benchmark(QUICKSORT), actions=[0, 1])
    return replace(made, sandbox={})


def item_of(result: ReplayResult, **changes: object) -> dict[str, Any]:
    return {
        "environment": SPEC.slug,
        "benchmark": QUICKSORT,
        "benchmark_sha256": result.benchmark_sha256,
        "action_space": "",
        "actions": list(result.actions),
        "verdict": "verified",
        "result": result.as_dict() | changes,
    }


@pytest.fixture
def replayed(tmp_path: Path, result: ReplayResult, monkeypatch: pytest.MonkeyPatch) -> Iterator[Replayed]:
    """What `optarena replay` ends with for an item; the replay here was made once."""
    monkeypatch.setattr("optarena.cli.replay.run", lambda **_: result)
    told = Told(f"replay URL/submissions/{ID}/items/0/", tmp_path)
    with serving(told.answer) as server:
        told.words = told.words.replace("URL", server.url)
        yield lambda item, **env: told.run(server.url, {"": item}, **env)


def test_no_field_of_a_replay_controls_the_terminal(replayed: Replayed, result: ReplayResult) -> None:
    item = item_of(result)
    assert replayed(item).exit_code == 0
    for path, _ in leaves(item):
        check(replayed(spoilt(item, path)))
    check(replayed(spoilt(item, ("result", "digest")), FORCE_COLOR="1"), styling=True)
    check(replayed(item | {"result": None, "verdict": HOSTILE}))
    check(replayed(item | {"result": HOSTILE}))
    check(replayed(item_of(result, metrics={**result.metrics, HOSTILE: 1})))


def test_items_that_are_closed_are_named_and_the_others_used(
    result: ReplayResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("optarena.cli.replay.run", lambda **_: result)
    kept = {"commandline": None, "actions": None, "result": None, "opens_at": "2030-01-02T03:04:05Z"}
    items = [ITEM | item_of(result) | {"position": n, "commandline": COMMANDLINE} for n in range(3)]
    items[1] |= kept
    answers: Answers = {f"items/{n}/": one for n, one in enumerate(items)} | {"/items/": page(*items)}
    all_closed = answers | {"/items/": page(*(one | kept for one in items)), "items/0/": items[0] | kept}
    alone = f"submissions/{ID}/items/1/"
    with serving((told := Told("", tmp_path)).answer) as server:
        for words, output in ((f"replay URL/submissions/{ID}/", "equal"), (f"download {ID}", QUICKSORT)):
            told.words = words.replace("URL", server.url)
            done = told.run(server.url, answers)
            assert (done.exit_code, done.stdout.count(output)) == (0, 2), done.output
            where = f"item 1 ({QUICKSORT}): you may not read it: it opens on 2030-01-02"
            assert done.stderr == f"warning: {where}\n"
            done = told.run(server.url, all_closed)
            assert done.exit_code == 2
            assert re.fullmatch(r"error: You may not read .*: it opens on 2030-01-02\..*\n", done.stderr)
        for command in ("replay", "plot"):
            told.words = f"{command} {server.url}/{alone}"
            done = told.run(server.url, answers)
            assert done.exit_code == 2
            assert "You may not read the actions of this item: it opens on 2030-01-02." in done.stderr
        assert server.asked[-1][2] == "Bearer t"


def test_a_replay_says_what_was_compared_and_what_was_not(replayed: Replayed, result: ReplayResult) -> None:
    known = ", ".join(result.metrics)
    whole = f"equal: 2 steps, 2 metrics ({known}), {len(result.workloads)} workload"
    assert whole in replayed(item_of(result)).stdout
    first, second = result.metrics
    fewer = {first: result.metrics[first], "beauty": 3}
    told = replayed(item_of(result, metrics=fewer, measurement={"metrics": [first]}, version=3))
    assert told.exit_code == 0, told.output
    assert f"equal: 2 steps, 1 metric ({first}), " in told.stdout
    assert "not compared: 1 metric (beauty), which only the server has" in told.stdout
    assert f"not compared: 1 metric ({second}), which only this machine has" in told.stdout
    wrong = replayed(item_of(result, metrics={first: 1}, measurement={"metrics": [first]}, version=3))
    assert wrong.exit_code == 1
    assert f"differs: metrics.{first} is 1 on the server" in wrong.stdout
    # The server has deleted the steps to save space.
    pruned = replayed(item_of(result, steps=[], pruned={"digest": "x"}))
    assert "equal: 2 metrics" in pruned.stdout
    assert "not compared: 2 steps, which only this machine has" in pruned.stdout
    nothing = replayed(item_of(result, steps=[], metrics={}, workloads=[])).stdout
    assert "equal" not in nothing
    assert nothing.count("not compared: ") == 3


STATES: Final = f'benchmark,commandline\n{QUICKSORT},"{COMMANDLINE}"\n'
ESCAPED: Final = json.dumps(HOSTILE)
FILES: Final[list[tuple[str, str, str]]] = [
    *(
        (command, "x.csv", content)
        for command in ("validate x.csv", "replay x.csv", "show x.csv", "minimise x.csv", "plot x.csv")
        for content in (
            f'benchmark,commandline\n"{HOSTILE}","{COMMANDLINE}"\n',
            f'benchmark,commandline\n{QUICKSORT},"{HOSTILE}"\n',
            f'benchmark,commandline,"{HOSTILE}"\n{QUICKSORT},"{COMMANDLINE}",1\n',
            f'benchmark,commandline,reward\n{QUICKSORT},"{COMMANDLINE}","{HOSTILE}"\n',
            json.dumps([{HOSTILE: HOSTILE, "benchmark": QUICKSORT, "commandline": HOSTILE}]),
        )
    ),
    ("minimise x.csv", "x.run.json", json.dumps({HOSTILE: HOSTILE, "run": HOSTILE})),
    ("submit x.csv --board x --agent a", "x.run.json", json.dumps({"version": HOSTILE})),
    ("portfolio join x.toml --env llvm-ic-v0 --output y", "x.toml", f"name = {ESCAPED}\n{ESCAPED} = 1\n"),
    (f"search ppo --benchmark {QUICKSORT} --evaluations 1 --policy x.json", "x.json", f"{{{ESCAPED}: 1}}"),
    ("status", "site/logins.json", f"{{{ESCAPED}: 1}}"),
    ("show x.c", "x.c", f"#error {HOSTILE!r}\nint \x1b[2J\x07;\n"),
]


@pytest.mark.parametrize(
    ("words", "name", "content"),
    FILES,
    ids=[f"{words.split()[0]}-{name}-{number}" for number, (words, name, _) in enumerate(FILES)],
)
def test_no_file_controls_the_terminal(
    words: str, name: str, content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.csv").write_text(STATES)
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(content)
    done = CliRunner().invoke(main, words.split(), env={"OPTARENA_TOKEN": None, "OPTARENA_DEBUG": None})
    assert done.exit_code == 2, done.output
    check(done)


def test_no_installed_dataset_controls_the_terminal(tmp_path: Path) -> None:
    manifest = make_dataset(tmp_path / "site/datasets/mine-v0", "one") / "manifest.json"
    whole = json.loads(manifest.read_text())
    for path, _ in leaves(whole):
        manifest.write_text(json.dumps(spoilt(whole, path)))
        for words in ("list", "describe mine-v0", "describe mine-v0 one", "cite mine-v0", "sample mine-v0"):
            check(CliRunner().invoke(main, ["datasets", *words.split()]))


PLUGIN: Final = f"""
from optarena.errors import InvalidInput
raise InvalidInput({HOSTILE!r})
"""


@pytest.mark.parametrize(
    ("words", "variables"),
    [
        (["boards"], {"OPTARENA_URL": f"http://{HOSTILE}"}),
        (["boards", "--url", "http://x"], {"OPTARENA_TOKEN": HOSTILE}),
        (["gcc"], {"OPTARENA_GCC": HOSTILE}),
        (["validate", HOSTILE], {}),
        (["boards", f"--{HOSTILE}"], {}),
        ([HOSTILE], {}),
    ],
    ids=ascii,
)
def test_no_variable_and_no_word_controls_the_terminal(words: list[str], variables: dict[str, str]) -> None:
    done = CliRunner().invoke(main, words, env={"OPTARENA_DEBUG": None, **variables})
    assert done.exit_code == 2, done.output
    check(done)


@pytest.mark.parametrize(
    ("words", "variable", "value"),
    [
        (["envs"], "OPTARENA_PLUGINS", "hostile_plugin"),
        (["envs"], "OPTARENA_PLUGINS", HOSTILE),
        (["boards", "--url", f"http://{HOSTILE}"], "OPTARENA_DEBUG", "1"),
    ],
    ids=["plug-in", "its name", "trace"],
)
def test_no_plug_in_and_no_trace_controls_the_terminal(
    words: list[str], variable: str, value: str, tmp_path: Path
) -> None:
    (tmp_path / "hostile_plugin.py").write_text(PLUGIN)
    path = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-m", "optarena", *words],
        env={**os.environ, "PYTHONPATH": path, "OPTARENA_DEBUG": "", variable: value},
        capture_output=True,
        check=False,
    )
    said = done.stderr.decode()
    assert done.returncode in {1, 2}, said
    assert r"\x1b" in said
    assert not {one for one in said if one != "\n" and not is_printable(one)}, ascii(said)


def test_json_has_the_same_text_without_control_characters(tmp_path: Path) -> None:
    told = Told("boards --json", tmp_path)
    with serving(told.answer) as server:
        done = told.run(server.url, {"boards/": page(BOARD | {"slug": HOSTILE})})
    check(done)
    assert json.loads(done.stdout)[0]["slug"] == HOSTILE
