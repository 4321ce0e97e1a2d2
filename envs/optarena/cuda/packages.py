"""Finds the files of NVIDIA's packages: libraries and programs, not Python modules."""

from __future__ import annotations

from pathlib import Path


def find_packaged(distribution: str, name: str) -> Path:
    from importlib import metadata  # noqa: PLC0415 # takes long to load

    try:
        files = metadata.files(distribution) or []
    except metadata.PackageNotFoundError:
        raise FileNotFoundError(f"The package {distribution} is not installed.") from None
    found = next((Path(str(one.locate())) for one in files if one.name == name), None)
    if found is None:
        raise FileNotFoundError(f"The package {distribution} has no file {name}.")
    return found
