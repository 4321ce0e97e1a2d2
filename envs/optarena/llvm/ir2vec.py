"""Embeddings by LLVM's IR2Vec (VenkataKeerthy et al., ACM TACO 2020): what vocabularies make of counts.

LLVM's symbolic embedding of a function is a sum over its instructions, so a vocabulary and the counts of
``Ir2vecCounts`` suffice for it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

import gymnasium
import numpy as np

from optarena.documents import kinds
from optarena.documents.kinds import Field
from optarena.documents.loading import document_error, json_document
from optarena.errors import InvalidInput
from optarena.llvm.feature_names import (
    IR2VEC_NAMES,
    IR2VEC_OPERANDS,
    IR2VEC_PREDICATES,
    IR2VEC_TYPES,
    OPCODES,
)

Array = np.ndarray[Any, np.dtype[np.float64]]

BUILTIN: Final = Path(__file__).parent / "tables" / "ir2vec-v0.json"
"""The package's vocabulary, which ``benchmarks/ir2vec_vocabulary.py`` trained."""
BUILTIN_SHA256: Final = "e1c27c4d8242259b0651fef76aa9b13ebaf31d97d5b79441111ddf043f0afde3"
BUILTIN_SIZE: Final = 75
# LLVM's weights. Its sections, each with the names that it may have, are in the order of IR2VEC_NAMES.
_SECTIONS: Final[Mapping[str, tuple[float, tuple[str, ...]]]] = {
    "Opcodes": (1.0, tuple(OPCODES)),
    "Types": (0.5, IR2VEC_TYPES),
    "Arguments": (0.2, (*IR2VEC_OPERANDS, *IR2VEC_PREDICATES)),
}
# LLVM's own of 75 numbers an entry has 91 kB.
_MOST_BYTES: Final = 10_000_000
_VECTORS: Final = kinds.map_of(kinds.list_of(kinds.number(), least=1))
_FILE: Final = kinds.record({name: Field(_VECTORS, needed=True) for name in _SECTIONS})


@dataclass(frozen=True, slots=True, eq=False)
class Ir2vecVocabulary:
    """What each entry of ``optarena.llvm.feature_names.IR2VEC_NAMES`` adds to an embedding.

    Attributes:
        vectors: Of each entry, weighted as in LLVM: shape (110, size).
        missing: Entries that the file lacks. They add nothing, as in LLVM.
    """

    vectors: Array = field(repr=False)
    missing: tuple[str, ...] = ()

    @property
    def space(self) -> gymnasium.spaces.Box:
        """The space of embeddings: float32 of shape (size,)."""
        return gymnasium.spaces.Box(-np.inf, np.inf, self.vectors.shape[1:], np.float32)

    def embed(self, counts: Any) -> np.ndarray[Any, np.dtype[np.float32]]:  # noqa: ANN401 # whatever numpy makes an array of
        """The embedding of a program or a function, or of several.

        Args:
            counts: Values of ``Ir2vecCounts``: shape (…, 110).

        Returns:
            Shape (…, size), computed with 64 bits and rounded to 32.

        Raises:
            InvalidInput: The counts are of another shape.
        """
        numbers: Array = np.asarray(counts, np.float64)
        if numbers.shape[-1:] != (len(IR2VEC_NAMES),):
            message = f"The counts have the shape {numbers.shape}; the last axis must be {len(IR2VEC_NAMES)}."
            remedy = f"Give Ir2vecCounts, or Ir2vecFunctionCounts as counts.reshape(-1, {len(IR2VEC_NAMES)})."
            raise InvalidInput(message, field="counts", value=numbers.shape, remedy=remedy)
        embedded: Array = numbers @ self.vectors
        return embedded.astype(np.float32)


def read_ir2vec_vocabulary(path: Path | str) -> Ir2vecVocabulary:
    """The vocabulary in a JSON file of LLVM 22's format, as ``llvm-ir2vec --ir2vec-vocab-path`` reads it.

    Names that LLVM does not know have no effect, as in LLVM: its own vocabularies have one.

    Raises:
        InvalidDocument: The file is not a vocabulary.
        OSError: The file cannot be read.
    """
    path = Path(path)
    with path.open("rb") as file:
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        message = f"{path.name} has more than {_MOST_BYTES:,} bytes."
        raise document_error(path.name, message, "Name the JSON file of a vocabulary of IR2Vec.")
    return _vocabulary(data, path.name)


@cache
def builtin_ir2vec_vocabulary() -> Ir2vecVocabulary:
    """The vocabulary of this package, of 75 numbers for each entry.

    Raises:
        InvalidInput: The file was changed after the package was made.
    """
    data = BUILTIN.read_bytes()
    if (found := hashlib.sha256(data).hexdigest()) != BUILTIN_SHA256:
        message = f"{BUILTIN} is not the vocabulary of this package."
        remedy = "Install OptArena again; read_ir2vec_vocabulary reads vocabularies of your own."
        raise InvalidInput(message, field="vocabulary", value=found, remedy=remedy)
    return _vocabulary(data, BUILTIN.name)


def _vocabulary(data: bytes, name: str) -> Ir2vecVocabulary:
    sections = _FILE.require(json_document(data, field=name))
    sizes = {len(vector) for section in sections.values() for vector in section.values()}
    for section, (_, known) in _SECTIONS.items():
        if not sections[section].keys() & set(known):
            message = f"{section} of {name} has none of LLVM's names, such as {known[0]}."
            remedy = "Give a vocabulary of LLVM 22; those of other versions and of the project IR2Vec differ."
            raise document_error(section, message, remedy)
    if len(sizes) != 1:
        message = f"The vectors of {name} have different sizes: {', '.join(map(str, sorted(sizes)[:5]))}."
        raise document_error(name, message, "Give vectors of one size.", sorted(sizes)[:5])
    [size] = sizes
    entries = [
        (weight, sections[section].get(entry))
        for section, (weight, known) in _SECTIONS.items()
        for entry in known
    ]
    vectors = np.array([np.zeros(size) if one is None else weight * np.array(one) for weight, one in entries])
    vectors.setflags(write=False)  # all observations share them
    return Ir2vecVocabulary(
        vectors=vectors,
        missing=tuple(
            entry for entry, (_, vector) in zip(IR2VEC_NAMES, entries, strict=True) if vector is None
        ),
    )
