"""A cache of the bitcode that clang made, in the cache folder; the key is a hash of all that it depends on.

The key covers the compiler's file, the flags, and the source with all it includes. It does not cover other
files that flags may name, so such compilations must not use this cache. The folder may be deleted at any
time. If it cannot be written, nothing is kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import secrets
from typing import TYPE_CHECKING

from optarena import paths

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path


def key(compiler: Path, flags: Sequence[str], expanded: bytes) -> str:
    """The name of the result of compiling a source.

    Args:
        compiler: The compiler's file.
        flags: All flags, in order, and the source's name.
        expanded: The source after the preprocessor.
    """
    file = compiler.resolve()
    status = file.stat()
    identity = json.dumps([str(file), status.st_size, status.st_mtime_ns, *flags])
    return hashlib.sha256(identity.encode() + b"\n" + expanded).hexdigest()


def cached(name: str, make: Callable[[], bytes]) -> bytes:
    """The bitcode with this name, made if it is not in the cache."""
    target = paths.cache() / "bitcode" / f"{name}.bc"
    with contextlib.suppress(OSError):
        if data := target.read_bytes():
            return data
    data = make()
    with contextlib.suppress(
        OSError
    ):  # no home, a full disk, or a deleted folder: the bitcode is made again next time
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        part = target.with_name(f".{name}.{secrets.token_hex(8)}")
        try:
            part.write_bytes(data)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    return data
