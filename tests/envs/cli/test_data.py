"""``optarena data``: makes, lists and loads releases, and writes Minari datasets whose environments work."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import minari
import numpy as np
import pytest
from click.testing import CliRunner, Result

import optarena.data
from optarena.cli import main
from optarena.data.minari_datasets import write_minari
from optarena.datasets import datasets
from optarena.errors import InvalidInput
from optarena.specs import environment_spec
from optarena.state import EnvState, write_states

if TYPE_CHECKING:
    from pathlib import Path

SPEC = environment_spec("llvm-ic-v0")
URIS = ("benchmark://kernels-v0/sudoku", "benchmark://kernels-v0/chacha")
NAMES = ("mem2reg", "mem2reg", "instcombine")
ACTIONS = [next(i for i, name in enumerate(SPEC.action_table.names) if name.startswith(one)) for one in NAMES]


def run(*args: object) -> Result:
    return CliRunner().invoke(main, ["data", *(str(arg) for arg in args)], env={"OPTARENA_DEBUG": None})


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folders, with a file of states of two programs."""
    for name in ("OPTARENA_SITE_DATA", "OPTARENA_CACHE", "MINARI_DATASETS_PATH"):
        monkeypatch.setenv(name, str(tmp_path / name))
    states = [
        EnvState(benchmark=uri, commandline=SPEC.commandline(ACTIONS[: len(ACTIONS) - at]))
        for at, uri in enumerate(URIS)
    ]
    (tmp_path / "states.csv").write_text(write_states(states, format="csv"))
    return tmp_path


def exported(home: Path) -> None:
    done = run("export", "mine-v0", home / "states.csv", "--nproc", 1)
    assert done.exit_code == 0, done.output
    assert "5 steps are in" in done.stdout


def test_results_become_a_release_that_is_listed_and_loaded(home: Path) -> None:
    exported(home)
    rows = json.loads(run("list", "--json").stdout)
    row = next(one for one in rows if one["name"] == "mine-v0")
    assert (row["steps"], row["follows"]) == (5, "")
    loaded = json.loads(run("load", "mine-v0", "--json").stdout)
    assert loaded["rows"] == {"programs": 2, "entries": 2, "states": loaded["rows"]["states"], "steps": 5}
    assert loaded["sha256"] == row["sha256"]
    assert "optarena.data.load" in run("load", "mine-v0").stdout
    entries = optarena.data.load("mine-v0").entries.to_pylist()
    assert [one["origin"] for one in entries] == ["states.csv/2", "states.csv/1"], "in the order of programs"
    assert all(one["agent"] == "states" and one["environment_digest"] == SPEC.digest for one in entries)
    for one in entries:
        uri = URIS[int(one["origin"].rpartition("/")[2]) - 1]
        baseline = datasets().benchmark(uri).baseline("ir_instructions", "Oz")
        assert one["ratio"] == pytest.approx(baseline / one["value"])


@pytest.mark.parametrize("names", ["Autophase", "Autophase,InstCountNorm"])
def test_a_minari_dataset_has_what_an_agent_would_have_seen(home: Path, names: str) -> None:
    exported(home)
    done = run("minari", "mine-v0", "--observations", names, "--nproc", 2)
    assert done.exit_code == 0, done.output
    assert "optarena/mine-v0 has 2 episodes with 5 steps" in done.stdout
    dataset = minari.load_dataset("optarena/mine-v0")
    env = dataset.recover_environment()
    assert env.observation_space == dataset.observation_space
    by_program = {row["actions"]: row["program"] for row in optarena.data.load("mine-v0").entries.to_pylist()}
    uris = optarena.data.load("mine-v0").programs["uri"].to_pylist()
    for episode in dataset.iterate_episodes():
        observation, _ = env.reset(options={"benchmark": uris[by_program[len(episode.actions)]]})
        for at, action in enumerate(episode.actions):
            assert observation in dataset.observation_space
            stored = (
                {name: values[at] for name, values in episode.observations.items()}
                if "," in names
                else episode.observations[at]
            )
            for one in observation if "," in names else [...]:
                assert np.array_equal(observation[one], stored[one])
            observation, reward, *_ = env.step(int(action))
            assert reward == pytest.approx(episode.rewards[at])
        assert episode.truncations.tolist() == [False] * (len(episode.actions) - 1) + [True]
    env.close()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("minari", "mine-v0", "--observations", "Autofase"), "Did you mean 'Autophase'"),
        (("minari", "mine-v0", "--observations", ","), "There is no observation"),
        (
            ("minari", "mine-v0", "--observations", "Autophase", "--split", "test"),
            "no sequences of llvm-ic-v0",
        ),
        (
            ("minari", "mine-v0", "--observations", "Autophase", "--env", "gcc-v0"),
            "sequences are of llvm-ic-v0",
        ),
        (("minari", "mine-v0", "--observations", "Autophase", "--id", "a b"), "is not an id of Minari"),
        (("load", "mine-v1", "--url", "http://127.0.0.1:1"), "mine-v1 was not downloaded before"),
        (("load", "../mine-v0"), "There is no release"),
        (("export", "Mine", "states.csv"), "'Mine' is not a name"),
        (("export", "mine-v0", "states.csv"), "A release never changes: choose another name"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    home: Path, arguments: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("optarena.client._FIRST_PAUSE_SECONDS", 0.0)
    exported(home)
    monkeypatch.chdir(home)
    done = run(*arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_minari_dataset_has_no_sequence_without_actions(home: Path) -> None:
    states = [EnvState(benchmark=URIS[0], commandline=SPEC.commandline(one)) for one in ((), ACTIONS)]
    (home / "states.csv").write_text(write_states(states, format="csv"))
    assert run("export", "mine-v0", home / "states.csv", "--nproc", 1).exit_code == 0
    assert optarena.data.load("mine-v0").entries.num_rows == 2
    done = run("minari", "mine-v0", "--observations", "Autophase", "--nproc", 1)
    assert "optarena/mine-v0 has 1 episode with 3 steps" in done.stdout


def test_a_minari_dataset_is_whole_or_not_there(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    exported(home)
    data = optarena.data.load("mine-v0")
    column = data.entries.schema.get_field_index("environment_digest")
    older = data.entries.set_column(column, "environment_digest", [["0" * 64] * data.entries.num_rows])
    stale = optarena.data.tables.StepData(data.programs, older, data.states, data.steps)
    with pytest.raises(InvalidInput, match="is of version 000000000000 of llvm-ic-v0; this is"):
        write_minari(stale, "optarena/mine-v0", observations=["Autophase"])

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("minari.dataset.minari_storage.MinariStorage.update_metadata", stop)
        with pytest.raises(KeyboardInterrupt):
            write_minari(data, "optarena/mine-v0", observations=["Autophase"])
    with pytest.raises(KeyboardInterrupt):
        write_minari(data, "optarena/mine-v0", observations=["Autophase"], on_progress=stop)
    assert "optarena/mine-v0" not in minari.list_local_datasets()
    assert run("minari", "mine-v0", "--observations", "Autophase").exit_code == 0
    assert "exists. Choose another id" in run("minari", "mine-v0", "--observations", "Autophase").stderr
