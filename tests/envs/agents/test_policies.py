"""Policies, portfolios and prefixes: nothing but plain numbers for the right actions is read."""

from __future__ import annotations

import hashlib
import io
import json
import random
import tracemalloc
import zipfile
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from optarena.agents.known_sequences import (
    FOLDER,
    builtin_portfolio,
    find_portfolio,
    parse_portfolio,
    read_portfolio,
)
from optarena.agents.policies import Policy, builtin_policy, input_size, read_policy, write_policy
from optarena.agents.trials import PrefixNode, WalkSoFar
from optarena.datasets import BUILTIN, datasets
from optarena.errors import InvalidDocument, InvalidInput, UnknownName
from optarena.specs import environment_spec
from optarena.specs.benchmark import BenchmarkUri

if TYPE_CHECKING:
    from pathlib import Path

SPEC = environment_spec("llvm-ic-v0")
ACTIONS = len(SPEC.action_table.names)
FEATURES = 56


def made(*, hidden: int = 8, seed: int = 0) -> Policy:
    rng, sizes = np.random.default_rng(seed), (input_size(FEATURES, ACTIONS), hidden, ACTIONS)
    shapes = [sizes[at : at + 2] for at in range(len(sizes) - 1)]
    layers = tuple(
        (rng.integers(-9, 9, shape).astype(np.float64), rng.integers(-9, 9, shape[1]).astype(np.float64))
        for shape in shapes
    )
    return Policy(
        name="made-v0",
        table=SPEC.action_table.name,
        environment_digest=SPEC.digest,
        observation="Autophase",
        features=FEATURES,
        length=45,
        layers=layers,
        trained_on=("benchmark://kernels-v0/sha256",),
        known=({"name": "portfolio-v0", "sha256": "0" * 64},),
        description="Made by a test.",
    )


def saved(folder: Path, policy: Policy | None = None) -> Path:
    path = folder / "policy.json"
    document, arrays = write_policy(policy or made())
    path.write_text(document)
    path.with_suffix(".npz").write_bytes(arrays)
    return path


def changed(path: Path, **fields: Any) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))


def with_member(path: Path, name: str, array: Any, *, compression: int = zipfile.ZIP_STORED) -> None:
    """Put another array, or bytes, into a policy's file, and have the document say that it belongs there."""
    arrays = path.with_suffix(".npz")
    with zipfile.ZipFile(arrays) as archive:
        members = {one: archive.read(one) for one in archive.namelist()}
    if not isinstance(array, bytes):
        member = io.BytesIO()
        np.save(member, array, allow_pickle=True)
        array = member.getvalue()
    members[name] = array
    with zipfile.ZipFile(arrays, "w", compression) as archive:
        for one, data in members.items():
            archive.writestr(one, data)
    changed(path, arrays_sha256=hashlib.sha256(arrays.read_bytes()).hexdigest())


HEADER = "{{'descr': '<f4', 'fortran_order': False, 'shape': ({},), }}"


def with_header(text: str) -> bytes:
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


class Canary:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return open, (str(self.path), "w")


def test_a_policy_is_read_as_it_was_written(tmp_path: Path) -> None:
    policy, path = made(), saved(tmp_path)
    read = read_policy(path, SPEC.action_table)
    for field in ("name", "table", "observation", "length", "trained_on", "known", "description"):
        assert getattr(read, field) == getattr(policy, field)
    assert read.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    point = WalkSoFar((3, 5), (True, True), np.arange(FEATURES))
    assert np.array_equal(read.probabilities([point]), policy.probabilities([point]))
    assert write_policy(read) == write_policy(policy)


def test_an_action_without_effect_is_not_chosen_until_the_program_changes() -> None:
    policy, features = made(), np.arange(FEATURES)
    actions, effects = (7, 3, 5), (True, False, False)
    [odds] = policy.probabilities([WalkSoFar(actions, effects, features)])
    assert odds.sum() == pytest.approx(1)
    assert [action for action in range(ACTIONS) if odds[action] == 0] == [3, 5]
    [odds] = policy.probabilities([WalkSoFar((*actions, 9), (*effects, True), features)])
    assert odds.all()


def test_where_nothing_has_an_effect_everything_may_be_chosen() -> None:
    every = tuple(range(ACTIONS))
    [odds] = made().probabilities([WalkSoFar(every, (False,) * ACTIONS, np.zeros(FEATURES))])
    assert np.isfinite(odds).all()


def test_the_policy_of_the_package_is_for_its_actions() -> None:
    policy = builtin_policy(SPEC.action_table)
    assert policy.actions == ACTIONS
    assert policy.environment_digest == SPEC.digest
    assert builtin_policy(environment_spec("llvm-unsafe-v0").action_table) is None


@pytest.mark.parametrize(
    ("name", "array", "said"),
    [
        ("weights0.npy", np.zeros((4, 8), np.float32), "another shape: weights0.npy"),
        ("bias1.npy", np.zeros(ACTIONS, np.int32), "another shape: bias1.npy"),
        ("bias1.npy", np.full(ACTIONS, np.nan, np.float32), "values that are not numbers, in bias1"),
        ("bias0.npy", np.full(8, np.inf, np.float32), "values that are not numbers, in bias0"),
        ("bias0.npy", np.zeros(250_000_000 // 8, np.float32), "too large: bias0.npy has 125,000,"),
        ("bias0.npy", b"\x93NUMPY", "cannot be read as plain numbers: bias0"),
        ("bias0.npy", with_header("{'descr': ("), "cannot be read as plain numbers: bias0"),
        ("bias0.npy", with_header("{[]: 1}"), "cannot be read as plain numbers: bias0"),
        ("bias0.npy", with_header(HEADER.format(10**13)), "another shape: bias0.npy is"),
        ("bias0.npy", with_header(HEADER.format(10**30)), "another shape: bias0.npy is"),
        ("bias0.npy", with_header(HEADER.format(8)), "another size: bias0.npy has 0 bytes"),
    ],
    ids=["shape", "type", "nan", "infinite", "large", "short", "open", "key", "memory", "overflow", "empty"],
)
def test_arrays_of_something_else_are_refused(tmp_path: Path, name: str, array: Any, said: str) -> None:
    path = saved(tmp_path)
    with_member(path, name, array, compression=zipfile.ZIP_DEFLATED)
    with pytest.raises(InvalidInput, match=said):
        read_policy(path, SPEC.action_table)


def test_pickled_objects_are_refused_before_they_run(tmp_path: Path) -> None:
    path, canary = saved(tmp_path), tmp_path / "canary"
    with_member(path, "bias0.npy", np.array([Canary(canary)], dtype=object))
    with pytest.raises(InvalidInput, match=r"bias0\.npy is \(1,\) of object"):
        read_policy(path, SPEC.action_table)
    assert not canary.exists()


@pytest.mark.parametrize(
    ("fields", "error", "said"),
    [
        ({"table": "gcc-v0"}, InvalidInput, "actions of gcc-v0, not of llvm-passes-v0"),
        ({"layers": [161, 16_000, 16_000, ACTIONS]}, InvalidInput, "weights"),
        ({"layers": [160, 8, ACTIONS]}, InvalidInput, "lead from 160 numbers to 104"),
        ({"layers": [161, 8, 7]}, InvalidInput, "lead from 161 numbers to 7"),
        ({"layers": [161, 9, ACTIONS]}, InvalidInput, "another shape: weights0"),
        ({"layers": [161, *[8] * 9, ACTIONS]}, InvalidInput, "at most 8 sizes"),
        ({"layers": [161, 8, 8, ACTIONS]}, InvalidInput, "too large: weights1"),
        ({"observation": "Ir"}, InvalidInput, "looks at 56 numbers of Ir"),
        ({"features": 70, "layers": [175, 8, ACTIONS]}, InvalidInput, "looks at 70 numbers of Autophase"),
        ({"arrays_sha256": "0" * 64}, InvalidInput, "not those that were saved with it"),
        ({"format": 2}, InvalidDocument, "format"),
        ({"length": 0}, InvalidDocument, "length"),
        ({"layers": "many"}, InvalidDocument, "layers"),
    ],
)
def test_a_document_that_does_not_fit_is_refused(
    tmp_path: Path, fields: dict[str, Any], error: type[InvalidInput], said: str
) -> None:
    path = saved(tmp_path)
    changed(path, **fields)
    with pytest.raises(error, match=said):
        read_policy(path, SPEC.action_table)


@pytest.mark.parametrize("compression", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_archive_that_is_damaged_is_refused(tmp_path: Path, compression: int) -> None:
    path = saved(tmp_path)
    with_member(path, "more.npy", b"", compression=compression)
    arrays = path.with_suffix(".npz")
    data = bytearray(arrays.read_bytes())
    data[60:240] = b"\xff" * 180
    arrays.write_bytes(data)
    changed(path, arrays_sha256=hashlib.sha256(data).hexdigest())
    with pytest.raises(InvalidInput, match="cannot be read"):
        read_policy(path, SPEC.action_table)


def test_a_file_that_is_no_archive_or_is_missing_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path, replace(made(), name="other-v0"))
    arrays = path.with_suffix(".npz")
    arrays.write_bytes(b"no archive")
    changed(path, arrays_sha256=hashlib.sha256(b"no archive").hexdigest())
    with pytest.raises(InvalidInput, match="cannot be read: File is not a zip file"):
        read_policy(path, SPEC.action_table)
    with arrays.open("wb") as file:
        file.truncate(1_000_000_000)
    with pytest.raises(InvalidInput, match="more than 8,000,000 bytes"):
        read_policy(path, SPEC.action_table)
    arrays.unlink()
    with pytest.raises(FileNotFoundError):
        read_policy(path, SPEC.action_table)


TABLE = environment_spec("llvm-ic-v0").action_table
GOOD = """
name = "mine-v0"
kind = "portfolio"
table = "llvm-passes-v0"
[[sequence]]
actions = "sroa gvn"
origin = "benchmark://kernels-v0/quicksort"
added = 0.25
"""


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.toml")), ids=lambda path: path.stem)
def test_each_file_of_the_package_is_one(path: Path) -> None:
    portfolio = read_portfolio(path, TABLE)
    assert portfolio.name == path.stem
    assert builtin_portfolio(TABLE, portfolio.kind) is not None
    here = [uri for uri in portfolio.trained_on if (BUILTIN / BenchmarkUri.parse(uri).dataset).is_dir()]
    for uri in here:
        assert datasets().benchmark(uri).split in {"train", ""}, "it must not know what it is tried on"


def test_no_name_is_no_portfolio() -> None:
    with pytest.raises(UnknownName, match="single-v0"):
        find_portfolio("", TABLE)


def test_a_portfolio_has_its_sequences_in_order() -> None:
    portfolio = parse_portfolio(GOOD.encode(), TABLE)
    [one] = portfolio.sequences
    assert [TABLE.names[action] for action in one.actions] == ["sroa", "gvn"]
    assert (one.origin, one.added) == ("benchmark://kernels-v0/quicksort", 0.25)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name = ", "not TOML"),
        (GOOD.replace("sroa gvn", "sroa gvm"), "'gvm'"),
        (GOOD.replace("sroa gvn", ""), "missing"),
        (GOOD.replace("0.25", "nan"), "finite"),
        (GOOD.replace('kind = "portfolio"', "kind = 3"), "text"),
        (GOOD.replace("llvm-passes-v0", "stack-rewrites-v0"), "stack-rewrites-v0"),
        (GOOD.split("[[", maxsplit=1)[0], "sequence"),
        (GOOD + "weights = 3\n", "weights"),
        (GOOD + GOOD[GOOD.index("[[") :] * 50, "51 sequences"),
    ],
)
def test_what_is_wrong_with_a_portfolio_is_said(text: str, said: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_portfolio(text.encode(), TABLE)
    problems = caught.value.problems if isinstance(caught.value, InvalidDocument) else [caught.value]
    assert any(said in f"{one.field} {one.message} {one.value} {one.remedy}" for one in problems)


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.toml"
    with path.open("wb") as file:
        file.truncate(1 << 30)
    with pytest.raises(InvalidInput, match="more than 1,000,000 bytes"):
        read_portfolio(path, TABLE)


PREFIXES = 20_000
MOST_BYTES = 400


def test_a_prefix_takes_at_most_400_bytes() -> None:
    drawn = random.Random(0)  # noqa: S311 # not a secret
    tracemalloc.start()
    try:
        nodes = [PrefixNode(1e6)]
        before, _ = tracemalloc.get_traced_memory()
        while len(nodes) < PREFIXES:
            node = drawn.choice(nodes)
            for action in drawn.choices(range(104), k=12):
                made = PrefixNode(float(drawn.randrange(10**6)), seconds=drawn.random())
                node = node.follow(action, made)
                nodes += [node] * (node is made)
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert 100 < (after - before) / PREFIXES < MOST_BYTES
