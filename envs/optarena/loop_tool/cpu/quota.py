"""Reads how much CPU time this process's control groups allow, which may be less than its CPUs.

A group that uses up its quota is stopped until the next period: its threads would wait for one another while
they are timed.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Final

_GROUPS: Final = Path("/proc/self/cgroup")
_MOUNTS: Final = Path("/proc/self/mountinfo")
_ESCAPED: Final = re.compile(r"\\([0-7]{3})")
_ROOT, _POINT = 3, 4
"""Fields of a line of mounts: the mounted folder of the file system, and the mount point."""


@cache
def cpu_quota() -> float | None:
    """The smallest quota of this process's groups, in CPUs; None if there is none.

    It is read once: a confined process can open no file.
    """
    quotas = [quota_in(folder) for folder in folders(_text(_GROUPS), _text(_MOUNTS))]
    return min((quota for quota in quotas if quota is not None), default=None)


def folders(groups: str, mounts: str) -> list[Path]:
    """The folders of the groups that limit a process's CPU time, and of all groups above them.

    Args:
        groups: The process's ``/proc/self/cgroup``.
        mounts: The process's ``/proc/self/mountinfo``.
    """
    paths = {}
    for line in groups.splitlines():
        _, controllers, path = line.split(":", 2)
        if not controllers or "cpu" in controllers.split(","):
            paths["cgroup" if controllers else "cgroup2"] = PurePosixPath(path)
    found: list[Path] = []
    for line in mounts.splitlines():
        fields, _, rest = line.partition(" - ")
        kind, _, options = rest.partition(" ")
        if kind not in paths or (kind == "cgroup" and "cpu" not in re.split("[, ]", options)):
            continue
        root, point = (_unescaped(fields.split()[field]) for field in (_ROOT, _POINT))
        # In a container the mount may begin at the process's own group, or the path at another's.
        inside = paths[kind].relative_to(root) if paths[kind].is_relative_to(root) else PurePosixPath()
        found += [Path(point, part) for part in (inside, *inside.parents) if ".." not in part.parts]
    return list(dict.fromkeys(found))


def quota_in(folder: Path) -> float | None:
    """The quota of one group, in CPUs; None if it has none, or it cannot be read."""
    both = _text(folder / "cpu.max")
    return quota(both or f"{_text(folder / 'cpu.cfs_quota_us')} {_text(folder / 'cpu.cfs_period_us')}")


def quota(text: str) -> float | None:
    """A quota in CPUs: ``"150000 100000"``, microseconds in a period, is 1.5.

    Args:
        text: Quota and period; ``max`` and negative numbers mean no quota.
    """
    match text.split():
        case [most, period] if most.isdecimal() and period.isdecimal() and int(period) > 0:
            return int(most) / int(period)
    return None


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda found: chr(int(found[1], 8)), text)


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
