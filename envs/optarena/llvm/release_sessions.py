"""Sessions of other releases of LLVM, by name: ``Llvm_23_1_4``. Their processes load that release alone.

``Bare_23_1_4`` runs no pass at its start: workers of it find out which passes the release takes.
"""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import ClassVar, Final

from optarena.llvm import pinned
from optarena.llvm.action_sets import PassActions
from optarena.llvm.actions import PassTable, release_table
from optarena.llvm.module import compile_helpers
from optarena.llvm.observations import observed_at
from optarena.llvm.releases import RELEASES
from optarena.llvm.session import LlvmSession
from optarena.machine_code.libllvm import choose_release, find_release

_NAME: Final = re.compile(r"(?P<what>Llvm|Bare|find)_(?P<version>\d+_\d+_\d+)", re.ASCII)


class ReleaseSession(LlvmSession):
    """A session of one release, which its subclasses name."""

    version: ClassVar[str]

    @classmethod
    def preload(cls) -> None:
        choose_release(cls.version)
        super().preload()


class BareSession(ReleaseSession):
    """A session of one release, of which nothing is known but its version."""

    @classmethod
    def finish_preloading(cls) -> None:
        """Compile the helpers, and run no pass."""
        compile_helpers()


@lru_cache
def _session(version: str, base: type[ReleaseSession]) -> type[ReleaseSession]:
    release = RELEASES[version]

    class OneRelease(base):  # type: ignore[misc,valid-type] # chosen above
        compiler_version: ClassVar[str] = f"{pinned.ENGINE} {version} {pinned.TRIPLE}"
        table: ClassVar[PassTable] = release_table(release)
        reference: ClassVar[str] = release.reference

    OneRelease.version = version
    OneRelease.set_spaces((PassActions(OneRelease.table),), observed_at(release.levels))
    return OneRelease


def __getattr__(name: str) -> object:
    # `find_23_1_4()` is what environments of that release require of a machine.
    match = _NAME.fullmatch(name)
    version = match["version"].replace("_", ".") if match else ""
    if match is None or version not in RELEASES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if match["what"] == "find":
        return partial(find_release, version)
    return _session(version, ReleaseSession if match["what"] == "Llvm" else BareSession)
