"""Policies that were trained before: small networks as plain arrays, which numpy alone runs.

A policy is two files. ``NAME.json`` says what it is: the actions that it chooses among, what it observes, the
shapes of its layers, and what it was trained on. ``NAME.npz`` beside it holds the arrays. Neither can run
code: arrays of Python objects, which are pickles, are refused before anything of them is read.
"""

from __future__ import annotations

import hashlib
import io
import itertools
import json
import lzma
import tokenize
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.lib import format as npy

from optarena.agents.known_sequences import version
from optarena.documents import kinds
from optarena.documents.kinds import Field
from optarena.documents.loading import json_document
from optarena.errors import InvalidInput
from optarena.suggestions import unknown_name

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from optarena.actions import ActionTable
    from optarena.agents.trials import WalkSoFar
    from optarena.training.episodes import TrainingPlan

OBSERVATION: Final = "Autophase"
# How many numbers the observation has.
FEATURES: Final = 56
# Logarithms of counts reach 15 or so; the other inputs are about 1.
_FEATURE_SCALE: Final = 0.1


def input_size(features: int, actions: int) -> int:
    """How many numbers a network sees."""
    return features + actions + 1


def policy_input(
    shape: Policy | TrainingPlan, features: ArrayLike, taken: Iterable[int]
) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return the inputs: shape (features + actions + 1,).

    A walk may be longer than an episode; then nothing is left of it.
    """
    actions = np.fromiter(taken, np.int64)
    left = max(0, shape.length - len(actions)) / shape.length
    scaled = _FEATURE_SCALE * np.log1p(np.asarray(features, np.float64))
    counts = np.log1p(np.bincount(actions, minlength=shape.actions))
    return np.concatenate([scaled, counts, [left]]).astype(np.float32)


Array = np.ndarray[Any, np.dtype[np.float64]]
FORMAT: Final = 1
FOLDER: Final = Path(__file__).parent / "tables"
# Policies of this package have some 20,000.
MOST_WEIGHTS: Final = 1_000_000
_MOST_BYTES: Final = 1_000_000
# Bytes that a file of an array may have beside its numbers.
_HEADER: Final = 1_000
_LAYERS: Final = 8
# What reading an archive raises that is damaged, or made to be so.
_NO_ARCHIVE: Final = (
    *(zipfile.BadZipFile, KeyError, NotImplementedError, RuntimeError, EOFError),
    *(OSError, zlib.error, lzma.LZMAError),
)
# What numpy raises for a header that it cannot read.
_NO_HEADER: Final = (ValueError, TypeError, OverflowError, SyntaxError, tokenize.TokenError)
_NAME: Final = kinds.text(longest=100)
_TEXT: Final = kinds.text(longest=2_000, is_optional=True)
_SIZE: Final = kinds.number(low=1, high=MOST_WEIGHTS, is_whole=True)
_KNOWN: Final = kinds.record({"name": Field(_NAME, needed=True), "sha256": Field(_NAME, needed=True)})
_FILE: Final = kinds.record(
    {
        "format": Field(kinds.number(low=FORMAT, high=FORMAT, is_whole=True), needed=True),
        "name": Field(_NAME, needed=True),
        "table": Field(_NAME, needed=True),
        "environment_digest": Field(kinds.text(longest=64), needed=True),
        "observation": Field(_NAME, needed=True),
        "features": Field(_SIZE, needed=True),
        "length": Field(kinds.number(low=1, high=1_000, is_whole=True), needed=True),
        "layers": Field(kinds.list_of(_SIZE, least=2), needed=True),
        "arrays_sha256": Field(kinds.text(longest=64), needed=True),
        "trained_on": Field(kinds.list_of(_TEXT), needed=True),
        "known": Field(kinds.list_of(_KNOWN), needed=True),
        "description": Field(_TEXT, needed=True),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Policy:
    """A policy.

    Attributes:
        environment_digest: The version of the environment that it was trained in.
        observation: The observation space that it looks at: numbers that are not negative.
        features: How many numbers that space has.
        length: The number of actions of an episode.
        layers: Weights of shape (inputs, outputs) and biases of shape (outputs,) of dense layers, with
            ``tanh`` between them. The last one gives the logits of the actions.
        trained_on: URIs of the programs that it, or the known sequences that it began with, learned from.
        known: Those known sequences: their names and the hashes of their files.
        sha256: Of the JSON file, which has the hash of the arrays; empty until there is one.
    """

    name: str
    table: str
    environment_digest: str
    observation: str
    features: int
    length: int
    layers: tuple[tuple[Array, Array], ...] = field(repr=False)
    trained_on: tuple[str, ...] = field(default=(), repr=False)
    known: tuple[dict[str, str], ...] = ()
    description: str = ""
    sha256: str = ""

    def probabilities(self, steps: Iterable[WalkSoFar]) -> Array:
        """Return the probabilities of all actions at some points of walks: shape (points, actions).

        They are computed with 64 bits, so that other machines draw the same actions in spite of rounding.
        """
        points = list(steps)
        rows = [policy_input(self, point.observation, point.actions) for point in points]
        values = np.stack(rows).astype(np.float64)
        for weights, bias in self.layers[:-1]:
            values = np.tanh(values @ weights + bias)
        weights, bias = self.layers[-1]
        logits = values @ weights + bias
        for row, point in zip(logits, points, strict=True):
            if len(point.useless) < len(row):
                row[list(point.useless)] = -np.inf
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares: Array = odds / odds.sum(axis=1, keepdims=True)
        return shares

    @property
    def actions(self) -> int:
        """How many actions it chooses among."""
        return len(self.layers[-1][1])


def read_policy(path: Path, table: ActionTable) -> Policy:
    """The policy in a JSON file and the arrays beside it.

    Raises:
        InvalidDocument: The JSON file is not one; every problem is listed.
        InvalidInput: The policy is of another action table, or the arrays are too large, or not those that it
            describes.
        OSError: A file cannot be read.
    """
    data, arrays = _bytes(path, _MOST_BYTES), _bytes(path.with_suffix(".npz"), 8 * MOST_WEIGHTS)
    values = _FILE.require(json_document(data, field=path.name))
    if values["table"] != table.name:
        message = f"{path.name} chooses among the actions of {values['table']}, not of {table.name}."
        remedy = f"Name a policy for {table.name}, or choose another environment."
        raise InvalidInput(message, field="table", value=values["table"], remedy=remedy)
    if (values["observation"], values["features"]) != (OBSERVATION, FEATURES):
        message = f"{path.name} looks at {values['features']} numbers of {values['observation']}."
        remedy = f"Policies look at the {FEATURES} numbers of {OBSERVATION}."
        raise InvalidInput(message, field="observation", value=values["observation"], remedy=remedy)
    _check_sizes(values, len(table.names), path)
    if values.pop("arrays_sha256") != hashlib.sha256(arrays).hexdigest():
        raise _refused(path, "are not those that were saved with it")
    sizes = values.pop("layers")
    del values["format"]
    values |= {name: tuple(values[name]) for name in ("trained_on", "known")}
    layers = _layers(arrays, sizes, path)
    return Policy(**values, layers=layers, sha256=hashlib.sha256(data).hexdigest())


def builtin_policy(table: ActionTable, name: str = "") -> Policy | None:
    """A policy of this package for an action table, the newest if no name is given; None without one."""
    path = next((one for one in _builtin(table.name) if name in {"", one.stem}), None)
    return None if path is None else read_policy(path, table)


def find_policy(name: str, table: ActionTable) -> Policy:
    """The policy of this package with a name, else that in a JSON file.

    Raises:
        UnknownName: There is neither.
        InvalidDocument, InvalidInput, OSError: As for ``read_policy``.
    """
    found = builtin_policy(table, name)
    if found is not None:
        return found
    if not Path(name).is_file():
        raise unknown_name("file or policy", name, [one.stem for one in _builtin(table.name)])
    return read_policy(Path(name), table)


def _builtin(table_name: str) -> list[Path]:
    every = sorted(FOLDER.glob("*.json"), key=lambda path: version(path.stem), reverse=True)
    return [one for one in every if json_document(one.read_bytes(), field=one.name)["table"] == table_name]


def write_policy(policy: Policy) -> tuple[str, bytes]:
    """A policy's JSON document, and the bytes of its arrays; the same policy gives the same ones."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, array in _named(policy.layers):
            member = io.BytesIO()
            npy.write_array(member, np.ascontiguousarray(array, np.float32), allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), member.getvalue())
    arrays = buffer.getvalue()
    fields = ("name", "table", "environment_digest", "observation", "features", "length", "description")
    document = {
        "format": FORMAT,
        **{name: getattr(policy, name) for name in fields},
        "layers": [len(policy.layers[0][0]), *(len(bias) for _, bias in policy.layers)],
        "arrays_sha256": hashlib.sha256(arrays).hexdigest(),
        "known": list(policy.known),
        "trained_on": list(policy.trained_on),
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n", arrays


def _named(layers: tuple[tuple[Array, Array], ...]) -> list[tuple[str, Array]]:
    return [
        (f"{name}{at}", one)
        for at, pair in enumerate(layers)
        for name, one in zip(("weights", "bias"), pair, strict=True)
    ]


def _check_sizes(values: dict[str, Any], actions: int, path: Path) -> None:
    sizes = values["layers"]
    needed = (input_size(values["features"], actions), actions)
    if (sizes[0], sizes[-1]) != needed or len(sizes) > _LAYERS:
        message = f"The layers of {path.name} lead from {sizes[0]:,} numbers to {sizes[-1]:,}."
        remedy = f"They must lead from {needed[0]} to {needed[1]}, by at most {_LAYERS} sizes."
        raise InvalidInput(message, field="layers", value=sizes[:_LAYERS], remedy=remedy)
    weights = sum(before * after for before, after in itertools.pairwise(sizes))
    if weights > MOST_WEIGHTS:
        message = f"The layers of {path.name} have {weights:,} weights."
        remedy = f"A policy has at most {MOST_WEIGHTS:,}."
        raise InvalidInput(message, field="layers", value=sizes, remedy=remedy)


def _layers(data: bytes, sizes: tuple[int, ...], path: Path) -> tuple[tuple[Array, Array], ...]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return tuple(
                (
                    _array(archive, f"weights{at}.npy", pair, path),
                    _array(archive, f"bias{at}.npy", pair[1:], path),
                )
                for at, pair in enumerate(itertools.pairwise(sizes))
            )
    except _NO_ARCHIVE as error:
        raise _refused(path, f"cannot be read: {error}") from error


def _array(archive: zipfile.ZipFile, name: str, shape: tuple[int, ...], path: Path) -> Array:
    # Its type and shape are checked before its numbers are read.
    most = 4 * int(np.prod(shape)) + _HEADER
    if archive.getinfo(name).file_size > most:
        raise _refused(path, f"are too large: {name} has {archive.getinfo(name).file_size:,} bytes")
    with archive.open(name) as file:
        data = file.read(most + 1)
    numbers, found = _header(data, name, path)
    if found != (shape, False, np.dtype(np.float32)):
        raise _refused(
            path, f"have another shape: {name} is {found[0]} of {found[2]}, not {shape} of float32 in C order"
        )
    if len(numbers) != 4 * int(np.prod(shape)):
        raise _refused(path, f"have another size: {name} has {len(numbers)} bytes of numbers")
    array = np.frombuffer(numbers, np.float32).reshape(shape)
    if not np.isfinite(array).all():
        raise _refused(path, f"have values that are not numbers, in {name}")
    values: Array = array.astype(np.float64)
    return values


def _header(data: bytes, name: str, path: Path) -> tuple[bytes, tuple[tuple[int, ...], bool, np.dtype[Any]]]:
    # numpy's own reader would make room for as many numbers as a header says. Returns the bytes behind the
    # header, and the array's shape, whether it is in Fortran's order, and its type.
    file = io.BytesIO(data)
    try:
        if npy.read_magic(file) != (1, 0):
            raise ValueError("the format has another version")
        header = npy.read_array_header_1_0(file)
    except _NO_HEADER as error:
        raise _refused(path, f"cannot be read as plain numbers: {name}: {error}") from error
    return data[file.tell() :], header


def _bytes(path: Path, most: int) -> bytes:
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        message, remedy = f"{path} has more than {most:,} bytes.", "Name the JSON file of a policy."
        raise InvalidInput(message, field="policy", value=str(path), remedy=remedy)
    return data


def _refused(path: Path, why: str) -> InvalidInput:
    remedy = "Save the policy again, or name another one."
    return InvalidInput(
        f"The arrays beside {path.name} {why}.", field="policy", value=str(path), remedy=remedy
    )
