"""Workers that say that they are there; and no result of an imitated device, whoever writes it."""

from __future__ import annotations

from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("runner", "0002_guards")]

    operations = [
        migrations.CreateModel(
            name="Runner",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("hardware_class", models.CharField(max_length=60)),
                ("fingerprint", models.JSONField()),
                ("versions", models.JSONField()),
                ("started_at", models.DateTimeField()),
                ("seen_at", models.DateTimeField()),
                ("stopped_at", models.DateTimeField(null=True)),
            ],
            options={"ordering": ("hardware_class", "name", "started_at")},
        ),
        migrations.AddIndex(
            model_name="runner",
            index=models.Index(fields=["hardware_class", "seen_at"], name="runner_runner_seen"),
        ),
        # Not validated: to read the whole table would keep everybody from it meanwhile, and no row is older than
        # the first measurement, so that none can be of an imitated device. New and changed rows are checked.
        AddConstraintNotValid(
            model_name="verification",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("result__isnull", True),
                    models.Q(("result__measurement__emulated", True), _negated=True),
                    _connector="OR",
                ),
                name="runner_verification_never_emulated",
            ),
        ),
    ]
