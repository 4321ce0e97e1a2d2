"""Builds the rows and descriptions that tests begin with. Each function gives one whole, valid thing.

A test names in the call what it is about; everything else has a default. ``make_version`` and
``make_benchmark`` give the row that is already there when they are asked for the same name again.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from django.contrib.auth.models import User

from datasets import store
from datasets.models import Baseline, Benchmark, Blob, Dataset, DatasetVersion
from datasets.selectors import workloads_of
from leaderboard.accounts.models import ApiToken
from leaderboard.boards.services import load_boards
from optarena.specs import BoardSpec, environment_spec
from optarena.specs.benchmark import workloads_digest
from runner.machines import presence
from runner.machines.calibration import Calibrated
from runner.machines.machine import Machine
from runner.models import Calibration, EnvironmentVersion, Verification
from runner.queue import demands, requests
from runner.queue.work import ActionSequence, Work
from tests.kit.programs import BUSY

if TYPE_CHECKING:
    from datetime import timedelta

    from leaderboard.models import Board

PASSWORD: Final = "correct horse battery"  # noqa: S105 - of users of tests
ENVIRONMENT: Final = "llvm-ic-v0"
BOARD_DATASET: Final = "boards-v0"
PROGRAMS: Final = ("alpha", "beta", "gamma")
LEVELS: Final = {"O0": 400, "O1": 150, "O2": 120, "O3": 125, "Oz": 100}
"""What each level of the compiler makes of every program of a board of tests."""

_numbers = itertools.count()


def make_user(name: str = "ada", *, password: str | None = PASSWORD, staff: bool = False) -> User:
    """An account; ``staff`` may do everything on the admin site."""
    make = User.objects.create_superuser if staff else User.objects.create_user
    return make(username=name, password=password)


def make_token(user: User, name: str = "laptop", *, expiry: timedelta | None = None) -> tuple[ApiToken, str]:
    lifetime = {} if expiry is None else {"expiry": expiry}
    made: tuple[ApiToken, str] = ApiToken.objects.create(user=user, name=name, **lifetime)
    return made


def make_version(name: str = "tiny-v0", **fields: Any) -> DatasetVersion:
    """A dataset version without benchmarks, of the family that its name says."""
    family, _, number = name.rpartition("-v")
    dataset, _ = Dataset.objects.get_or_create(name=family, defaults={"title": family.title()})
    given = {
        "dataset": dataset,
        "version": int(number),
        "title": f"Dataset {name}",
        "licence": "MIT",
        "manifest": {},
        "manifest_sha256": _sha256(name),
    }
    made, _ = DatasetVersion.objects.get_or_create(name=name, defaults=given | fields)
    return made


def make_benchmark(
    name: str = "alpha",
    program: bytes | None = None,
    *,
    version: DatasetVersion | None = None,
    levels: Mapping[str, int] | None = None,
    **fields: Any,
) -> Benchmark:
    """A stored benchmark; without a program, one whose program nobody can read."""
    version = version or make_version()
    uri = f"benchmark://{version.name}/{name}"
    blob = _unreadable(_sha256(uri)) if program is None else store.store(program)
    given = {
        **_described(version, name),
        "kind": Benchmark.Kind.STORED,
        "sha256": blob.sha256,
        "size_bytes": blob.size_bytes,
        "blob": blob,
        "workloads_sha256": workloads_digest(()),
    }
    made, _ = Benchmark.objects.get_or_create(uri=uri, defaults=given | fields)
    make_baselines(made, levels or {})
    return made


def make_range(name: str, *, version: DatasetVersion, low: int, high: int) -> Benchmark:
    """A parametric benchmark: ``name`` contains the parameter, as in ``loop/{n}``."""
    return Benchmark.objects.create(
        **_described(version, name),
        uri=f"benchmark://{version.name}/{name}",
        kind=Benchmark.Kind.PARAMETRIC,
        sha256="1" * 64,
        workloads_sha256=workloads_digest(()),
        parameter_min=low,
        parameter_max=high,
    )


def make_baselines(
    benchmark: Benchmark,
    levels: Mapping[str, float],
    metrics: Sequence[str] = ("ir_instructions", "text_size_bytes"),
) -> None:
    """What the levels of a compiler make of a benchmark, the same for each metric."""
    Baseline.objects.bulk_create(
        Baseline(benchmark=benchmark, metric=metric, level=level, value=value)
        for metric in metrics
        for level, value in levels.items()
    )


def make_busy(digit: int = 0, *, name: str = "busy", expected: str = "ok\n", exit_code: int = 0) -> Benchmark:
    """A real program with one workload, which takes the longer the greater the digit."""
    benchmark = make_benchmark(name, BUSY)
    given = {"position": 0, "args": [str(digit)], "expected_stdout": expected, "exit_code": exit_code}
    return make_workload(benchmark, "only", **given)


def make_workload(benchmark: Benchmark, name: str = "only", **fields: Any) -> Benchmark:
    """The benchmark with a workload more, if it does not have it yet."""
    benchmark.workloads.get_or_create(name=name, defaults={"position": 0} | fields)
    benchmark.workloads_sha256 = workloads_digest(workloads_of(benchmark))
    benchmark.save(update_fields=["workloads_sha256"])
    return benchmark


def make_dataset(name: str = BOARD_DATASET, names: Sequence[str] = PROGRAMS) -> DatasetVersion:
    """A dataset version with baselines that a board can compare with."""
    version = make_version(name)
    for one in names:
        make_benchmark(one, version=version, levels=LEVELS)
    return version


def board_spec(**changes: Any) -> BoardSpec:
    given = {
        "slug": "test-ic",
        "title": "Test board",
        "description": "For tests.",
        "dataset": BOARD_DATASET,
        "environment": ENVIRONMENT,
        "metric": "ir_instructions",
        "baseline_level": "Oz",
    }
    return BoardSpec(**(given | changes))


def make_board(**changes: Any) -> Board:
    [board] = load_boards(definitions=[board_spec(**changes)])
    return board


def make_old_environment(env_id: str = ENVIRONMENT) -> EnvironmentVersion:
    """A version of an environment that this installation does not have any more."""
    return EnvironmentVersion.objects.create(env_id=env_id, digest="0" * 64, spec={})


def make_actions() -> list[int]:
    """A sequence that no other test asks for."""
    number = next(_numbers)
    return [number // 10 % 10, number % 10, *[0] * (number // 100)]


def request_verification(  # noqa: PLR0913 - all by keyword
    *,
    environment: str,
    benchmark: Benchmark,
    benchmark_uri: str,
    actions: Sequence[Any],
    action_space: str = "",
    metrics: Collection[str] | None = None,
    **given: Any,
) -> Verification:
    """The verification of one work, without a limit."""
    spec = environment_spec(environment)
    checked = ActionSequence.checked(spec, actions, action_space)
    work = Work.of(
        spec=spec, benchmark=benchmark, benchmark_uri=benchmark_uri, actions=checked, metrics=metrics
    )
    [row] = requests.request_verifications(environment=environment, works=[work], **given)
    return row


def make_work(
    actions: list[int] | None = None, benchmark: Benchmark | None = None, payer: str = demands.NOBODY
) -> Verification:
    """A queued verification of new work, or of the given."""
    benchmark = benchmark or make_benchmark()
    return request_verification(
        environment=ENVIRONMENT,
        benchmark=benchmark,
        benchmark_uri=benchmark.uri,
        actions=make_actions() if actions is None else actions,
        payer=payer,
    )


def make_calibration(
    name: str = "celery@host", factor: float = 1.0, *, cpu: str = "Some CPU", drift: str = "", **given: Any
) -> Calibration:
    """A calibration of a machine, whose times are so many times 10 and 20 ms."""
    times = {"integer_work": 0.01 * factor, "memory_latency": 0.02 * factor}
    return presence.record_calibration(
        name=name,
        hardware_class="x86_64-cpu",
        machine=Machine(fingerprint={"cpu": cpu}, versions={}),
        calibrated=Calibrated(
            version="llvm 1-22.1.8",
            vector={name: {"seconds": seconds, "spread": 0.03} for name, seconds in times.items()},
            conditions={"load_average": [0.5, 0.4, 0.3]},
            tries=3 if drift else 1,
            drift=drift,
        ),
        **given,
    )


def _described(version: DatasetVersion, name: str) -> dict[str, Any]:
    return {
        "version": version,
        "position": version.benchmarks.count(),
        "name": name,
        "title": name.title(),
        "licence": "MIT",
    }


def _unreadable(sha256: str) -> Blob:
    given = {"size_bytes": 10, "media_type": "x/y", "storage_key": sha256}
    blob, _ = Blob.objects.get_or_create(sha256=sha256, defaults=given)
    return blob


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
