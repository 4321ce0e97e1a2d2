"""What kind of bytes a program is, whatever its compiler: for file names and media types."""

from __future__ import annotations

from typing import Final

BITCODE: Final = "application/x-llvm-bitcode"
SUFFIXES: Final = {BITCODE: ".bc", "text/plain; charset=utf-8": ".txt", "application/octet-stream": ".bin"}
"""The ending of a file's name for each media type."""
_TEXT, _BINARY = tuple(SUFFIXES)[1:]
_BITCODE_MAGIC: Final = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")


def media_type(program: bytes) -> str:
    """LLVM bitcode, text, or anything else; one of ``SUFFIXES``."""
    if program.startswith(_BITCODE_MAGIC):
        return BITCODE
    try:
        text = program.decode()
    except UnicodeDecodeError:
        return _BINARY
    return _BINARY if "\0" in text else _TEXT
