"""Which process of a run takes which tests, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from xdist.scheduler import LoadScopeScheduling

if TYPE_CHECKING:
    import pytest
    from xdist.workermanage import WorkerController

WHOLE_SERVERS: Final = ("browser", "e2e")
"""Folders whose tests share a server with workers, which is started once in a process."""
LONGEST: Final = (
    "envs/agents/test_searching.py",
    "leaderboard/test_access.py",
    "leaderboard/web_server/test_connections.py",
)
"""Files that are begun first, after those with servers, so that none is left at the end."""
OWN_SERVERS: Final = ("e2e/test_chaos.py", "e2e/test_run_script.py", "e2e/test_several_machines.py")
"""Files of those folders that start servers of their own."""
BY_PARAMETER: Final = ("test_every_service.py", "test_replay_faults.py")
"""Files with so many tests that they are divided, by the first word of a test's parameters."""
KEPT_BUSY: Final = 2
"""A process with this many tests left, or fewer, is given the next file."""


def shares_server(nodeid: str) -> bool:
    """Whether a test uses the whole server that one process keeps for such tests."""
    path = nodeid.partition("::")[0]
    _, room, *_ = path.split("/")
    return room in WHOLE_SERVERS and not path.endswith(OWN_SERVERS)


class RoomScheduling(LoadScopeScheduling):
    """All tests that share a server are for one process; what else there is goes file by file."""

    def _split_scope(self, nodeid: str) -> str:
        path = nodeid.partition("::")[0]
        if path.endswith(BY_PARAMETER):
            # llvm-managed and llvm-command are for one process, loop_tool-managed may be for another.
            return path + nodeid.partition("[")[2].partition("-")[0]
        return "servers" if shares_server(nodeid) else path

    def _reschedule(self, node: WorkerController) -> None:
        """Give a process files until it has three tests to do, or none are left.

        A process keeps one test back until it knows of the next one. With a single one, or with what is left
        of a file whose process has died, it would wait without end, and so would the run.
        """
        while (
            self.workqueue
            and not node.shutting_down
            and self._pending_of(self.assigned_work[node]) <= KEPT_BUSY
        ):
            self._assign_work_unit(node)
        super()._reschedule(node)

    def remove_node(self, node: WorkerController) -> str | None:
        """Give the work of a process that has died to others, but for the test that ended it.

        Otherwise each process that takes that test dies, too, until the run gives up.
        """
        units = self.assigned_work.get(node, {}).values()
        ended_by = next((test for unit in units for test, is_done in unit.items() if not is_done), None)
        for unit in units:
            if ended_by in unit:
                unit[ended_by] = True
        super().remove_node(node)
        return ended_by


def sort_by_file(items: list[pytest.Item]) -> None:
    """Begin with whole servers, then with files that take long. The others come in turns.

    Those with a database keep a processor busy, and the rest often waits: if all of one kind came before the
    other, processors would be idle in the end.
    """
    files: dict[str, bool] = {}
    for item in items:
        path = item.nodeid.partition("::")[0]
        files[path] = files.get(path, False) or item.get_closest_marker("server") is not None
    places: dict[str, tuple[int, float, str]] = {}
    for has_database in (True, False):
        kind = [path for path, has in files.items() if has is has_database]
        places |= {path: (_turn(path), number / len(kind), path) for number, path in enumerate(kind)}
    items.sort(key=lambda item: places[item.nodeid.partition("::")[0]])


def _turn(path: str) -> int:
    _, room, *_ = path.split("/")
    if room in WHOLE_SERVERS:
        return 0
    return next((number for number, file in enumerate(LONGEST, 1) if path.endswith(file)), len(LONGEST) + 1)
