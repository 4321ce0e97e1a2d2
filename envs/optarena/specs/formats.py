"""The files that programs come in, as plain data: what tells them, and what makes a benchmark of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewSpec:
    """How pages show a program of some format.

    Attributes:
        environment: Slug of the environment that reads it.
        text: The observation that gives its text.
        language: Name of the text's language, as pygments calls it.
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
        media_type: As HTTP calls it; empty where it is plain text.
        magics: How the bytes of such a program begin, one of these; none where nothing tells.
        make_benchmark: ``module:function`` that makes a benchmark of a path, with ``copt``, a list of flags;
            empty where the file is the program.
        check_flags: ``module:function`` that checks such flags and raises ``InvalidInput``.
        preview: How pages show such programs; None where they do not.
    """

    suffix: str
    title: str
    media_type: str = ""
    magics: tuple[bytes, ...] = ()
    make_benchmark: str = ""
    check_flags: str = ""
    preview: PreviewSpec | None = None
