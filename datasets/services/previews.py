"""Previews of programs for their pages: the first lines of the text, and the features.

They are computed when a dataset is loaded, never for a request, in a session's own process: a program that
crashes the compiler loses its own preview and nothing else.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, NamedTuple

import optarena
from datasets import blobs, selectors
from datasets.models import Preview
from datasets.services.batches import batches
from optarena import datasets as package
from optarena.datasets.base import format_of
from optarena.errors import InvalidInput, OptArenaError, PlatformNotSupported

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from datasets.models import Benchmark, DatasetVersion
    from optarena import specs
    from optarena.env import CompilerEnv

HEAD_LINES: Final = 200
LINE_LENGTH: Final = 160
_THREADS: Final = 2
_BATCH: Final = 100


class Refused(NamedTuple):
    """A program without a preview: its name, and the compiler's message."""

    name: str
    reason: str


def make_previews(*, version: DatasetVersion, done: Callable[[int], None] = lambda _: None) -> list[Refused]:
    """Compute the previews that a version's programs do not have yet; those that fail are returned.

    May be interrupted and repeated: previews are stored in batches.

    Args:
        version: The version.
        done: Called now and then with the number of programs that were processed.

    Raises:
        PlatformNotSupported: Their compiler does not run on this machine, so there are no previews.
    """
    waiting = selectors.benchmarks_without_preview(version).iterator(chunk_size=_BATCH)
    refused: list[Refused] = []
    count = 0
    readers = _Readers()
    try:
        with ThreadPoolExecutor(_THREADS) as threads:
            for batch in batches(waiting, _BATCH):
                results = list(threads.map(readers.read, batch))
                Preview.objects.bulk_create(
                    (one for one in results if isinstance(one, Preview)), ignore_conflicts=True
                )
                refused.extend(one for one in results if isinstance(one, Refused))
                count += len(results)
                done(count)
    finally:
        readers.close()
    return refused


class _Readers:
    """The environments of the threads that read programs, one of each kind for each thread."""

    def __init__(self) -> None:
        self._own = threading.local()
        self._made: list[CompilerEnv] = []

    def read(self, row: Benchmark) -> Preview | Refused:
        """The preview of one program, or the reason that there is none."""
        try:
            how = _how(row)
            return _preview(self._environment(how.environment), how, row)
        except PlatformNotSupported:
            raise
        except OptArenaError as error:
            return Refused(row.name, " ".join(str(error).split())[:300])

    def close(self) -> None:
        """End the sessions."""
        for env in self._made:
            env.close()

    def _environment(self, slug: str) -> CompilerEnv:
        own: dict[str, CompilerEnv] = self._own.__dict__
        if slug not in own:
            own[slug] = optarena.make(slug)
            self._made.append(own[slug])
        return own[slug]


def _how(row: Benchmark) -> specs.PreviewSpec:
    """The text form of a program of this format.

    Raises:
        InvalidInput: No compiler of this installation has one.
    """
    known = format_of(row.blob.media_type) if row.blob else None
    if known is None or known.preview is None:
        raise InvalidInput(f"No installed compiler shows programs like {row.name}.", field="program")
    return known.preview


def _preview(env: CompilerEnv, how: specs.PreviewSpec, row: Benchmark) -> Preview:
    blob = row.blob
    program = package.Benchmark(
        uri=row.uri,
        name=row.name,
        sha256=row.sha256,
        size_bytes=row.size_bytes,
        load=lambda: blobs.read(blob) if blob else b"",
    )
    env.reset(options={"benchmark": program, "observation_space": None, "reward_space": None})
    observation = env.observation
    lines = observation[how.text].splitlines()
    features = {shown: dict(observation[name]) for shown, name in how.features.items()}
    return Preview(benchmark=row, ir_head=_head(lines), ir_lines=len(lines), features=features)


def _head(lines: Sequence[str]) -> str:
    """The first lines, long ones cut, without NUL, which the database cannot hold."""
    shown = (f"{line[:LINE_LENGTH]}…" if len(line) > LINE_LENGTH else line for line in lines[:HEAD_LINES])
    return "\n".join(shown).replace("\0", "")
