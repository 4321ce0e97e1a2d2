"""Loads datasets into a database of its own and prints what addresses answer.

It reads ``{"datasets": [...], "addresses": [...]}`` and writes ``{"answers": {address: [status, text]},
"modules": [...]}``, the names of all modules that were imported for it.
"""

from __future__ import annotations

import json
import sys

import django
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.test.utils import get_runner, setup_test_environment


def main() -> None:
    asked = json.load(sys.stdin)
    django.setup()
    setup_test_environment()
    runner = get_runner(settings)(verbosity=0, interactive=False)
    databases = runner.setup_databases()
    try:
        for dataset in asked["datasets"]:
            call_command("load_dataset", dataset, verbosity=0)
        answers = {address: _answer(address) for address in asked["addresses"]}
    finally:
        runner.teardown_databases(databases)
    print(json.dumps({"answers": answers, "modules": sorted(sys.modules)}))  # noqa: T201 - what it is for


def _answer(address: str) -> tuple[int, str]:
    response = Client().get(address)
    return response.status_code, response.content.decode()


if __name__ == "__main__":
    main()
