"""The kind of a program's bytes, whatever its compiler: for file names and media types."""

from __future__ import annotations

from typing import Final

from optarena.specs import ProgramFormat, program_formats

TEXT: Final = "text/plain; charset=utf-8"
BINARY: Final = "application/octet-stream"
_SUFFIXES: Final = {TEXT: ".txt", BINARY: ".bin"}


def media_type(program: bytes) -> str:
    """The media type of the format whose magic the program begins with, else text or binary."""
    for known in program_formats():
        if known.media_type and program.startswith(known.magics):
            return known.media_type
    try:
        text = program.decode()
    except UnicodeDecodeError:
        return BINARY
    return BINARY if "\0" in text else TEXT


def media_types() -> tuple[str, ...]:
    """All media types that ``media_type`` returns."""
    return (*(one.media_type for one in program_formats() if one.media_type), *_SUFFIXES)


def suffix_of(media: str) -> str:
    """The suffix of a file with a media type that ``media_type`` returns."""
    known = format_of(media)
    return known.suffix if known else _SUFFIXES.get(media, _SUFFIXES[BINARY])


def format_of(media: str) -> ProgramFormat | None:
    """The format of a media type; None for text, binary and types that no compiler here knows."""
    return next((one for one in program_formats() if one.media_type and one.media_type == media), None)
