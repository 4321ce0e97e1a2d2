"""Which process of a run takes which tests."""

from __future__ import annotations

from typing import Final

from xdist.scheduler import LoadScopeScheduling

SHARED: Final = {
    "browser": "whole servers",
    "e2e": "whole servers",
    "datasets": "databases",
    "leaderboard": "databases",
    "runner": "databases",
}
"""What the tests of a folder share with others: servers, which are started once in a process."""
OWN_SERVERS: Final = (
    "e2e/test_chaos.py",
    "e2e/test_several_machines.py",
    "e2e/test_upgrade.py",
    "test_run_script.py",
    "test_stack.py",
)
"""Files of theirs that start servers of their own."""
BY_PARAMETER: Final = ("test_every_service.py", "test_replay_faults.py")
"""Files with so many tests that they are divided, by the first word of a test's parameters."""


class RoomScheduling(LoadScopeScheduling):
    """What shares servers is for one process; what else there is goes file by file to whoever is free."""

    def _split_scope(self, nodeid: str) -> str:
        path = nodeid.partition("::")[0]
        _, room, *_ = path.split("/")
        if path.endswith(BY_PARAMETER):
            # llvm-managed and llvm-command are for one process, loop_tool-managed may be for another.
            return path + nodeid.partition("[")[2].partition("-")[0]
        return path if path.endswith(OWN_SERVERS) else SHARED.get(room, path)
