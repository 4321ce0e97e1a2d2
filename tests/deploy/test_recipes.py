"""Recipes: read and written, where they come from, and everything that can be wrong with them."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from click.testing import CliRunner

from optarena.cli import main
from optarena.deploy import recipe as module
from optarena.deploy.recipe import LINK, SCHEMA_DOCUMENT, Recipe, parse_recipe, read_recipe, write_recipe
from optarena.deploy.sources import item_recipe, sequences_recipe
from optarena.errors import InvalidDocument

if TYPE_CHECKING:
    from tests.kit.builds import Work

SCHEMA = Path(module.__file__).with_name("recipe.schema.json")
STATES = """benchmark,commandline
benchmark://kernels-v0/sha256,opt -passes='function(sroa<modify-cfg>)' input.bc -o output.bc
benchmark://kernels-v0/sudoku,opt -passes='function(gvn)' input.bc -o output.bc
"""


def test_a_recipe_is_read_as_it_was_written(one: Recipe, eight: Recipe) -> None:
    for recipe in (one, eight):
        text = write_recipe(recipe)
        assert parse_recipe(text.encode()) == recipe
        jsonschema.validate(json.loads(text), SCHEMA_DOCUMENT)
    assert eight.rules[0].sequences[0].pipeline == "default<Oz>"
    assert all(sequence.origin["licence"] for sequence in eight.rules[0].sequences[1:])


def test_the_schema_is_the_one_in_force() -> None:
    assert json.loads(SCHEMA.read_text()) == SCHEMA_DOCUMENT


def broken(change: Callable[[Any], Any], recipe: Recipe) -> list[tuple[str, str]]:
    data = json.loads(write_recipe(recipe))
    change(data)
    with pytest.raises(InvalidDocument) as raised:
        parse_recipe(json.dumps(data).encode())
    return [(one.field, one.message) for one in raised.value.problems]


LEVEL = {"pipeline": "default<Oz>"}


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        (lambda data: data.update(llvm=19), "llvm", "for LLVM 19"),
        (lambda data: data.update(llvm=23), "llvm", "for LLVM 23"),
        (lambda data: data.update(schema=2), "schema", "reads schema 1"),
        (lambda data: data.update(level="O0"), "level", "one of O1"),
        (lambda data: data.update(table="llvm-unsafe-v0"), "table", "one of llvm-passes-v0"),
        (lambda data: data.pop("required"), "required", "missing"),
        (lambda data: data.update(other=1), "other", "no such field"),
        (lambda data: data["rules"].pop(), "rules", "must match every file"),
        (lambda data: data["rules"].clear(), "rules", "at least 1"),
        (lambda data: data["rules"].insert(1, data["rules"][0]), "rules[1].source", "Rule 0 already"),
        (
            lambda data: data["rules"].insert(1, {"source": "a/table.c", "sequences": [LEVEL]}),
            "rules[1].source",
            "Rule 0 already",
        ),
        (lambda data: data["rules"][0].update(sha256="0" * 64), "rules[0]", "one of source and sha256"),
        (lambda data: data["rules"][0].update(source="src/"), "rules[0].source", "end of a file's path"),
        (lambda data: data["rules"][0].update(scope=LINK), "rules[0].source", "no source"),
        (
            lambda data: data["rules"][0]["sequences"][0].update(actions=[0, 1]),
            "rules[0].sequences[0].pipeline",
            "differs from the actions",
        ),
        (
            lambda data: data["rules"][0]["sequences"][0].update(actions=[100_000]),
            "rules[0].sequences[0].actions",
            "no action 100000",
        ),
        (
            lambda data: data["rules"][0]["sequences"][0].update(actions=[[1, 2]]),
            "rules[0].sequences[0].actions",
            "not a number",
        ),
        (
            lambda data: data["rules"][1]["sequences"][0].update(pipeline="no-such-pass"),
            "rules[1].sequences[0].pipeline",
            "must be a level",
        ),
        (
            lambda data: data["rules"][1]["sequences"].extend([LEVEL] * 16),
            "rules[1].sequences",
            "may have 16",
        ),
    ],
)
def test_what_is_wrong_with_a_recipe_is_said_at_its_place(
    change: Callable[[Any], Any], field: str, message: str, one: Recipe
) -> None:
    found, said = broken(change, one)[0]
    assert found == field
    assert message in said


def test_everything_wrong_is_named_at_once(one: Recipe) -> None:
    def change(data: dict[str, Any]) -> None:
        data.update(llvm=19, level="O9", metric="speed")
        data["rules"][0]["sequences"][0]["pipeline"] = 7
        data["rules"].append(copy.deepcopy(data["rules"][1]) | {"sha256": "short"})

    fields = [field for field, _ in broken(change, one)]
    assert fields == ["level", "metric", "rules[0].sequences[0].pipeline", "rules[2].sha256", "llvm"]


@pytest.mark.parametrize("text", ["", "{", "[]", "7", "null", "\x00", '{"schema": 1}'])
def test_a_damaged_file_ends_in_one_line_for_each_problem(text: str, tmp_path: Path) -> None:
    (tmp_path / "recipe.json").write_text(text)
    command = ["deploy", "export", str(tmp_path / "recipe.json"), "--output", str(tmp_path / "out")]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 2
    assert done.stderr.startswith("error: ")
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("words", "rules"),
    [
        ([], [("*", 7)]),
        (["portfolio-v0"], [("*", 9)]),
        (["states.csv"], [("*", 3)]),
        (["states.csv", "--benchmark", "sudoku"], [("*", 2)]),
        (["states.csv", "--benchmark", "sudoku", "--source", "src/a.c"], [("src/a.c", 1), ("*", 1)]),
        (["states.csv", "--benchmark", "sudoku", "--scope", "link"], [("*", 1)]),
    ],
)
def test_where_recipes_come_from(
    words: list[str], rules: list[tuple[str, int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("states.csv").write_text(STATES)
    done = CliRunner().invoke(main, ["deploy", "recipe", *words, "--output", "recipe.json", "--level", "Os"])
    assert done.exit_code == 0, done.stderr
    made = read_recipe(Path("recipe.json"))
    assert [(one.source, len(one.sequences)) for one in made.rules] == rules
    assert {one.scope for one in made.rules} == {"link" if "link" in words else "unit"}
    first = made.rules[0].sequences[-1]
    assert first.origin["benchmark"].startswith("benchmark://")
    assert first.origin["licence"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere.csv"], "nowhere.csv"),
        (["nowhere.csv", "--env", "llvm-v0"], "no file or portfolio 'nowhere.csv'"),
        (["states.csv", "--scope", "link"], "at most 1 are tried"),
        (["states.csv", "--benchmark", "lz4"], "no row of lz4"),
        (["finer.csv"], "Builds take sequences of whole passes"),
        (["none.csv"], "has no actions"),
        (["http://127.0.0.1:9/elsewhere/"], "not the address of a submission"),
        (["http://127.0.0.1:9/boards/llvm-ic/build/#y"], "http://127.0.0.1:9 does not answer"),
        (["http://127.0.0.1:9/boards/llvm-ic/export/?format=recipe"], "http://127.0.0.1:9 does not answer"),
        (["http://127.0.0.1:9/boards/llvm-ic/?as_of=2026-11-01"], "takes a whole board of today"),
        (["http://127.0.0.1:9/boards/llvm-ic/build/?as_of=2026-11-01"], "takes a whole board of today"),
        (["http://127.0.0.1:9/boards/llvm-ic/", "--env", "llvm-v0"], "--env llvm-v0 says nothing about"),
        (["portfolio-v0", "--benchmark", "lz4"], "--benchmark lz4 says nothing about portfolio-v0"),
        (["http://127.0.0.1:9/submissions/0a0b0c0d-0000-0000-0000-000000000000/items/0/"], "127.0.0.1:9"),
    ],
)
def test_sources_of_recipes_that_cannot_be_used(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("states.csv").write_text(STATES)
    Path("finer.csv").write_text(
        "benchmark,commandline\nbenchmark://kernels-v0/sha256,llvm-functions sroa@0\n"
    )
    Path("none.csv").write_text(
        "benchmark,commandline\nbenchmark://kernels-v0/sha256,opt input.bc -o output.bc\n"
    )
    done = CliRunner().invoke(main, ["deploy", "recipe", *words, "--output", "recipe.json"])
    assert done.exit_code == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not Path("recipe.json").exists()


def test_a_sequence_for_speed_is_applied_since_a_build_cannot_compare_times(one: Recipe) -> None:
    sequence = one.rules[0].sequences[0]
    fast, small = (item_recipe(sequence, metric) for metric in ("runtime_seconds", "load_size_bytes"))
    assert (fast.level, [rule.sequences for rule in fast.rules]) == ("O3", [(sequence,)] * 2)
    assert (small.level, small.metric) == ("Oz", "load_size_bytes")
    assert [[pass_.pipeline for pass_ in rule.sequences] for rule in small.rules] == [
        ["default<Oz>", sequence.pipeline], [sequence.pipeline]
    ]  # fmt: skip
    for made in (fast, small):
        assert parse_recipe(write_recipe(made).encode()) == made


def test_one_sequence_twice_is_tried_once(one: Recipe) -> None:
    sequence = one.rules[0].sequences[0]
    assert len(sequences_recipe([sequence, sequence]).rules[0].sequences) == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--format", "link"], "no rule of scope link"),
        (["--clang", "clang-of-nowhere"], "not a program that can be started"),
        (["--clang", "gcc"], "made with clang 22"),
        (["--clang", "./old"], "clang 19.1.0, but programs are made with clang 22"),
        (["--clang", "./static"], "cannot build and load the plugin"),
    ],
)
def test_what_cannot_be_exported(
    work: Work, words: list[str], said: str, one: Recipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(work.folder)
    Path("recipe.json").write_text(write_recipe(one))
    for name, version in (("old", "19.1.0"), ("static", "22.1.8")):
        script = f"""#!/bin/sh
case "$*" in
  *--version*) echo clang version {version} ;;
  *-fpass-plugin*) echo 'error: unable to load plugin: undefined symbol: LLVMGetVersion' >&2; exit 1 ;;
  *) exec {work.clang} "$@" ;;
esac
"""
        Path(name).write_text(script)
        Path(name).chmod(0o755)
    done = CliRunner().invoke(main, ["deploy", "export", "recipe.json", "--output", "out", *words])
    assert done.exit_code == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
