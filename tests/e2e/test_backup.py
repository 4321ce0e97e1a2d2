"""A backup of the database restores all of it, on servers of its own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Final

import pytest

from leaderboard.embedded import EmbeddedStack
from leaderboard.embedded.state import remove_state
from tests.kit.folders import ROOT
from tests.kit.kernels import URIS, document
from tests.kit.stack import with_plugins

if TYPE_CHECKING:
    from pathlib import Path

    from tests.kit.stack import Stack

pytestmark = pytest.mark.stack

RESTORE: Final = ("pg_restore", "--clean", "--if-exists", "--no-owner", "--single-transaction")
TABLES: Final = (
    "SELECT verdict, reason, count(*) FROM leaderboard_submissionitem GROUP BY 1, 2 ORDER BY 1, 2",
    """
    SELECT submission_id::text, position, value, ratio, effective_actions
    FROM leaderboard_submissionitem WHERE verdict = 'verified' ORDER BY 1, 2
    """,
    """
    SELECT id::text, state, reason, metrics FROM runner_verification
    WHERE finished_at IS NOT NULL ORDER BY 1
    """,
    "SELECT count(*), max(id) FROM runner_verificationevent",
)


def run(servers: EmbeddedStack, *command: str) -> str:
    """The output of a command with the variables of ``python -m leaderboard.embedded exec``."""
    environment = with_plugins(servers.environment()) | servers.postgres.client_environment()
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def rows(servers: EmbeddedStack) -> list[list[tuple[object, ...]]]:
    with servers.postgres.connect() as connection:
        return [connection.execute(statement.encode()).fetchall() for statement in TABLES]


def test_a_backup_restores_all(stack: Stack, tmp_path: Path) -> None:
    with stack.user() as user:
        sent = user.submit(document(["mem2reg"], agent="backed-up"), key="of the backup")
        user.wait(sent["id"], timeout=240)
    backup, state = tmp_path / "backup.dump", tmp_path / "state"
    tmp_path.chmod(0o711)
    run(stack.embedded, "pg_dump", "--format=custom", f"--file={backup}")
    kept = rows(stack.embedded)
    assert len(kept[1]) >= len(URIS)
    try:
        with EmbeddedStack(state, durable=False) as copy:
            run(copy, *RESTORE, "--dbname=optarena", str(backup))
            shutil.copytree(stack.embedded.folder.blobs, copy.folder.blobs, dirs_exist_ok=True)
            assert rows(copy) == kept
            checked = run(copy, sys.executable, "manage.py", "rebuild_standings", "--check")
            assert "none differed" in checked
            assert "all intact" in run(copy, sys.executable, "manage.py", "check_blobs")
    finally:
        remove_state(state)
