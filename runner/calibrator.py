"""When a worker calibrates: before it takes work if there is a history, else beside it; then once a day.

Where nothing can be compared, nobody need wait. A calibration beside work runs in a thread of its own, so
that the worker goes on reporting that it is live, and begins only while this worker measures nothing and no
replay has the machine for itself.
"""

from __future__ import annotations

import threading
import time
from functools import partial
from typing import TYPE_CHECKING

import structlog
from django.db import Error as DatabaseError

from optarena import limits
from optarena.specs import calibration_version
from runner import conf, machine_use, services
from runner.calibration import Calibrated, calibrate
from runner.drift import LEAST_HISTORY
from runner.errors import MachineLockError, NotCalibratedError
from runner.models import Verification
from runner.plain_connections import with_connection
from runner.selectors import calibration_history
from runner.states import State

if TYPE_CHECKING:
    from runner.machine import Machine

_log = structlog.get_logger(__name__)


class Calibrator:
    """The calibrations of one worker's life.

    Attributes:
        drift: How its machine has changed, for everybody; empty if it has not, or if that is not known.
    """

    def __init__(self, name: str, hardware_class: str) -> None:
        self.name = name[: limits.WORKER_NAME_LENGTH]
        self.hardware_class = hardware_class
        self.drift = ""
        self._next = 0.0
        self._thread: threading.Thread | None = None

    def before_work(self, machine: Machine) -> str:
        """Calibrate now if that can show a drift, or is to show that one has ended; waits for the result.

        Returns:
            The drift; empty if there is none, or if it is not known.
        """
        if conf.calibration_seconds() and (self.drift or (self._is_due() and self._has_history(machine))):
            self._measure(machine)
        return self.drift

    def beside_work(self, machine: Machine, runner_id: int) -> None:
        """Begin a calibration if one is due and can begin now; it pauses the worker if it shows a drift."""
        if not self._is_due() or (self._thread and self._thread.is_alive()) or _is_in_use(runner_id):
            return
        self._thread = threading.Thread(
            target=self._carry, args=(machine, runner_id), name="calibration", daemon=True
        )
        self._thread.start()

    def _is_due(self) -> bool:
        return conf.calibration_seconds() > 0 and time.monotonic() >= self._next

    def _has_history(self, machine: Machine) -> bool:
        return len(self._history(machine, calibration_version())) >= LEAST_HISTORY

    def _carry(self, machine: Machine, runner_id: int) -> None:
        try:
            with_connection(partial(self._measure_and_pause, machine, runner_id))
        except DatabaseError as error:
            _log.warning("a calibration is not stored", error=str(error))
            self._next = time.monotonic() + conf.heartbeat_seconds()
        except Exception:  # noqa: BLE001 # logged; the worker goes on, and calibrates again later
            _log.exception("calibrating failed")
            self._next = time.monotonic() + conf.CALIBRATION_RETRY_SECONDS

    def _measure_and_pause(self, machine: Machine, runner_id: int) -> None:
        self._measure(machine)
        if self.drift:
            services.pause_drifted(runner_id=runner_id, reason=self.drift)

    def _measure(self, machine: Machine) -> None:
        """Measure and store; a machine that could not be measured is as it was before."""
        try:
            found = calibrate(partial(self._history, machine))
        except NotCalibratedError as error:
            _log.warning("not calibrated", error=str(error))
            self._next = time.monotonic() + min(conf.CALIBRATION_RETRY_SECONDS, conf.calibration_seconds())
            return
        self._store(machine, found)
        self._next = time.monotonic() + conf.calibration_seconds()
        self.drift = found.drift
        _log.info("calibrated", tries=found.tries, drift=found.drift, seconds=found.times)

    def _history(self, machine: Machine, version: str) -> list[dict[str, float]]:
        return calibration_history(
            name=self.name, hardware_class=self.hardware_class, machine=machine.identity, version=version
        )

    def _store(self, machine: Machine, found: Calibrated) -> None:
        services.record_calibration(
            name=self.name, hardware_class=self.hardware_class, machine=machine, calibrated=found
        )


def _is_in_use(runner_id: int) -> bool:
    """Whether this worker measures something, or a replay has the machine for itself."""
    try:
        if machine_use.is_taken():
            return True
    except MachineLockError:  # the worker's next replay ends with it, and says why
        return True
    return Verification.objects.filter(runner=runner_id, state=State.MEASURING).exists()
