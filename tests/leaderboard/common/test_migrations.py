"""Migrations are those of the models."""

from __future__ import annotations

from django.core.management import call_command


def test_models_and_migrations_agree(db: None) -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
