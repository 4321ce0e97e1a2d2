"""The runner's tables, and what the database itself refuses: to rewrite history, and what a worker may not write."""

import uuid

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import BrinIndex
from django.db import migrations, models
from django.db.models import Q

# Pruning announces itself in its transaction. Only the tables' owner may: a worker of another role may not.
# The functions name their schema: a role might hide the tables behind temporary ones of the same names.
FUNCTIONS = """
CREATE FUNCTION runner_refuse_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('optarena.pruning', true) = 'on'
       AND pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE') THEN
        RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
    END IF;
    RAISE EXCEPTION 'runner: % of % is refused: history is only added to', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE FUNCTION runner_keep_role() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.role := CASE TG_OP WHEN 'INSERT' THEN current_user ELSE OLD.role END;
    RETURN NEW;
END $$;

CREATE FUNCTION runner_is_own(wanted bigint) RETURNS boolean
    LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT EXISTS (SELECT 1 FROM runner_runner WHERE id = wanted AND role = current_user)
$$;

CREATE FUNCTION runner_verification_is_own(wanted uuid) RETURNS boolean
    LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT EXISTS (SELECT 1 FROM runner_verification WHERE id = wanted AND runner_is_own(runner_id))
$$;
"""
# What uses the functions goes with them.
NO_FUNCTIONS = """
DROP FUNCTION runner_refuse_history(), runner_keep_role(), runner_is_own(bigint), runner_verification_is_own(uuid)
    CASCADE;
"""

# The database itself refuses to rewrite history: events and attempts are only added, and an end is an end. An
# ended row is superseded once, which changes nothing else.
TRIGGERS = """
CREATE TRIGGER runner_event_append_only BEFORE UPDATE OR DELETE ON runner_verificationevent
    FOR EACH ROW EXECUTE FUNCTION runner_refuse_history();
CREATE TRIGGER runner_attempt_append_only BEFORE UPDATE OR DELETE ON runner_verificationattempt
    FOR EACH ROW EXECUTE FUNCTION runner_refuse_history();
CREATE TRIGGER runner_verification_end_is_final BEFORE UPDATE ON runner_verification FOR EACH ROW WHEN (
    OLD.finished_at IS NOT NULL AND (
        OLD.superseded_at IS NOT NULL OR NEW.superseded_at IS NULL
        OR to_jsonb(OLD) - ARRAY['superseded_at', 'last_seq'] <> to_jsonb(NEW) - ARRAY['superseded_at', 'last_seq']
    )
) EXECUTE FUNCTION runner_refuse_history();
CREATE TRIGGER runner_runner_role BEFORE INSERT OR UPDATE ON runner_runner
    FOR EACH ROW EXECUTE FUNCTION runner_keep_role();
CREATE TRIGGER runner_calibration_role BEFORE INSERT OR UPDATE ON runner_calibration
    FOR EACH ROW EXECUTE FUNCTION runner_keep_role();
"""

# Workers with a database role of their own write about their own leases only. Row-level security does not
# concern the tables' owner, as which the server and workers with full rights connect. A worker's own calibration
# is of now: of a moment that Python cannot read, no page could be shown.
OF_OWN_VERIFICATION = "runner_verification_is_own(verification_id)"
FREE_OR_OWN = """FOR UPDATE
    USING (finished_at IS NULL AND (state = 'queued' OR runner_is_own(runner_id)))
    WITH CHECK (runner_is_own(runner_id))"""
INSERT = {"own_insert": f"FOR INSERT WITH CHECK ({OF_OWN_VERIFICATION})"}
POLICIES = {
    "runner_runner": {
        "own_insert": "FOR INSERT WITH CHECK (role = current_user)",
        "own_update": "FOR UPDATE USING (role = current_user)",
        "own_delete": "FOR DELETE USING (role = current_user)",
    },
    "runner_verification": {"free_or_own_update": FREE_OR_OWN},
    "runner_verificationevent": INSERT,
    "runner_verificationattempt": INSERT,
    "runner_demand": {
        "own_update": f"FOR UPDATE USING ({OF_OWN_VERIFICATION})",
        "own_delete": f"FOR DELETE USING ({OF_OWN_VERIFICATION})",
    },
    "runner_unannouncedend": INSERT,
    "runner_calibration": {
        "own_insert": "FOR INSERT WITH CHECK (role = current_user"
        " AND at > now() - interval '1 day' AND at < now() + interval '1 day')"
    },
    "runner_study": {"free_or_own_update": FREE_OR_OWN},
}

# What a worker's role may write can be read: times in the calendar of Python, and digests as a list of texts.
# Otherwise a single row of its own would end each pass of the sweeper, and the pages that read the row.
TIMES = {
    "runner_demand": ("created_at", "available_at", "started_at"),
    "runner_payer": ("counted_at",),
    "runner_runner": ("started_at", "seen_at", "stopped_at", "paused_at"),
    "runner_study": ("available_at", "woken_at", "lease_expires_at", "created_at", "finished_at"),
    "runner_turn": ("taken_at",),
    "runner_verification": (
        "available_at",
        "woken_at",
        "lease_expires_at",
        "created_at",
        "finished_at",
        "superseded_at",
    ),
    "runner_verificationattempt": ("started_at", "ended_at"),
    "runner_verificationevent": ("at",),
}
DIGESTS = """
ALTER TABLE runner_runner ADD CONSTRAINT runner_runner_digests CHECK (
    jsonb_typeof(digests) = 'array' AND NOT jsonb_path_exists(digests, 'strict $[*] ? (@.type() != "string")')
);
"""


def secure(table: str, policies: dict[str, str]) -> str:
    """Let roles other than the owner do what the policies allow, and read."""
    rules = {"everybody_reads": "FOR SELECT USING (true)", **policies}
    create = "".join(f"CREATE POLICY {name} ON {table} {rule};\n" for name, rule in rules.items())
    return f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;\n{create}"


def limit_times(table: str, columns: tuple[str, ...]) -> str:
    """Refuse times that Python cannot read."""
    wanted = " AND ".join(f"{one} BETWEEN '1970-01-01 00:00Z' AND '9000-01-01 00:00Z'" for one in columns)
    return f"ALTER TABLE {table} ADD CONSTRAINT {table}_times CHECK ({wanted});"


GUARDS = "\n".join(
    (
        TRIGGERS,
        *(secure(*one) for one in POLICIES.items()),
        *(limit_times(*one) for one in TIMES.items()),
        DIGESTS,
    )
)


_ID = ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"))
_UUID = ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False))
_STATES = [
    (name, name)
    for name in ("queued", "leased", "replaying", "checking", "measuring", "recorded", "failed", "cancelled")
]
_RUNNING = ["checking", "leased", "measuring", "replaying"]
_ENDED = ["cancelled", "failed", "recorded"]


def _key(to, related_name="+", *, on_delete=models.PROTECT, **options):
    return models.ForeignKey(to=to, related_name=related_name, on_delete=on_delete, **options)


class Migration(migrations.Migration):
    initial = True

    dependencies = [("datasets", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Calibration",
            fields=[
                _ID,
                ("name", models.CharField(max_length=200)),
                ("hardware_class", models.CharField(max_length=60)),
                ("at", models.DateTimeField()),
                ("machine", models.CharField(max_length=64)),
                ("fingerprint", models.JSONField()),
                ("version", models.TextField()),
                ("vector", models.JSONField()),
                ("conditions", models.JSONField()),
                ("tries", models.PositiveSmallIntegerField()),
                ("drift", models.TextField(blank=True)),
                ("role", models.CharField(blank=True, db_default="", editable=False, max_length=63)),
            ],
            options={
                "verbose_name": "calibration of a machine",
                "verbose_name_plural": "calibrations of machines",
                "ordering": ("-at", "-id"),
                "indexes": [
                    models.Index(fields=["name", "hardware_class", "-at"], name="runner_calibration_history")
                ],
            },
        ),
        migrations.CreateModel(
            name="EnvironmentVersion",
            fields=[
                _ID,
                ("env_id", models.SlugField(max_length=100)),
                ("digest", models.CharField(max_length=64)),
                ("spec", models.JSONField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "verbose_name": "version of an environment",
                "verbose_name_plural": "versions of environments",
                "ordering": ("env_id", "created_at"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("env_id", "digest"), name="runner_environment_version_unique"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Payer",
            fields=[
                _ID,
                ("name", models.CharField(max_length=64, unique=True)),
                ("used_seconds", models.FloatField(default=0.0)),
                ("counted_at", models.DateTimeField()),
            ],
            options={
                "verbose_name": "budget of an owner",
                "verbose_name_plural": "budgets of owners",
                "constraints": [
                    models.CheckConstraint(
                        condition=Q(used_seconds__gte=0), name="runner_payer_used_not_negative"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Turn",
            fields=[
                _ID,
                ("hardware_class", models.CharField(max_length=60)),
                ("taken_at", models.DateTimeField()),
                ("payer", _key("runner.payer", "turns", on_delete=models.CASCADE)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("payer", "hardware_class"), name="runner_turn_once")
                ]
            },
        ),
        migrations.CreateModel(
            name="Runner",
            fields=[
                _ID,
                ("name", models.CharField(max_length=200)),
                ("hardware_class", models.CharField(max_length=60)),
                ("fingerprint", models.JSONField()),
                ("versions", models.JSONField()),
                ("started_at", models.DateTimeField()),
                ("seen_at", models.DateTimeField()),
                ("stopped_at", models.DateTimeField(null=True)),
                ("life", models.UUIDField(null=True, unique=True)),
                ("digests", models.JSONField(null=True)),
                ("self_test", models.JSONField(null=True)),
                ("paused_at", models.DateTimeField(null=True)),
                ("pause_reason", models.TextField(blank=True, db_default="")),
                ("faults", models.JSONField(db_default=[], default=list)),
                ("processes", models.PositiveIntegerField(db_default=1, default=1)),
                ("role", models.CharField(blank=True, db_default="", editable=False, max_length=63)),
            ],
            options={
                "ordering": ("hardware_class", "name", "started_at"),
                "indexes": [models.Index(fields=["hardware_class", "seen_at"], name="runner_runner_seen")],
            },
        ),
        migrations.CreateModel(
            name="Verification",
            fields=[
                _UUID,
                ("environment_digest", models.CharField(max_length=64)),
                ("benchmark_uri", models.CharField(max_length=300)),
                ("benchmark_sha256", models.CharField(max_length=64)),
                ("actions", models.JSONField()),
                ("actions_sha256", models.CharField(max_length=64)),
                ("hardware_class", models.CharField(max_length=60)),
                ("state", models.CharField(choices=_STATES, default="queued", max_length=12)),
                ("reason", models.CharField(blank=True, max_length=60)),
                ("detail", models.TextField(blank=True)),
                ("attempt", models.PositiveSmallIntegerField(default=0)),
                ("last_seq", models.PositiveIntegerField(default=1)),
                ("available_at", models.DateTimeField()),
                ("woken_at", models.DateTimeField(null=True)),
                ("lease_token", models.UUIDField(null=True)),
                ("lease_expires_at", models.DateTimeField(null=True)),
                ("worker", models.CharField(blank=True, max_length=200)),
                ("progress_phase", models.CharField(blank=True, max_length=12)),
                ("progress_done", models.PositiveIntegerField(default=0)),
                ("progress_total", models.PositiveIntegerField(default=0)),
                ("result", models.JSONField(null=True)),
                ("metrics", models.JSONField(null=True)),
                ("sandbox", models.JSONField(null=True)),
                ("created_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(null=True)),
                ("benchmark", _key("datasets.benchmark", "verifications")),
                ("environment_version", _key("runner.environmentversion", "verifications")),
                ("workloads_sha256", models.CharField(blank=True, db_default="", default="", max_length=64)),
                (
                    "wanted_metrics",
                    ArrayField(base_field=models.CharField(max_length=60), null=True, size=None),
                ),
                ("superseded_at", models.DateTimeField(null=True)),
                ("runner", _key("runner.runner", "verifications", db_index=False, null=True)),
                ("repeats", _key("runner.verification", "repetitions", db_index=False, null=True)),
                ("blocks", models.PositiveSmallIntegerField(null=True)),
                ("kept_blocks", models.JSONField(null=True)),
                ("action_space", models.CharField(blank=True, db_default="", default="", max_length=100)),
                ("prepared", models.JSONField(null=True)),
            ],
            options={
                "ordering": ("-created_at", "id"),
                "indexes": [
                    models.Index(fields=["-created_at", "id"], name="runner_verification_newest"),
                    models.Index(
                        condition=Q(state="queued"),
                        fields=["hardware_class", "created_at", "id"],
                        name="runner_verification_queue",
                    ),
                    models.Index(
                        condition=Q(state__in=_RUNNING),
                        fields=["lease_expires_at"],
                        name="runner_verification_leases",
                    ),
                    models.Index(
                        condition=Q(runner__isnull=False),
                        fields=["runner"],
                        name="runner_verification_runner",
                    ),
                    models.Index(
                        condition=Q(repeats__isnull=False),
                        fields=["repeats"],
                        name="runner_verification_repeats",
                    ),
                    models.Index(
                        condition=Q(finished_at__isnull=False),
                        fields=["state", "reason"],
                        name="runner_verification_ends",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=~Q(state="cancelled")
                        & ~Q(reason__startswith="infra:")
                        & Q(repeats__isnull=True, superseded_at__isnull=True),
                        fields=(
                            "environment_digest",
                            "benchmark_sha256",
                            "actions_sha256",
                            "workloads_sha256",
                            "hardware_class",
                            "wanted_metrics",
                        ),
                        name="runner_verification_first_of_work",
                        nulls_distinct=False,
                    ),
                    models.UniqueConstraint(
                        condition=Q(finished_at__isnull=True, repeats__isnull=False),
                        fields=("repeats",),
                        name="runner_verification_one_repetition_at_once",
                    ),
                    models.CheckConstraint(
                        condition=Q(superseded_at__isnull=True) | Q(finished_at__isnull=False),
                        name="runner_verification_superseded_after_its_end",
                    ),
                    models.CheckConstraint(
                        condition=Q(state__in=sorted(name for name, _ in _STATES)),
                        name="runner_verification_state_known",
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            lease_expires_at__isnull=False, lease_token__isnull=False, state__in=_RUNNING
                        )
                        | (
                            ~Q(state__in=_RUNNING)
                            & Q(lease_expires_at__isnull=True, lease_token__isnull=True)
                        ),
                        name="runner_verification_lease_iff_running",
                    ),
                    models.CheckConstraint(
                        condition=(Q(state="failed") & ~Q(reason="")) | (~Q(state="failed") & Q(reason="")),
                        name="runner_verification_reason_iff_failed",
                    ),
                    models.CheckConstraint(
                        condition=Q(finished_at__isnull=False, state__in=_ENDED)
                        | (~Q(state__in=_ENDED) & Q(finished_at__isnull=True)),
                        name="runner_verification_finished_iff_terminal",
                    ),
                    models.CheckConstraint(
                        condition=~Q(state="recorded") | Q(metrics__isnull=False, result__isnull=False),
                        name="runner_verification_recorded_has_result",
                    ),
                    models.CheckConstraint(
                        condition=Q(result__isnull=True) | ~Q(result__measurement__emulated=True),
                        name="runner_verification_never_emulated",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="VerificationEvent",
            fields=[
                _ID,
                ("seq", models.PositiveIntegerField()),
                ("from_state", models.CharField(blank=True, max_length=12)),
                ("to_state", models.CharField(choices=_STATES, max_length=12)),
                ("actor", models.CharField(max_length=200)),
                ("reason", models.CharField(blank=True, max_length=60)),
                ("detail", models.TextField(blank=True)),
                ("at", models.DateTimeField()),
                ("verification", _key("runner.verification", "events")),
            ],
            options={
                "ordering": ("verification", "seq"),
                "indexes": [
                    BrinIndex(fields=["at"], name="runner_event_times"),
                    models.Index(condition=Q(actor="sweeper"), fields=["at"], name="runner_event_sweeps"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("verification", "seq"), name="runner_event_seq_unique")
                ],
            },
        ),
        migrations.CreateModel(
            name="VerificationAttempt",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("number", models.PositiveIntegerField()),
                ("lease_attempt", models.PositiveSmallIntegerField()),
                ("worker", models.CharField(max_length=200)),
                ("started_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField()),
                (
                    "decision",
                    models.CharField(
                        choices=[
                            ("record", "recorded"),
                            ("confirm", "repeated"),
                            ("fail", "failed"),
                            ("give-back", "given back"),
                        ],
                        max_length=12,
                    ),
                ),
                ("reason", models.CharField(max_length=60)),
                ("detail", models.TextField(blank=True)),
                ("failed_step", models.PositiveIntegerField(null=True)),
                ("evidence", models.JSONField(default=dict)),
                ("verification", _key("runner.verification", "attempts")),
            ],
            options={
                "ordering": ("verification", "number"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("verification", "number"), name="runner_attempt_number_unique"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="UnannouncedEnd",
            fields=[
                (
                    "verification",
                    models.OneToOneField(
                        on_delete=models.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="runner.verification",
                    ),
                )
            ],
        ),
        migrations.CreateModel(
            name="Demand",
            fields=[
                _ID,
                ("hardware_class", models.CharField(max_length=60)),
                ("created_at", models.DateTimeField()),
                ("waiting", models.BooleanField(default=True)),
                ("available_at", models.DateTimeField()),
                ("started_at", models.DateTimeField(null=True)),
                ("seconds", models.FloatField(default=0.0)),
                ("verification", _key("runner.verification", "demands", on_delete=models.CASCADE)),
                ("payer", _key("runner.payer", "demands")),
            ],
            options={
                "verbose_name": "replay that an owner waits for",
                "verbose_name_plural": "replays that owners wait for",
                "ordering": ("id",),
                "indexes": [
                    models.Index(
                        condition=Q(waiting=True),
                        fields=["hardware_class", "payer", "id"],
                        include=("available_at", "seconds"),
                        name="runner_demand_line",
                    ),
                    models.Index(
                        condition=Q(waiting=False),
                        fields=["hardware_class", "payer"],
                        name="runner_demand_running",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("verification", "payer"), name="runner_demand_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Study",
            fields=[
                _UUID,
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("difference", "difference"),
                            ("minimised", "minimised"),
                            ("look-ahead", "look ahead"),
                            ("outputs", "outputs"),
                        ],
                        max_length=12,
                    ),
                ),
                ("identity", models.CharField(max_length=64)),
                ("played", models.JSONField(null=True)),
                ("steps", models.PositiveIntegerField()),
                ("hardware_class", models.CharField(max_length=60)),
                ("environment_digest", models.CharField(max_length=64)),
                ("automatic", models.BooleanField(default=False)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "queued"),
                            ("running", "running"),
                            ("done", "done"),
                            ("failed", "failed"),
                        ],
                        default="queued",
                        max_length=8,
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=60)),
                ("detail", models.TextField(blank=True)),
                ("attempt", models.PositiveSmallIntegerField(default=0)),
                ("available_at", models.DateTimeField()),
                ("woken_at", models.DateTimeField(null=True)),
                ("lease_token", models.UUIDField(null=True)),
                ("lease_expires_at", models.DateTimeField(null=True)),
                ("worker", models.CharField(blank=True, max_length=200)),
                ("progress", models.JSONField(null=True)),
                ("result", models.JSONField(null=True)),
                ("created_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "runner",
                    _key(
                        "runner.runner",
                        on_delete=models.DO_NOTHING,
                        db_constraint=False,
                        db_index=False,
                        null=True,
                    ),
                ),
                ("payer", _key("runner.payer", "studies", db_index=False, null=True)),
                (
                    "verification",
                    _key(
                        "runner.verification", "studies", on_delete=models.CASCADE, db_index=False, null=True
                    ),
                ),
            ],
            options={
                "verbose_name": "question about a result",
                "verbose_name_plural": "questions about results",
                "ordering": ("-created_at", "id"),
                "indexes": [
                    models.Index(
                        condition=Q(state="queued"),
                        fields=["hardware_class", "automatic", "available_at", "id"],
                        name="runner_study_line",
                    ),
                    models.Index(
                        condition=Q(state="running"), fields=["lease_expires_at"], name="runner_study_leases"
                    ),
                    models.Index(fields=["kind", "finished_at"], name="runner_study_ends"),
                    models.Index(fields=["verification"], name="runner_study_verification"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("identity",), name="runner_study_once"),
                    models.CheckConstraint(
                        condition=Q(played__isnull=True, verification__isnull=False)
                        | Q(played__isnull=False, verification__isnull=True),
                        name="runner_study_of_replay_or_state",
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            lease_expires_at__isnull=False, lease_token__isnull=False, state="running"
                        )
                        | (~Q(state="running") & Q(lease_expires_at__isnull=True, lease_token__isnull=True)),
                        name="runner_study_lease_iff_running",
                    ),
                    models.CheckConstraint(
                        condition=Q(finished_at__isnull=False, reason="", result__isnull=False, state="done")
                        | (Q(finished_at__isnull=False, result__isnull=True, state="failed") & ~Q(reason=""))
                        | Q(
                            finished_at__isnull=True,
                            reason="",
                            result__isnull=True,
                            state__in=["queued", "running"],
                        ),
                        name="runner_study_ended_iff_finished",
                    ),
                ],
            },
        ),
        migrations.RunSQL(FUNCTIONS, NO_FUNCTIONS),
        migrations.RunSQL(GUARDS, migrations.RunSQL.noop),  # all of it goes with the tables
    ]
