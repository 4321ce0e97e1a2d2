"""Releases of LLVM beside the pinned one: how each differs, as data of ``releases.toml``.

Pure data: it works where libLLVM does not.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Any, Final

# All functions are marked minsize, then default<O2> runs: what LLVM names in place of default<Oz>.
MINSIZE: Final = "O2minsize"
_PARAMETERS: Final = re.compile(r"(?P<name>[\w-]+)<(?P<parameters>[^<>]*)>")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LlvmRelease:
    version: str
    package: str
    sha256: str
    levels: tuple[str, ...]
    reference: str
    probe: Mapping[str, int | str]
    renamed: Mapping[str, str] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)

    @property
    def major(self) -> str:
        return self.version.partition(".")[0]

    def attribute(self, what: str) -> str:
        # Of the module `release_sessions`.
        return f"optarena.llvm.release_sessions:{what}_{self.version.replace('.', '_')}"

    @property
    def session(self) -> str:
        return self.attribute("Llvm")

    def translated(self, text: str) -> str:
        """A text of the pinned release, with the names that parameters have here."""

        def passed(match: re.Match[str]) -> str:
            name, parameters = match["name"], match["parameters"].split(";")
            return f"{name}<{';'.join(self.renamed.get(f'{name}<{one}>', one) for one in parameters)}>"

        return _PARAMETERS.sub(passed, text)


def _load() -> dict[str, LlvmRelease]:
    document = tomllib.loads(resources.files("optarena.llvm").joinpath("releases.toml").read_text("utf-8"))
    given: list[dict[str, Any]] = document["release"]
    releases = (LlvmRelease(**{**one, "levels": tuple(one["levels"])}) for one in given)
    return {one.version: one for one in releases}


RELEASES: Final = _load()
