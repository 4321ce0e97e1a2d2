"""Documents to submit, and a board on which bad work can be done."""

from __future__ import annotations

import hashlib
import uuid
from typing import TYPE_CHECKING, Any

import pytest

from optarena.llvm.module import Module
from tests.kit.folders import ROOT
from tests.kit.manifests import LEVELS, Folder, entry, manifest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.kit.stack import Stack

PROGRAMS = {
    "digits": ROOT / "tests/envs/data/digits.ll",
}
WORKLOAD = {"name": "default", "args": [], "stdin": "hi\n", "expected_stdout": "917070\n", "exit_code": 0}
MAKE_BOARD = """
from pathlib import Path
from datasets.loading import load_dataset
load_dataset(manifest_dir=Path("{folder}"))
from leaderboard.boards.services import load_boards
from optarena.specs import BoardSpec
load_boards(definitions=[BoardSpec(slug="danger", title="Danger", description="For tests.",
    dataset="danger-v0", environment="llvm-unsafe-v0", metric="ir_instructions", baseline_level="Oz")])
"""


@pytest.fixture
def key() -> str:
    return str(uuid.uuid4())


@pytest.fixture(scope="session")
def danger(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A board with the environment of the excluded passes, on programs that they damage; its slug."""
    folder = tmp_path_factory.mktemp("danger-v0")
    described = {"title": "Danger", "description": "Programs that excluded passes damage."}
    toolchain = {"clang": "22.1.8", "llvm": "22.1.8", "flags": []}
    entries = [_entry(name, folder) for name in PROGRAMS]
    Folder(folder, manifest("danger-v0", entries, toolchain=toolchain, **described)).write()
    stack.manage("shell", "-c", MAKE_BOARD.format(folder=folder))
    return "danger"


def _entry(name: str, folder: Path) -> dict[str, Any]:
    program = PROGRAMS[name].read_bytes()
    (folder / f"{name}.bc").write_bytes(program)
    with Module.parse(program) as module:
        count = module.instruction_count()
    # As if no level of the compiler gained more than one instruction: nothing here is implausibly good.
    baselines = {level: count - (level != "O0") for level in LEVELS}
    sha256 = hashlib.sha256(program).hexdigest()
    return entry(
        "danger-v0",
        name,
        program,
        title=name,
        description=name,
        domain="tests",
        ir_sha256=sha256,
        source={"path": f"{name}.ll", "sha256": sha256, "lines": 1},
        baselines={"ir_instructions": baselines, "text_size_bytes": baselines},
        run_seconds=0.1,
        workloads=[WORKLOAD],
    )
