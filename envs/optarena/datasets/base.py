"""What every dataset is to its users, wherever its benchmarks come from: files, or a computed range."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, TypeAlias, Union

from optarena.errors import InvalidInput, UnknownName
from optarena.specs import unknown_name
from optarena.specs.uri import DEFAULT_SCHEME, BenchmarkUri

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np

    from optarena.specs.benchmark import Benchmark, Kind

RandomState: TypeAlias = Union[int, random.Random, "np.integer", "np.random.Generator", None]


class BaseDataset(ABC):
    """A versioned, ordered set of benchmarks.

    ``Dataset`` has those of a manifest, ``ParametricDataset`` computes them, ``FilesDataset`` makes them of a
    folder's files.

    Attributes:
        name: Name with version: ``kernels-v0``.
        title: One line for people.
        description: A paragraph for people.
        licence: SPDX identifier of the dataset as a whole.
        kind: Where its benchmarks come from.
    """

    __slots__ = ()
    name: str
    title: str
    description: str
    licence: str
    kind: ClassVar[Kind]

    @property
    def deprecated(self) -> str:
        """Why it should not be used any more, and what instead; empty if nothing speaks against it."""
        return ""

    @property
    def splits(self) -> tuple[str, ...]:
        """The splits that it has benchmarks of: ``train``, ``validation``, ``test``; often none."""
        return ()

    def split(self, name: str) -> Sequence[Benchmark]:
        """The benchmarks of a split, in their order.

        Args:
            name: ``train``, ``validation`` or ``test``.

        Raises:
            UnknownName: There is none of this name; the message has those that there are.
        """
        if name in self.splits:
            return tuple(one for one in self if one.split == name)
        if self.splits:
            raise unknown_name(f"split of {self.name}", name, self.splits)
        message, remedy = f"{self.name} is not split.", "Use all of it, or choose from it yourself."
        raise UnknownName(message, field="split", value=name, remedy=remedy)

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def __contains__(self, uri: object) -> bool:
        """Whether ``benchmark(uri)`` finds one."""

    @abstractmethod
    def benchmark_at(self, index: int) -> Benchmark:
        """The benchmark at this place of the order, which begins at 0.

        Raises:
            IndexError: There are not so many.
        """

    @abstractmethod
    def benchmark(self, uri: str) -> Benchmark:
        """The benchmark with this URI, or with this path inside the dataset.

        Raises:
            UnknownName: There is none.
            InvalidInput: It is no URI and no path.
        """

    def __iter__(self) -> Iterator[Benchmark]:
        return map(self.benchmark_at, range(len(self)))

    def uris(self) -> Iterator[str]:
        """The URIs of its benchmarks, in their order."""
        return (benchmark.uri for benchmark in self)

    def random_benchmark(self, random_state: RandomState = None) -> Benchmark:
        """One of the benchmarks, each with the same probability.

        Args:
            random_state: A generator of numpy or of ``random``, from which one number is drawn; or a seed,
                with which the benchmark is the same every time; None for another one every time.

        Raises:
            InvalidInput: It is something else.
        """
        return self.benchmark_at(drawn(generator(random_state), len(self)))


def generator(random_state: RandomState) -> random.Random | np.random.Generator:
    """What random numbers are drawn from: the generator that is given, or one of a seed.

    Raises:
        InvalidInput: It is something else.
    """
    import numpy as np  # noqa: PLC0415 - whoever only lists datasets does without

    if isinstance(random_state, (random.Random, np.random.Generator)):
        return random_state
    seed = random_state.item() if isinstance(random_state, np.integer) else random_state
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int) or seed < 0):
        raise InvalidInput(
            f"random_state is {random_state!r:.100}.",
            field="random_state",
            value=random_state,
            remedy="Give a numpy.random.Generator, a random.Random, an integer from 0 on, or None.",
        )
    return np.random.default_rng(seed)


def drawn(state: random.Random | np.random.Generator, count: int) -> int:
    """A random number below ``count``."""
    return state.randrange(count) if isinstance(state, random.Random) else int(state.integers(count))


def uri_within(dataset: str, uri: str) -> BenchmarkUri:
    """What a URI, or a path inside a dataset, names.

    Raises:
        InvalidInput: It is neither.
    """
    uri = uri.strip(" ")
    path = uri.removeprefix(f"{dataset}/")
    return BenchmarkUri.parse(uri if "://" in uri else f"{DEFAULT_SCHEME}://{dataset}/{path}")


def checked_uri(uri: object) -> str:
    """A URI or path, which must be a text.

    Raises:
        InvalidInput: It is something else.
    """
    if isinstance(uri, str):
        return uri
    message = f"The benchmark is {uri!r:.200} ({type(uri).__name__})."
    raise InvalidInput(message, field="benchmark", value=uri, remedy="Give its URI as a text.")
