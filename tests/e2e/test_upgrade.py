"""An upgrade keeps what an earlier release stored, finishes its work, and a backup restores all of it.

``data/former.dump`` is the database of a server of commit f2899ec: 38 verified items, six refuted claims, a
withdrawn submission, two replays that failed for the program's fault, two for the infrastructure's, two that
wait, and one whose worker was lost in the middle.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from leaderboard.embedded import EmbeddedStack
from leaderboard.embedded.server import Server, listen
from leaderboard.embedded.state import remove_state
from tests.kit.folders import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

DUMP: Final = Path(__file__).parent / "data/former.dump"
RESTORE: Final = ("pg_restore", "--clean", "--if-exists", "--no-owner", "--single-transaction")
UNFINISHED: Final = "SELECT count(*) FROM runner_verification WHERE finished_at IS NULL"
VERDICTS: Final = (
    "SELECT verdict, reason, count(*) FROM leaderboard_submissionitem GROUP BY 1, 2 ORDER BY 1, 2"
)
VERIFIED: Final = """
    SELECT submission_id::text, position, value, ratio, effective_actions
    FROM leaderboard_submissionitem WHERE verdict = 'verified' ORDER BY 1, 2
"""
ENDED: Final = """
    SELECT id::text, state, reason, metrics FROM runner_verification
    WHERE finished_at IS NOT NULL ORDER BY 1
"""
EVENTS: Final = "SELECT count(*), max(id) FROM runner_verificationevent"
ITEMS: Final = 57
FINISH_SECONDS: Final = 300


@dataclass(frozen=True, slots=True)
class Installation:
    """Running servers, and the commands that an operator runs on them."""

    stack: EmbeddedStack

    @property
    def environment(self) -> dict[str, str]:
        """The variables that ``python -m leaderboard.embedded exec`` gives to a command."""
        return self.stack.environment() | self.stack.postgres.client_environment()

    def run(self, *command: str) -> str:
        """The output of a command."""
        done = subprocess.run(
            command, cwd=ROOT, env=self.environment, check=False, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def manage(self, *arguments: str) -> str:
        """The output of a management command."""
        return self.run(sys.executable, "manage.py", *arguments)

    def restore(self, dump: Path) -> None:
        """Replace the database's content."""
        self.run(*RESTORE, "--dbname=optarena", str(dump))

    def query(self, statement: str) -> list[tuple[object, ...]]:
        """The rows that the database answers."""
        with self.stack.postgres.connect() as connection:
            return connection.execute(statement.encode()).fetchall()

    def finish(self) -> None:
        """Run the whole server until nothing waits."""
        server = Server(self.stack, listener=listen(8400))
        try:
            server.start()
            until = time.monotonic() + FINISH_SECONDS
            while self.query(UNFINISHED) != [(0,)]:
                assert time.monotonic() < until, self.query(UNFINISHED)
                time.sleep(0.5)
        finally:
            server.stop()


@contextmanager
def installation(folder: Path) -> Iterator[Installation]:
    """Servers on a new state folder, which is removed afterwards."""
    folder.chmod(0o711)
    state = folder / "state"
    try:
        with EmbeddedStack(state, durable=False) as stack:
            yield Installation(stack)
    finally:
        remove_state(state)


@dataclass(frozen=True, slots=True)
class Upgrade:
    """The former server's data after the upgrade, and what was verified and had ended before it."""

    after: Installation
    verified: list[tuple[object, ...]]
    ended: list[tuple[object, ...]]


@pytest.fixture(scope="module")
def upgrade(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Upgrade]:
    """A former server's database, after the commands of an upgrade."""
    with installation(tmp_path_factory.mktemp("former")) as after:
        after.restore(DUMP)
        verified, ended = after.query(VERIFIED), after.query(ENDED)
        after.manage("bootstrap")
        yield Upgrade(after, verified, ended)


def test_an_upgrade_changes_no_verdict_and_no_result(upgrade: Upgrade) -> None:
    assert len(upgrade.verified) == 38
    assert upgrade.after.query(VERIFIED) == upgrade.verified
    assert upgrade.after.query(ENDED) == upgrade.ended
    upgrade.after.manage("sweeper", "--once")  # puts entries into the groups of their agents' families
    assert "none differed" in upgrade.after.manage("rebuild_standings", "--check")


def test_work_of_the_former_release_is_finished_and_a_backup_restores_all(
    upgrade: Upgrade, tmp_path: Path
) -> None:
    assert "2 verifications; 2 items are pending" in upgrade.after.manage("reverify")
    upgrade.after.finish()
    verdicts = upgrade.after.query(VERDICTS)
    ways = {(verdict, reason) for verdict, reason, _ in verdicts}
    assert ("failed", "infra:internal") in ways
    assert ways.isdisjoint({("pending", ""), ("refuted", "semantics:crash")})
    assert sum(count for *_, count in verdicts if isinstance(count, int)) == ITEMS
    assert set(upgrade.verified) < set(upgrade.after.query(VERIFIED))
    backup = tmp_path / "backup.dump"
    upgrade.after.run("pg_dump", "--format=custom", f"--file={backup}")
    with installation(tmp_path) as copy:
        copy.restore(backup)
        shutil.copytree(upgrade.after.stack.folder.blobs, copy.stack.folder.blobs, dirs_exist_ok=True)
        for statement in (VERIFIED, VERDICTS, ENDED, EVENTS):
            assert copy.query(statement) == upgrade.after.query(statement)
        assert "none differed" in copy.manage("rebuild_standings", "--check")
        assert "all intact" in copy.manage("check_blobs")
