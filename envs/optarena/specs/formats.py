"""The file formats of programs, as plain data: how to recognise them and make benchmarks from them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewSpec:
    """How pages show programs of a format.

    Attributes:
        environment: Slug of the environment that reads it.
        text: The observation that gives its text.
        language: Pygments' name for the text's language.
        features: What is counted, and the observation that counts it by name.
    """

    environment: str
    text: str
    language: str
    features: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramFormat:
    """A format of program files.

    Attributes:
        suffix: The ending of a file's name: ``.bc``.
        title: For people: ``C source``.
        media_type: The media type in HTTP; empty for plain text.
        magics: The byte strings that such a program may begin with; empty if none identifies it.
        make_benchmark: ``module:function`` that makes a benchmark from a path, with ``copt``, a list of
            flags; empty where the file is the program.
        check_flags: ``module:function`` that checks such flags and raises ``InvalidInput``.
        preview: How pages show such programs; None if they do not.
    """

    suffix: str
    title: str
    media_type: str = ""
    magics: tuple[bytes, ...] = ()
    make_benchmark: str = ""
    check_flags: str = ""
    preview: PreviewSpec | None = None
