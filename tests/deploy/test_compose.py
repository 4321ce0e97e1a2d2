"""docker-compose.yml, which no engine runs here: its schema, its promises, and that its commands exist."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.core.management import get_commands

from leaderboard.embedded.server import web_command, worker_command
from runner.tasks import check_worker
from tests.kit.folders import ROOT

COMPOSE = ROOT / "docker-compose.yml"
SERVICES: dict[str, dict[str, Any]] = yaml.safe_load(COMPOSE.read_text())["services"]
OURS = sorted(name for name, service in SERVICES.items() if service["image"].startswith("optarena"))
LASTING = sorted(name for name, service in SERVICES.items() if service.get("restart") != "no")


def check_schema(file: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(file)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_it_follows_the_compose_specification() -> None:
    done = check_schema(COMPOSE)
    assert done.returncode == 0, done.stdout + done.stderr


def test_only_the_gpu_worker_needs_a_profile_and_it_cannot_be_scaled() -> None:
    profiles = {name: service["profiles"] for name, service in SERVICES.items() if "profiles" in service}
    assert profiles == {"worker-cuda": ["cuda"]}
    devices = SERVICES["worker-cuda"]["deploy"]["resources"]["reservations"]["devices"]
    assert devices == [{"driver": "nvidia", "count": 1, "capabilities": ["gpu"]}]
    # Each container would get the first GPU, and none would know of the others.
    assert SERVICES["worker-cuda"]["container_name"]


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_every_container_is_bounded(name: str) -> None:
    service = SERVICES[name]
    assert service["cap_drop"] == ["ALL"]
    assert name == "postgres" or "cap_add" not in service
    assert service["logging"]["driver"] == "local"
    assert service["logging"]["options"].keys() == {"max-size", "max-file"}
    assert not [volume for volume in service.get("volumes", []) if volume.startswith((".", "/", "~"))]
    # A check runs without the variables that the entrypoint exports.
    test = " ".join(service.get("healthcheck", {}).get("test", []))
    assert "manage.py" not in test or test.startswith("CMD entrypoint ")


def test_a_plain_start_asks_for_no_variable() -> None:
    assert ":?" not in COMPOSE.read_text()
    assert "password" not in COMPOSE.read_text().lower().replace("postgres-password", "").replace(
        "postgres_password_file", ""
    )


@pytest.mark.parametrize("name", LASTING)
def test_what_lasts_has_a_health_check_and_limits(name: str) -> None:
    service = SERVICES[name]
    assert service["healthcheck"]["test"]
    assert service["mem_limit"]
    assert service["pids_limit"]
    assert service["restart"] == "unless-stopped"


def test_the_check_of_the_sweeper_sweeps_nothing_and_reads_what_the_sweeper_writes() -> None:
    sweeper = SERVICES["sweeper"]
    *_, option, file = sweeper["command"]
    assert option == "--heartbeat"
    assert sweeper["healthcheck"]["test"][-3:] == ["sweeper", "--check", file]
    assert file.startswith("/tmp/"), "nothing else can be written"  # noqa: S108 - of the container


@pytest.mark.parametrize("name", OURS)
def test_our_containers_are_confined(name: str) -> None:
    service = SERVICES[name]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["read_only"] is True
    assert not service.get("privileged")
    # Celery as the first process waits only for its own; zombies would count until `pids_limit`.
    assert name == "secrets" or service["init"] is True


@pytest.mark.parametrize("name", [name for name in OURS if name != "secrets"])
def test_every_setting_of_the_manual_can_be_given(name: str) -> None:
    service = SERVICES[name]
    # The file from which Compose itself reads variables: what `environment` names is in it as well.
    assert service["env_file"] == [{"path": ".env", "required": False}]
    # `environment` wins over the file, so what it names is read from there or has to be what it is.
    fixed = {one: given for one, given in service["environment"].items() if f"${{{one}:-" not in given}
    for folder in ("OPTARENA_BLOB_ROOT", "OPTARENA_DATA_ROOT", "OPTARENA_STATIC_ROOT"):
        assert f"{folder}={fixed.pop(folder)} " in (ROOT / "Dockerfile").read_text()
    gpu = {"OPTARENA_HARDWARE_CLASS", "NVIDIA_DRIVER_CAPABILITIES"} if name == "worker-cuda" else set()
    of_web = {"OPTARENA_EMAIL_URL", "OPTARENA_METRICS_TOKEN"} if name.startswith("worker") else set()
    assert fixed.keys() == gpu | of_web


def test_only_the_web_server_can_be_reached_from_outside_and_only_from_this_machine() -> None:
    published = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert published == {"web": ["${OPTARENA_BIND:-127.0.0.1}:${OPTARENA_PORT:-8000}:8000"]}
    for name in ("worker-cpu", "worker-cuda", "sweeper", "postgres", "valkey"):
        assert SERVICES[name]["networks"] == ["internal"]


def test_a_worker_cannot_write_programs() -> None:
    for name in ("worker-cpu", "worker-cuda", "web"):
        assert "blobs:/srv/optarena/blobs:ro" in SERVICES[name]["volumes"]


def test_the_database_orders_text_like_the_embedded_one() -> None:
    arguments = SERVICES["postgres"]["environment"]["POSTGRES_INITDB_ARGS"]
    assert "--locale-provider=builtin --builtin-locale=C.UTF-8" in arguments
    assert "postgres:/var/lib/postgresql" in SERVICES["postgres"]["volumes"]


def test_a_database_that_is_still_prepared_is_not_healthy() -> None:
    # The image prepares an empty folder by a server that listens to no address, and then ends that server.
    assert "-h 127.0.0.1 " in SERVICES["postgres"]["healthcheck"]["test"][-1]


def test_the_manual_waits_for_the_database_before_it_restores_a_backup() -> None:
    manual = (ROOT / "docs/04-operating.md").read_text()
    assert "docker compose up -d --wait postgres\ndocker compose exec -T postgres pg_restore" in manual


def test_workers_are_started_like_the_embedded_one() -> None:
    assert SERVICES["worker-cpu"]["command"] == ["celery", *worker_command()[3:]]
    cuda = SERVICES["worker-cuda"]["command"]
    assert cuda == ["cuda" if word == "cpu" else word for word in SERVICES["worker-cpu"]["command"]]
    # Docker names a container without a host name by chance, and calibrations are kept by the worker's name.
    for name in ("worker-cpu", "worker-cuda"):
        assert SERVICES[name]["hostname"] == f"optarena-{name}"
    for name in ("bootstrap", "sweeper"):
        python, script, command, *_ = SERVICES[name]["command"]
        assert (python, script) == ("python", "manage.py")
        assert command in get_commands()


def test_a_gpu_worker_so_started_is_fit_for_its_class() -> None:
    given = SERVICES["worker-cuda"]["environment"]["OPTARENA_HARDWARE_CLASS"]
    assert given.removesuffix("}").endswith("-cuda")
    for name in OURS:
        if name != "secrets":
            assert SERVICES[name]["environment"]["OPTARENA_CUDA_HARDWARE_CLASS"] == given
    command = SERVICES["worker-cuda"]["command"]
    queue, processes = (command[command.index(option) + 1] for option in ("-Q", "-c"))
    check_worker(
        hardware=settings.OPTARENA_HARDWARE_CLASSES["cuda"], queues={queue}, processes=int(processes)
    )


def test_only_the_gpu_worker_has_an_image_of_its_own() -> None:
    images: dict[str, set[str]] = {}
    for name in OURS:
        images.setdefault(SERVICES[name]["image"], set()).add(name)
    assert images.pop("optarena-cuda:latest") == {"worker-cuda"}
    assert list(images) == ["optarena:latest"]
    assert SERVICES["worker-cuda"]["build"] == {
        "context": ".",
        "args": {"REQUIREMENTS": "requirements-cuda.lock"},
    }
    # One service builds it, since each that does leaves an image; all others start after that one.
    built = {name: SERVICES[name]["build"] for name in images["optarena:latest"] if "build" in SERVICES[name]}
    assert built == {"secrets": "."}
    for name in images["optarena:latest"] - built.keys():
        assert "secrets" in services_before(name)


def services_before(name: str) -> set[str]:
    """The services that are started before one, at whatever distance."""
    direct = set(SERVICES[name].get("depends_on", {}))
    return direct.union(*map(services_before, direct))


def pinned(name: str) -> dict[str, set[str]]:
    """The versions of each package in a lock; several where they depend on Python's."""
    found: dict[str, set[str]] = {}
    for package, version in re.findall(r"^([a-z0-9-]+)==(\S+)", (ROOT / name).read_text(), re.MULTILINE):
        found.setdefault(package, set()).add(version)
    return found


def test_the_gpu_workers_image_has_cupy_and_otherwise_what_the_others_have() -> None:
    plain, cuda = pinned("requirements.lock"), pinned("requirements-cuda.lock")
    assert {"cupy-cuda13x", "nvidia-cuda-nvrtc"} <= cuda.keys() - plain.keys()
    assert {"celery", "django", "karellen-llvm-core", "llvmlite", "numpy", "psycopg-binary"} <= cuda.keys()
    assert {name: plain[name] for name in plain.keys() & cuda.keys()} == {
        name: cuda[name] for name in plain.keys() & cuda.keys()
    }


def test_celery_understands_the_worker_command() -> None:
    command = [sys.executable, "-m", *SERVICES["worker-cpu"]["command"], "--help"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


class TestImage:
    """The Dockerfile and what it copies."""

    text = (ROOT / "Dockerfile").read_text()

    def test_the_last_stage_runs_as_an_ordinary_user(self) -> None:
        users = [line.split()[1] for line in self.text.splitlines() if line.startswith("USER ")]
        assert users == ["optarena"]

    def test_requirements_are_installed_by_hash(self) -> None:
        assert "--require-hashes -r requirements-build.lock" in self.text
        assert '/opt/venv/bin/python -m pip install --require-hashes -r "$REQUIREMENTS"' in self.text
        assert "ARG REQUIREMENTS=requirements.lock\n" in self.text

    def test_what_is_copied_exists_and_is_not_ignored(self) -> None:
        allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line[:1] == "!"}
        for line in self.text.splitlines():
            if line.startswith("COPY ") and "--from" not in line:
                for source in line.split()[1:-1]:
                    assert (ROOT / source).exists()
                    assert source.split("/")[0] in allowed

    def test_the_web_server_is_started_like_the_embedded_one(self) -> None:
        assert f"CMD {json.dumps(['python', *web_command(3)[1:3]])[:-1]}, " in self.text


class TestSecrets:
    """The scripts of the image, run here."""

    @pytest.fixture
    def environment(self, tmp_path: Path) -> dict[str, str]:
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        return {"PATH": path, "OPTARENA_SECRETS": str(tmp_path)}

    def test_are_made_once(self, environment: dict[str, str], tmp_path: Path) -> None:
        command = ["sh", str(ROOT / "docker/secrets")]
        subprocess.run(command, env=environment, check=True)
        first = {path.name: path.read_text() for path in tmp_path.iterdir()}
        subprocess.run(command, env=environment, check=True)
        assert {path.name: path.read_text() for path in tmp_path.iterdir()} == first
        assert sorted(first) == ["postgres-password", "secret-key"]
        assert min(map(len, first.values())) >= 50

    def test_reach_the_command_as_variables(self, environment: dict[str, str], tmp_path: Path) -> None:
        (tmp_path / "secret-key").write_text("k" * 50)
        (tmp_path / "postgres-password").write_text("word")
        command = ["sh", str(ROOT / "docker/entrypoint"), "env"]
        printed = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
        assert f"OPTARENA_SECRET_KEY={'k' * 50}\n" in printed
        assert "OPTARENA_DATABASE_URL=postgres://optarena:word@postgres:5432/optarena\n" in printed

    def test_a_given_variable_wins(self, environment: dict[str, str], tmp_path: Path) -> None:
        (tmp_path / "secret-key").write_text("k" * 50)
        command = ["sh", str(ROOT / "docker/entrypoint"), "env"]
        given = {**environment, "OPTARENA_SECRET_KEY": "mine"}
        printed = subprocess.run(command, env=given, check=True, capture_output=True, text=True).stdout
        assert "OPTARENA_SECRET_KEY=mine\n" in printed
