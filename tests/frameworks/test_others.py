"""Training frameworks enter by their front doors, each in an environment of its own with pinned versions."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.kit import training
from tests.kit.background import BACKGROUND
from tests.kit.folders import ROOT, short_folder

ID = "optarena/llvm-ic-v0"
QUALIFIED = f"optarena:{ID}"
STABLE_BASELINES3 = (training.PYTORCH, training.BASELINES)
SB3_CONTRIB = (*STABLE_BASELINES3, "sb3-contrib==2.9.2")
TORCHRL = (training.PYTORCH, "torchrl==0.14.1", "array-api-compat==1.12.0")
TIANSHOU = (training.PYTORCH, "tianshou==2.0.1")
SKRL = (training.PYTORCH, "skrl==2.1.1")
RLLIB = (training.PYTORCH, "ray[rllib]==2.60.0")
MINARI = ("minari[create,hdf5]==0.5.4",)
TRL = (training.PYTORCH, "trl==1.16.0")
VERIFIERS = ("verifiers==0.4.0", "uv==0.13.8")  # uv installs the program of each rollout


@pytest.mark.soak
@pytest.mark.rl
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    ("requirements", "program", "arguments"),
    [
        *(
            pytest.param(STABLE_BASELINES3, "stable_baselines3", (kind, name), id=f"{kind}-{name}")
            for kind in ("dummy", "subproc")
            for name in (ID, QUALIFIED)
        ),
        pytest.param(TORCHRL, "torch_arrays", (), id="torch-arrays"),
        pytest.param(SB3_CONTRIB, "sb3_contrib", (), id="sb3-contrib"),
        pytest.param(RLLIB, "rllib", ("0", ID), id="rllib"),
        pytest.param(RLLIB, "rllib", ("1", QUALIFIED), id="rllib-runner"),
        pytest.param(TORCHRL, "torchrl", (ID,), id="torchrl"),
        pytest.param(TORCHRL, "torchrl", (QUALIFIED,), id="torchrl-qualified"),
        pytest.param(TIANSHOU, "tianshou", (), id="tianshou"),
        pytest.param(SKRL, "skrl", (), id="skrl"),
        pytest.param(MINARI, "minari", (), id="minari"),
        pytest.param(TRL, "trl", (), id="trl"),
        pytest.param(VERIFIERS, "verifiers", (), id="verifiers"),
    ],
)
def test_a_framework_trains(
    pytestconfig: pytest.Config,
    tmp_path: Path,
    requirements: Sequence[str],
    program: str,
    arguments: Sequence[str],
) -> None:
    folder = training.folder(pytestconfig, requirements)
    code, output = BACKGROUND.result(training.command(folder, requirements))
    assert code == 0, output
    done = subprocess.run(
        [training.python(folder), Path(__file__).with_name(f"with_{program}.py"), *arguments],
        cwd=tmp_path,
        env={
            **os.environ,
            "PATH": os.pathsep.join([str(training.python(folder).parent), os.environ["PATH"]]),
            "PYTHONPATH": str(ROOT / "envs"),
            "MINARI_DATASETS_PATH": str(tmp_path),
            "TMPDIR": str(short_folder(0o700)),  # of Ray, which has sockets there, and Stable-Baselines3
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
