"""Installs what tests need from Debian's packages, where that is allowed, and says what is missing.

Run by ``./run test`` before pytest. Standard library only; never an error: a test that lacks its tool is
skipped with a reason, or fails where ``CI`` is set.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass


@dataclass(frozen=True)
class Tool:
    """A program of a Debian package: the first of ``programs`` that is there.

    Attributes:
        programs: Its names; the first one is installed.
        packages: Where it comes from.
        needed_for: The tests that use it.
        helpers: Further programs without which it is of no use.
        libraries: What ``pkg-config`` must know.
    """

    programs: tuple[str, ...]
    packages: tuple[str, ...]
    needed_for: str
    helpers: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()

    def find(self) -> str | None:
        """Where the program is, if all that it needs is there too."""
        if not all(map(shutil.which, self.helpers)) or not _has_libraries(self.libraries):
            return None
        return next(filter(None, map(shutil.which, self.programs)), None)


CHROMIUM = Tool(
    # The same browser without its own windows needs half the processor's time.
    ("chromium-headless-shell", "chromium"),
    ("chromium-headless-shell", "fonts-dejavu-core", "fontconfig"),
    "tests/browser",
)
OPT = Tool(("opt-22",), ("llvm-22",), "tests marked `opt`")
GRPC_CPP = Tool(
    ("grpc_cpp_plugin",),
    (
        "libgrpc++-dev", "libprotobuf-dev", "protobuf-compiler-grpc", "protobuf-compiler",
        "g++", "make", "pkg-config",
    ),
    "tests of the C++ service",
    helpers=("protoc", "g++", "make", "pkg-config"),
    libraries=("grpc++", "protobuf", "libcrypto"),
)  # fmt: skip
CSMITH = Tool(("csmith",), ("csmith", "libcsmith-dev"), "tests of the dataset csmith-v0")
IP = Tool(("ip",), ("iproute2",), "tests of several machines")
MAKE = Tool(("make",), ("make",), "tests of recipes with make")
CMAKE = Tool(("cmake",), ("cmake", "ninja-build"), "tests of recipes with CMake", helpers=("ninja",))
MESON = Tool(("meson",), ("meson", "ninja-build"), "tests of recipes with Meson", helpers=("ninja",))
CCACHE = Tool(("ccache",), ("ccache",), "tests of recipes with ccache")
TOOLS = (CHROMIUM, OPT, GRPC_CPP, CSMITH, IP, MAKE, CMAKE, MESON, CCACHE)


def in_ci() -> bool:
    return os.environ.get("CI", "").lower() not in {"", "0", "false"}


def main() -> None:
    """Install what is missing, if this is root on Debian."""
    missing = [tool for tool in TOOLS if tool.find() is None]
    if missing and os.geteuid() == 0 and shutil.which("apt-get"):
        _apt("update")
        for tool in missing:
            print(f"Installing {' '.join(tool.packages)} for {tool.needed_for} ...", flush=True)  # noqa: T201 - its answer
            _apt("install", "--yes", "--no-install-recommends", *tool.packages)
    for tool in missing:
        if tool.find() is None:
            end = "fail (CI is set)" if in_ci() else "are skipped"
            packages = " ".join(tool.packages)
            print(f"{tool.programs[0]} is missing: {tool.needed_for} {end}. Install: {packages}")  # noqa: T201 - its answer


def _has_libraries(libraries: tuple[str, ...]) -> bool:
    return (
        not libraries or subprocess.run(["pkg-config", "--exists", *libraries], check=False).returncode == 0
    )


def _apt(*arguments: str) -> None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "-qq", *arguments], env=environment, check=False)


if __name__ == "__main__":
    main()
