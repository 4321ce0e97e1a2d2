"""Installs locked requirements into the virtual environment that runs this file. Standard library only.

uv does it where it can be had, since it is five times faster than pip. pip's own configuration (index,
extra indexes, find-links, certificate) is handed on, because uv reads only its own.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

BUILD_LOCK: Final = "requirements-build.lock"
"""uv itself and what builds the project, so that nothing comes without a hash."""

_HANDED_ON: Final = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "no-index": "UV_NO_INDEX",
    "cert": "SSL_CERT_FILE",
}


def main(lock: str) -> int:
    """Install ``lock`` and the project itself; the exit code."""
    environment = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    bootstrap = [sys.executable, "-m", "pip", "install", "--quiet", "--require-hashes", "-r"]
    uv = Path(sys.executable).with_name("uv")
    if not uv.exists() and _run([*bootstrap, BUILD_LOCK], environment):
        return _explain("The build requirements could not be installed.")
    installed = not _with_uv(uv, lock, environment) if uv.exists() else False
    if not installed and not _with_pip(bootstrap, lock, environment):
        return _explain("The requirements could not be installed.")
    # wheel-axle makes libLLVM's links at the first start after the installation.
    return _run([sys.executable, "-c", "pass"], environment)


def _with_uv(uv: Path, lock: str, environment: dict[str, str]) -> int:
    settings = {**uv_settings(pip_configuration(environment)), **environment}
    install = [str(uv), "pip", "install", "--quiet", "--python", sys.executable]
    sync = [str(uv), "pip", "sync", "--quiet", "--require-hashes", "--python", sys.executable]
    failed = _run([*sync, lock, BUILD_LOCK], settings)
    if failed:
        print("uv could not install the requirements; trying pip, which is slower.", file=sys.stderr)  # noqa: T201 - its answer
        return failed
    return _run([*install, "--no-deps", "--no-build-isolation", "--editable", "."], settings)


def _with_pip(bootstrap: list[str], lock: str, environment: dict[str, str]) -> bool:
    project = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "-e",
        ".",
    ]
    return not (_run([*bootstrap, BUILD_LOCK, "-r", lock], environment) or _run(project, environment))


def pip_configuration(environment: dict[str, str]) -> dict[str, str]:
    """Pip's options by name, as its files and variables together set them."""
    listed = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    options: dict[str, str] = {}
    # A line is: section.name='value'. Variables (:env:) and the section `install` go before `global`.
    for line in sorted(listed.splitlines(), key=_precedence):
        key, _, value = line.partition("=")
        name = key.rpartition(".")[2]
        if value and key.split(".")[0] in {"global", "install", ":env:"}:
            options[name] = str(ast.literal_eval(value))
    return options


def uv_settings(options: dict[str, str]) -> dict[str, str]:
    """The same options as uv's environment variables."""
    settings = {
        variable: " ".join(options[name].split())
        for name, variable in _HANDED_ON.items()
        if options.get(name, "").strip()
    }
    if "UV_FIND_LINKS" in settings:
        settings["UV_FIND_LINKS"] = settings["UV_FIND_LINKS"].replace(" ", ",")
    # As pip: any index may have the file. Which file is accepted is decided by its hash.
    return {**settings, "UV_INDEX_STRATEGY": "unsafe-best-match"}


def _precedence(line: str) -> int:
    return {"global": 0, "install": 1, ":env:": 2}.get(line.partition(".")[0], 0)


def _run(command: list[str], environment: dict[str, str]) -> int:
    return subprocess.run(command, env=environment, check=False).returncode  # noqa: S603 - pip and uv


def _explain(message: str) -> int:
    print(f"{message} See above; a proxy or mirror is set as for pip (pip config).", file=sys.stderr)  # noqa: T201 - its answer
    return 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1]))
    except KeyboardInterrupt:
        sys.exit(130)
