"""``optarena datasets``: what is listed, described, cited and installed, and that errors are one line."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from optarena.cli import main
from optarena.cli.datasets import MOST_ROWS
from optarena.datasets import BUILTIN, Dataset, FilesDataset, ParametricDataset, dataset, datasets
from optarena.specs import canonical_json
from tests.kit.dataset_server import DatasetServer, make_dataset, serving

if TYPE_CHECKING:
    from pathlib import Path


NOBODY = "http://127.0.0.1:9"


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty cache and an empty folder of installed datasets; what fails is not tried again."""
    monkeypatch.setenv("OPTARENA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("OPTARENA_SITE_DATA", str(tmp_path / "site"))
    monkeypatch.setattr("optarena.datasets.remote._answers", {})
    monkeypatch.setattr("optarena.client.RETRIES", 0)
    for name in ("OPTARENA_URL", "OPTARENA_TOKEN", "OPTARENA_DEBUG"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[DatasetServer]:
    with serving(make_dataset(tmp_path / "made/remote-v0", "one", "two", "sub/three")) as known:
        yield known


def run(*args: object) -> Result:
    return CliRunner().invoke(main, ["datasets", *map(str, args)])


def output(*args: object) -> str:
    result = run(*args)
    assert result.exit_code == 0, result.output
    return result.stdout


def only_line(*args: object) -> str:
    result = run(*args)
    assert result.exit_code == 2, result.output
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1, lines
    return lines[0]


def installed(folder: Path, name: str, *names: str) -> Path:
    return make_dataset(folder / "site/datasets" / name, *names)


def test_a_list_is_json_if_it_is_asked_for() -> None:
    listed = json.loads(output("list", "--json"))
    assert [one["name"] for one in listed] == list(datasets().names)
    (kernels,) = [one for one in listed if one["name"] == "kernels-v0"]
    assert kernels == {
        "name": "kernels-v0",
        "benchmarks": len(datasets()["kernels-v0"]),
        "kind": "stored",
        "licence": "MIT",
        "licences": ["MIT"],
        "title": "Kernels",
        "deprecated": "",
    }


def test_deprecated_ones_are_listed_if_it_is_asked_for(tmp_path: Path) -> None:
    folder = installed(tmp_path, "old-v0", "one")
    (folder / "deprecated.json").write_text('{"reason": "Wrong.", "successor": "new-v1"}')
    assert "old-v0" not in output("list")
    assert "deprecated: Wrong. Use new-v1 instead." in output("list", "--all")
    assert "old-v0" not in output("list", "--json")
    assert "Wrong. Use new-v1" in output("describe", "old-v0")


def test_those_of_a_server_are_listed(server: DatasetServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server.add(BUILTIN / "kernels-v0")
    server.deprecated["kernels-v0"] = "Old."
    (line,) = output("list", "--server", server.url).splitlines()[1:]
    assert line.split()[:5] == ["remote-v0", "3", "stored", "2", "licences"]
    assert "kernels-v0" in output("list", "--server", server.url, "--all")
    monkeypatch.setenv("OPTARENA_URL", server.url)
    assert "remote-v0" in output("list", "--server")
    assert "remote-v0" not in output("list")


def test_a_server_that_does_not_answer_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("optarena.client.time.sleep", lambda _: None)
    assert f"{NOBODY} does not answer" in only_line("list", "--server", NOBODY)
    assert "host:port" in only_line("list", "--server", "nonsense")


def test_a_dataset_is_described_with_its_facts(tmp_path: Path) -> None:
    installed(tmp_path, "facts-v0", "one", "two", "three")
    told = output("describe", "facts-v0")
    for expected in (
        "licences     MIT 2, Zlib 1",
        "domains      sorting 2, hashing 1",
        "splits       train 2, test 1",
        "toolchain    clang 22.1.8",
        "released     2026-11-21",
        "upstream     https://arena.example.org/",
    ):
        assert expected in told
    assert all(f"benchmark://facts-v0/{name}" in told for name in ("one", "two", "three"))


def test_a_large_dataset_is_summarised(tmp_path: Path) -> None:
    names = [f"p{number}" for number in range(MOST_ROWS + 1)]
    installed(tmp_path, "large-v0", *names)
    told = output("describe", "large-v0")
    assert len(told.splitlines()) < 40
    assert re.search(r"sorting +21 +0 +21", told)
    assert re.search(r"hashing +0 +20 +20", told)
    assert re.search(r"bytes of the program +1000 +1000 +1000", told)
    assert re.search(r"ir_instructions +-O0 +100 +120 +140", told)
    assert "benchmark://large-v0/p7" not in told
    assert "benchmark://large-v0/p7" in output("describe", "large-v0", "--benchmarks")


@pytest.mark.parametrize("words", [("kernels-v0", "quicksort"), ("benchmark://kernels-v0/quicksort",)])
def test_a_benchmark_is_described(words: tuple[str, ...]) -> None:
    told = output("describe", *words)
    one = datasets()["kernels-v0"].benchmark("quicksort")
    assert one.uri in told
    assert one.sha256 in told
    assert re.search(r"ir_instructions +1745", told)
    assert all(workload.name in told for workload in one.workloads)


def test_a_benchmarks_origin_is_told(tmp_path: Path) -> None:
    installed(tmp_path, "facts-v0", "one")
    told = output("describe", "facts-v0/one")
    assert "package      lz4" in told
    assert "files        a.c b.c" in told
    assert re.search(r"w +1 2 +0 +2 +0", told)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("kernel-v0",), "'kernels-v0'"),
        (("units-v0",), "There is no dataset 'units-v0'. The known ones are: "),
        (("programs-v0/nosuch",), "programs-v0/nosuch'. The known ones are: argon2, bcrypt, blosc, "),
        (("kernels-v0", "quick"), "quicksort"),
        (("kernels-v0/quick",), "quicksort"),
        (("loop_tool-cpu-v0/0",), "from 1 to"),
        (("a b/c",), "URI"),
        (("user-v0/x",), "make_benchmark"),
        (("file:///none.bc",), "cannot be read"),
        (("",), "no dataset"),
    ],
)
def test_what_there_is_not_is_one_line(words: tuple[str, ...], expected: str) -> None:
    assert expected in only_line("describe", *words)


def test_a_servers_dataset_is_described(server: DatasetServer) -> None:
    told = output("describe", "remote-v0", "--url", server.url)
    assert "benchmark://remote-v0/sub/three" in told
    assert "package      lz4" in output("describe", "remote-v0/two", "--url", server.url)
    assert server.count("/bitcode/") == 0
    assert "remote-v0" in only_line("describe", "remotes-v0", "--url", server.url)


def test_what_others_wrote_does_not_move_the_cursor(server: DatasetServer) -> None:
    raw = json.loads(server.manifests["remote-v0"])
    raw["title"] = "\x1b[2Jtitle [bold]x[/bold]"
    raw["benchmarks"][0]["source"] = {"\x1b]0;x\x07": "\x1b[31m"}
    server.manifests["remote-v0"] = json.dumps(raw).encode()
    for words in (("describe", "remote-v0"), ("describe", "remote-v0", "one"), ("cite", "remote-v0")):
        told = output(*words, "--url", server.url)
        assert "\x1b" not in told
        assert "\x07" not in told
    assert "[bold]x[/bold]" in told


def test_a_citation_names_what_makes_it_repeatable(server: DatasetServer) -> None:
    told = output("cite", "remote-v0", "--url", server.url)
    sha256 = json.loads(server.manifests["remote-v0"])["sha256"]
    text, _, bibtex = told.partition("\n\n")
    for expected in (
        "remote-v0",
        "2026-11-21",
        sha256,
        "MIT (2), Zlib (1)",
        f"{server.url}/datasets/remote-v0/",
    ):
        assert expected in text
    assert bibtex.startswith("@misc{remote-v0,\n")
    assert bibtex.rstrip().endswith("}")
    assert "title        = {{Remote \\& programs (remote-v0)}}" in bibtex
    assert "year         = {2026}" in bibtex
    assert bibtex.count("{") == bibtex.count("}")


@pytest.mark.parametrize("name", ["kernels-v0", "loop_tool-cpu-v0"])
def test_what_is_installed_is_cited_without_a_server(name: str) -> None:
    told = output("cite", name)
    assert "MIT" in told
    assert "year" not in told
    assert re.search(r"sha256 [0-9a-f]{64}", told)
    assert "kernels-v0" in only_line("cite", "kernel-v0")


def test_a_download_is_installed_and_says_how_to_use_it(server: DatasetServer, tmp_path: Path) -> None:
    told = output("download", "remote-v0", "--url", server.url)
    folder = tmp_path / "site/datasets/remote-v0"
    assert f"3 programs in {folder}" in told
    assert "datasets()['remote-v0']" in told
    assert datasets()["remote-v0"].benchmark("one").program() == server.programs["remote-v0", "one"]
    again = output("download", "remote-v0", "--url", server.url)
    assert f"already there: 3 programs in {folder}" in again
    assert server.count("/archive/") == 1


def test_a_download_goes_where_it_is_told(server: DatasetServer, tmp_path: Path) -> None:
    told = output("download", "remote-v0", "--to", tmp_path / "here", "--url", server.url)
    assert str(tmp_path / "here") in told
    assert len(Dataset.from_folder(tmp_path / "here")) == 3
    assert "remote-v0" not in datasets()
    (tmp_path / "full").mkdir()
    (tmp_path / "full/x").touch()
    line = only_line("download", "remote-v0", "--to", tmp_path / "full", "--url", server.url)
    assert str(tmp_path / "full") in line


def pasted(told: str, *more: str) -> str:
    """What the last line that a command printed makes of a new Python, and lines after it."""
    code = "\n".join([told.splitlines()[-1], *more])
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_the_usage_of_what_is_installed_can_be_pasted(server: DatasetServer, tmp_path: Path) -> None:
    told = output("download", "remote-v0", "--url", server.url)
    uses = "print(len(dataset), dataset.benchmark('one').uri)"
    assert pasted(told, uses) == "3 benchmark://remote-v0/one\n"
    again = output("download", "remote-v0", "--to", tmp_path / "site/datasets/remote-v0", "--url", server.url)
    assert again.splitlines()[-1] == told.splitlines()[-1]


@pytest.mark.soak
def test_the_usage_of_a_dataset_of_an_environment_can_be_pasted(server: DatasetServer) -> None:
    server.add(BUILTIN / "kernels-v0")
    told = output("download", "kernels-v0", "--url", server.url)
    assert "benchmark://kernels-v0/" in pasted(told, "print(env.reset()[1]['benchmark']); env.close()")


@pytest.mark.soak
def test_the_usage_of_what_lies_elsewhere_makes_its_uris_known(
    server: DatasetServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    uri = "benchmark://remote-v0/one"
    for _ in range(2):  # downloaded, and there already
        told = output("download", "remote-v0", "--to", "it's here", "--url", server.url)
        lines = ("from optarena.datasets import datasets", f"print(datasets().benchmark({uri!r}).uri)")
        assert pasted(told, "import os; os.chdir('/')", *lines) == f"{uri}\n"
    server.add(BUILTIN / "kernels-v0")
    told = output("download", "kernels-v0", "--to", tmp_path / "copy", "--url", server.url)
    assert "register" not in told  # the name is that of the package's own
    assert pasted(told, "print(len(dataset), dataset.folder)") == f"15 {tmp_path}/copy\n"


def test_what_is_installed_otherwise_is_not_hidden_nor_replaced(
    server: DatasetServer, tmp_path: Path
) -> None:
    server.add(BUILTIN / "kernels-v0")
    assert f"already there: 15 programs in {BUILTIN}" in output("download", "kernels-v0", "--url", server.url)
    shutil.copytree(BUILTIN / "kernels-v0", tmp_path / "site/datasets/mine-v0")
    server.add(make_dataset(tmp_path / "other/kernels-v0", "one"))
    assert "Another dataset is already installed" in only_line("download", "kernels-v0", "--url", server.url)


def test_of_a_generator_there_is_nothing_to_download(server: DatasetServer) -> None:
    own = datasets()["loop_tool-cpu-v0"]
    assert isinstance(own, ParametricDataset)
    server.manifests[own.name] = canonical_json(own.definition()).encode()
    assert "nothing to download" in output("download", own.name, "--url", server.url)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("remotes-v0", "'remote-v0'"),
        ("nonsense", "is not a dataset's name"),
        ("../x-v0", "is not a dataset's name"),
        ("", "is not a dataset's name"),
    ],
)
def test_a_name_that_a_server_does_not_have_is_one_line(
    name: str, expected: str, server: DatasetServer
) -> None:
    assert expected in only_line("download", name, "--url", server.url)


def test_a_damaged_download_is_one_line(server: DatasetServer, tmp_path: Path) -> None:
    server.archives["remote-v0"] = b"x" * 2000
    assert "cannot be read" in only_line("download", "remote-v0", "--url", server.url)
    assert list((tmp_path / "site/datasets").iterdir()) == []


def test_a_deprecated_download_is_told_and_noted(server: DatasetServer, tmp_path: Path) -> None:
    assert run("download", "remote-v0", "--url", server.url).stderr == ""
    server.deprecated["remote-v0"] = "Wrong. Use other-v0 instead."
    ended = run("download", "remote-v0", "--url", server.url)
    assert "already there" in ended.stdout
    assert "warning: The dataset remote-v0 is deprecated: Wrong. Use other-v0 instead." in ended.stderr
    assert datasets().deprecated[-1:] == ("remote-v0",)


def test_what_is_installed_is_not_cited_as_of_the_variables_server(
    server: DatasetServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPTARENA_URL", server.url)
    assert server.url not in output("cite", "kernels-v0")
    assert f"{server.url}/datasets/kernels-v0/" in output("cite", "kernels-v0", "--url", server.url)
    assert f"{server.url}/datasets/remote-v0/" in output("cite", "remote-v0")


def test_a_citation_tells_no_user_and_no_password(server: DatasetServer) -> None:
    told = output("cite", "remote-v0", "--url", server.url.replace("://", "://ada:secret@"))
    assert "secret" not in told
    assert "ada" not in told
    assert f"\\url{{{server.url}/datasets/remote-v0/}}" in told
    assert "{x}" not in output("cite", "kernels-v0", "--url", "http://a.example.org/{x}")


def test_every_change_of_a_version_is_shown(server: DatasetServer) -> None:
    raw = json.loads(server.manifests["remote-v0"])
    raw["changelog"] = [
        {"version": version, "date": "2026-11-21", "text": text}
        for version, text in (("remote-v0", "First."), ("remote-v0", "Second."), ("licence", "\x1b[2JThird."))
    ]
    server.manifests["remote-v0"] = json.dumps(raw).encode()
    told = output("describe", "remote-v0", "--url", server.url)
    assert all(text in told for text in ("First.", "Second.", "Third.", "licence      MIT"))
    assert "\x1b" not in told


def test_a_long_dataset_of_files_says_how_to_see_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(MOST_ROWS + 1):
        (tmp_path / f"p{number}.bc").write_bytes(b"BC")
    monkeypatch.setattr(dataset, "computed", [FilesDataset(tmp_path, "many-v0")])
    assert "--benchmarks" in output("describe", "many-v0")
    assert "p7.bc" in output("describe", "many-v0", "--benchmarks")
