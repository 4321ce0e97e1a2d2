"""Boards, submissions, and what is derived of them."""

import uuid

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.functions import RandomUUID
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q, expressions, functions


_ID = ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"))
_UUID = ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False))
_VERDICTS = [
    (name, name.title()) for name in ("pending", "verified", "refuted", "quarantined", "failed", "withdrawn")
]
_PREFERENCE = (
    models.OrderBy(models.F("rankable"), descending=True),
    models.OrderBy(models.F("score"), descending=True, nulls_last=True),
    models.OrderBy(models.F("submitted_at")),
    models.OrderBy(models.F("effective_actions")),
    models.OrderBy(models.F("submission_id")),
)

_RANKABLE = (
    ("score__isnull", False),
    ("score__gt", 0),
    ("verified", models.F("total")),
    ("total__gt", 0),
    Q(verified__gte=expressions.CombinedExpression(models.F("copied"), "*", models.Value(2)))
    | Q(records__gt=0),
)


def _kept_condition(*parts):
    return models.GeneratedField(
        db_persist=True,
        expression=models.Case(models.When(Q(*parts), then=True), default=False),
        output_field=models.BooleanField(),
    )


def _new_group():
    random = functions.Cast(RandomUUID(), models.CharField())
    return models.CharField(db_default=random, max_length=300)


def _key(to, related_name="+", *, on_delete=models.PROTECT, **options):
    return models.ForeignKey(to=to, related_name=related_name, on_delete=on_delete, **options)


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("datasets", "0001_initial"),
        ("runner", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Board",
            fields=[
                _ID,
                ("slug", models.SlugField(max_length=64, unique=True)),
                ("title", models.CharField(max_length=120)),
                ("description", models.TextField(blank=True)),
                ("metric", models.CharField(max_length=64)),
                ("baseline_level", models.CharField(blank=True, default="Oz", max_length=16)),
                ("exact", models.BooleanField(default=True)),
                (
                    "state",
                    models.CharField(
                        choices=[("open", "Open"), ("frozen", "Frozen")], default="open", max_length=16
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("dataset_version", _key("datasets.datasetversion", "boards")),
                ("environment_version", _key("runner.environmentversion", "boards")),
                ("plausible_ratio", models.FloatField(default=1.5)),
                ("open_after_days", models.PositiveSmallIntegerField(db_default=30, default=30)),
                ("benchmarks", models.JSONField(blank=True, db_default=[], default=list)),
                ("device", models.CharField(db_default="cpu", default="cpu", max_length=16)),
                ("reference_metric", models.CharField(blank=True, db_default="", default="", max_length=64)),
                ("provisional", models.BooleanField(db_default=False, default=False)),
                ("withdrawn", models.TextField(blank=True, db_default="", default="")),
            ],
            options={
                "ordering": ("slug",),
                "constraints": [
                    models.CheckConstraint(
                        condition=(Q(baseline_level="") & ~Q(reference_metric=""))
                        | (~Q(baseline_level="") & Q(reference_metric="")),
                        name="board_compares_with_one_thing",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Submission",
            fields=[
                _UUID,
                ("agent", models.CharField(max_length=80)),
                ("description", models.TextField(blank=True, max_length=2000)),
                ("url", models.URLField(blank=True, max_length=400)),
                ("compilations", models.PositiveBigIntegerField(blank=True, null=True)),
                ("walltime_seconds", models.FloatField(blank=True, null=True)),
                ("trained_on_test_set", models.BooleanField(default=False)),
                ("content_sha256", models.CharField(max_length=64)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("opened_at", models.DateTimeField(blank=True, null=True)),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
                ("board", _key("leaderboard.board", "submissions")),
                ("owner", _key(settings.AUTH_USER_MODEL)),
                ("baseline_command", models.TextField(blank=True, db_default="", default="")),
            ],
            options={
                "ordering": ("-created", "id"),
                "indexes": [
                    models.Index(
                        fields=["board", "content_sha256", "created"], name="submission_same_content"
                    ),
                    models.Index(fields=["board", "-created"], name="submission_board_created"),
                    models.Index(fields=["owner", "-created"], name="submission_owner_created"),
                    models.Index(fields=["-created"], name="submission_created"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=Q(walltime_seconds__isnull=True) | Q(walltime_seconds__gte=0),
                        name="submission_walltime_not_negative",
                    ),
                    models.CheckConstraint(condition=~Q(agent=""), name="submission_agent_named"),
                ],
            },
        ),
        migrations.CreateModel(
            name="SubmissionItem",
            fields=[
                _ID,
                ("position", models.PositiveIntegerField()),
                ("benchmark_uri", models.CharField(max_length=400)),
                ("actions", models.JSONField()),
                ("actions_sha256", models.CharField(max_length=64)),
                ("commandline", models.TextField()),
                ("reward", models.FloatField(blank=True, null=True)),
                ("walltime", models.FloatField(blank=True, null=True)),
                ("claims", models.JSONField(blank=True, default=dict)),
                ("verdict", models.CharField(choices=_VERDICTS, default="pending", max_length=16)),
                ("reason", models.CharField(blank=True, max_length=64)),
                ("detail", models.TextField(blank=True)),
                ("value", models.FloatField(blank=True, null=True)),
                ("ratio", models.FloatField(blank=True, null=True)),
                ("log_ratio", models.FloatField(blank=True, null=True)),
                ("effective_actions", models.PositiveIntegerField(blank=True, null=True)),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
                ("benchmark", _key("datasets.benchmark", "submission_items")),
                ("submission", _key("leaderboard.submission", "items", on_delete=models.CASCADE)),
                ("verification", _key("runner.verification", "submission_items", null=True)),
                ("claim_status", models.JSONField(blank=True, db_default={}, default=dict)),
                ("reviewed", models.BooleanField(db_default=False, default=False)),
                ("log_variance", models.FloatField(blank=True, null=True)),
                ("log_freedom", models.FloatField(blank=True, null=True)),
                ("action_space", models.CharField(blank=True, db_default="", default="", max_length=100)),
                ("state_sha256", models.CharField(blank=True, db_default="", default="", max_length=64)),
                ("own", models.BooleanField(blank=True, null=True)),
                ("is_record", models.BooleanField(db_default=False, default=False)),
                ("opens_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name": "item of a submission",
                "verbose_name_plural": "items of submissions",
                "ordering": ("submission", "position"),
                "indexes": [
                    models.Index(
                        fields=["benchmark_uri", "verdict", "-ratio"],
                        include=("submission", "decided_at", "state_sha256", "id"),
                        name="item_benchmark_results",
                    ),
                    models.Index(
                        condition=Q(verdict__in=("pending", "refuted", "quarantined", "failed")),
                        fields=["submission", "verdict"],
                        name="item_counted_verdict",
                    ),
                    models.Index(fields=["submission", "decided_at"], name="item_decision_times"),
                    models.Index(
                        functions.Greatest("opens_at", "decided_at"),
                        condition=Q(own__isnull=False, verdict="verified"),
                        name="item_opening_times",
                    ),
                    models.Index(
                        condition=Q(ratio__isnull=False, verdict="verified"),
                        fields=["submission", "-ratio", "position"],
                        include=("benchmark_uri",),
                        name="item_largest_ratio",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("submission", "benchmark_uri"), name="item_benchmark_once_per_submission"
                    ),
                    models.UniqueConstraint(
                        fields=("submission", "position"), name="item_position_once_per_submission"
                    ),
                    models.CheckConstraint(
                        condition=~Q(verdict="verified")
                        | (
                            Q(value__isnull=False)
                            & Q(ratio__isnull=False)
                            & Q(log_ratio__isnull=False, value__gt=0)
                            & Q(ratio__gt=0)
                        ),
                        name="item_verified_has_positive_value",
                    ),
                    models.CheckConstraint(
                        condition=(
                            Q(verdict__in=["refuted", "quarantined", "failed", "withdrawn"]) & ~Q(reason="")
                        )
                        | (Q(verdict__in=["pending", "verified"]) & Q(reason="")),
                        name="item_reason_iff_not_accepted",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="FormerVerdict",
            fields=[
                _ID,
                ("verdict", models.CharField(choices=_VERDICTS, max_length=16)),
                ("reason", models.CharField(blank=True, max_length=64)),
                ("detail", models.TextField(blank=True)),
                ("value", models.FloatField(null=True)),
                ("ratio", models.FloatField(null=True)),
                ("reviewed", models.BooleanField(default=False)),
                ("decided_at", models.DateTimeField(null=True)),
                ("reopened_at", models.DateTimeField(auto_now_add=True)),
                ("reopened_by", models.CharField(max_length=200)),
                ("verification", _key("runner.verification", "former_verdicts", null=True)),
                ("item", _key("leaderboard.submissionitem", "former_verdicts", on_delete=models.CASCADE)),
            ],
            options={"ordering": ("item", "-reopened_at", "-pk")},
        ),
        migrations.CreateModel(
            name="IdempotencyKey",
            fields=[
                _ID,
                ("key", models.CharField(max_length=200)),
                ("body_sha256", models.CharField(max_length=64)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("owner", _key(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)),
                ("submission", _key("leaderboard.submission", on_delete=models.CASCADE)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("owner", "key"), name="idempotency_key_once_per_owner")
                ]
            },
        ),
        migrations.CreateModel(
            name="BestResult",
            fields=[
                _ID,
                ("benchmark_uri", models.CharField(max_length=400)),
                ("log_ratio", models.FloatField()),
                ("log_without", models.FloatField()),
                ("own", models.BooleanField(null=True)),
                ("board", _key("leaderboard.board", "bests", on_delete=models.CASCADE)),
                ("item", _key("leaderboard.submissionitem", on_delete=models.CASCADE, db_index=False)),
                (
                    "runner_up",
                    _key("leaderboard.submissionitem", on_delete=models.SET_NULL, db_index=False, null=True),
                ),
                ("submission", _key("leaderboard.submission", on_delete=models.CASCADE, db_index=False)),
            ],
            options={
                "ordering": ("board", "benchmark_uri"),
                "indexes": [models.Index(fields=["board", "submission"], name="best_of_submission")],
                "constraints": [
                    models.UniqueConstraint(fields=("board", "benchmark_uri"), name="best_once_per_benchmark")
                ],
            },
        ),
        migrations.CreateModel(
            name="SubmissionEdit",
            fields=[
                _ID,
                ("at", models.DateTimeField()),
                ("changes", models.JSONField()),
                ("submission", _key("leaderboard.submission", "edits", on_delete=models.CASCADE)),
            ],
            options={
                "ordering": ("-at", "-id"),
                "indexes": [models.Index(fields=["submission", "-at", "-id"], name="edit_newest")],
            },
        ),
        migrations.CreateModel(
            name="Find",
            fields=[
                _ID,
                ("state_sha256", models.CharField(max_length=64)),
                ("metric", models.CharField(max_length=64)),
                ("program_sha256", models.CharField(max_length=64)),
                ("ratio", models.FloatField()),
                ("own", models.BooleanField()),
                ("submitted_at", models.DateTimeField()),
                ("found_at", models.DateTimeField()),
                ("opens_at", models.DateTimeField()),
                ("owner", _key(settings.AUTH_USER_MODEL, "finds", on_delete=models.CASCADE)),
                ("item", _key("leaderboard.submissionitem", "finds", on_delete=models.SET_NULL, null=True)),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["program_sha256", "metric", "ratio", "opens_at"], name="find_by_opening"
                    ),
                    models.Index(
                        fields=["program_sha256", "metric", "ratio", "found_at"], name="find_by_time"
                    ),
                    models.Index(
                        condition=Q(own=True),
                        fields=["program_sha256", "metric", "ratio", "submitted_at"],
                        name="find_by_submission",
                    ),
                    models.Index(fields=["owner", "program_sha256", "metric", "ratio"], name="find_of_owner"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("state_sha256", "metric", "owner"), name="find_once_per_owner"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PortableBoard",
            fields=[
                _ID,
                ("slug", models.SlugField(max_length=64, unique=True)),
                ("title", models.CharField(max_length=120)),
                ("description", models.TextField(blank=True)),
                ("dataset", models.CharField(max_length=100)),
                ("metric", models.CharField(max_length=64)),
                ("baseline_level", models.CharField(max_length=16)),
                ("programs", models.PositiveIntegerField()),
                ("report_dataset", models.CharField(blank=True, max_length=100)),
                ("report_split", models.CharField(blank=True, max_length=20)),
                ("is_open", models.BooleanField(default=True)),
                ("environment_version", _key("runner.environmentversion", "portable_boards")),
                ("plausible_ratio", models.FloatField(db_default=1.5, default=1.5)),
            ],
            options={"ordering": ("slug",)},
        ),
        migrations.CreateModel(
            name="PortableRound",
            fields=[
                _ID,
                ("ends_at", models.DateTimeField()),
                ("programs", models.PositiveIntegerField()),
                ("programs_sha256", models.CharField(max_length=64)),
                ("draws", models.PositiveIntegerField(default=0)),
                ("drawn_at", models.DateTimeField(null=True)),
                ("measured", models.JSONField(default=list)),
                ("nonce", models.CharField(blank=True, max_length=64)),
                ("board", _key("leaderboard.portableboard", "rounds")),
            ],
            options={
                "ordering": ("-ends_at",),
                "constraints": [
                    models.UniqueConstraint(fields=("board", "ends_at"), name="portable_round_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="PortableEntry",
            fields=[
                _UUID,
                ("agent", models.CharField(max_length=80)),
                ("agent_group", models.CharField(max_length=300)),
                ("sequences", models.JSONField()),
                ("content_sha256", models.CharField(max_length=64)),
                ("sequence_sha256", ArrayField(base_field=models.CharField(max_length=64), size=None)),
                ("known", ArrayField(base_field=models.PositiveIntegerField(), default=list, size=None)),
                ("sealed_at", models.DateTimeField(auto_now_add=True)),
                ("round", _key("leaderboard.portableround", "entries")),
                ("defends", _key("leaderboard.portableentry", null=True)),
                ("drawn_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                ("score", models.FloatField(null=True)),
                ("score_error", models.FloatField(null=True)),
                ("report_score", models.FloatField(null=True)),
                ("unverified", models.PositiveIntegerField(default=0)),
                ("board", _key("leaderboard.portableboard", "entries")),
                ("owner", _key(settings.AUTH_USER_MODEL)),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
                ("is_doubted", models.BooleanField(db_default=False, default=False)),
                ("is_accepted", models.BooleanField(null=True)),
                ("published_at", models.DateTimeField(null=True)),
            ],
            options={
                "verbose_name_plural": "portable entries",
                "ordering": ("-sealed_at", "id"),
                "indexes": [
                    models.Index(fields=["board", "-sealed_at", "id"], name="portable_newest"),
                    models.Index(fields=["board", "content_sha256"], name="portable_same_content"),
                    GinIndex(fields=["sequence_sha256"], name="portable_same_sequence"),
                    models.Index(
                        condition=Q(drawn_at__isnull=True),
                        fields=["round", "sealed_at"],
                        name="portable_sealed",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=Q(defends__isnull=True, drawn_at__isnull=True),
                        fields=("owner", "board"),
                        name="portable_one_sealed_per_owner",
                    ),
                    models.UniqueConstraint(fields=("defends", "round"), name="portable_defends_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="PortableProgram",
            fields=[
                _ID,
                ("position", models.PositiveIntegerField()),
                ("benchmark_uri", models.CharField(max_length=400)),
                ("is_drawn", models.BooleanField()),
                ("reference", models.FloatField()),
                ("unoptimised", models.FloatField()),
                ("value", models.FloatField(null=True)),
                ("best", models.PositiveIntegerField(null=True)),
                ("benchmark", _key("datasets.benchmark")),
                ("entry", _key("leaderboard.portableentry", "programs", on_delete=models.CASCADE)),
            ],
            options={
                "ordering": ("entry", "position"),
                "constraints": [
                    models.UniqueConstraint(fields=("entry", "position"), name="portable_position_once"),
                    models.CheckConstraint(
                        condition=Q(reference__gt=0, unoptimised__gt=0), name="portable_values_positive"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PortableReplay",
            fields=[
                _ID,
                ("sequence", models.PositiveIntegerField()),
                ("program", _key("leaderboard.portableprogram", "replays", on_delete=models.CASCADE)),
                ("verification", _key("runner.verification", "portable_replays")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("program", "sequence"), name="portable_replay_once")
                ]
            },
        ),
        migrations.CreateModel(
            name="BoardRecord",
            fields=[
                _ID,
                ("benchmark_uri", models.CharField(max_length=400)),
                ("former_ratio", models.FloatField(null=True)),
                ("at", models.DateTimeField()),
                ("board", _key("leaderboard.board", "records", on_delete=models.CASCADE)),
                (
                    "item",
                    models.OneToOneField(
                        on_delete=models.CASCADE, related_name="record", to="leaderboard.submissionitem"
                    ),
                ),
            ],
            options={
                "ordering": ("-at", "-id"),
                "indexes": [
                    models.Index(fields=["-at", "-id"], name="record_newest"),
                    models.Index(fields=["board", "-at", "-id"], name="record_newest_of_board"),
                    models.Index(fields=["board", "benchmark_uri"], name="record_of_benchmark"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Standing",
            fields=[
                _ID,
                ("best_of_owner", models.BooleanField(default=False)),
                ("score", models.FloatField(blank=True, null=True)),
                ("mean_improvement", models.FloatField(blank=True, null=True)),
                ("verified", models.PositiveIntegerField()),
                ("pending", models.PositiveIntegerField(default=0)),
                ("total", models.PositiveIntegerField()),
                ("effective_actions", models.PositiveBigIntegerField()),
                ("built_at", models.DateTimeField()),
                ("board", _key("leaderboard.board", "standings", on_delete=models.CASCADE)),
                (
                    "submission",
                    models.OneToOneField(
                        on_delete=models.CASCADE, related_name="standing", to="leaderboard.submission"
                    ),
                ),
                ("agent_group", _new_group()),
                ("rank_group", _new_group()),
                ("submitted_at", models.DateTimeField(db_default=functions.Now())),
                ("rankable", _kept_condition(*_RANKABLE)),
                ("leading", _kept_condition(*_RANKABLE, ("best_of_owner", True))),
                ("log_total", models.TextField(blank=True, db_default="", default="")),
                ("improvement_total", models.TextField(blank=True, db_default="", default="")),
                ("log_variance", models.FloatField(blank=True, null=True)),
                ("log_freedom", models.FloatField(blank=True, null=True)),
                ("variance_total", models.TextField(db_default="0p0", default="0p0")),
                ("share_total", models.TextField(db_default="0p0", default="0p0")),
                ("estimated", models.PositiveIntegerField(db_default=0, default=0)),
                ("copied", models.PositiveIntegerField(db_default=0, default=0)),
                ("records", models.PositiveIntegerField(db_default=0, default=0)),
                ("missing", models.JSONField(blank=True, db_default=[], default=list)),
                ("ranked_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name": "standing of an entry",
                "verbose_name_plural": "standings of entries",
                "ordering": ("board", models.OrderBy(models.F("leading"), descending=True), *_PREFERENCE),
                "indexes": [
                    models.Index(
                        models.F("board"),
                        models.OrderBy(models.F("leading"), descending=True),
                        *_PREFERENCE,
                        condition=Q(pending=0),
                        name="standing_ended_ranking",
                    ),
                    models.Index(
                        models.F("board"),
                        models.OrderBy(models.F("leading"), descending=True),
                        *_PREFERENCE,
                        condition=Q(best_of_owner=True, pending=0),
                        name="standing_ended_and_listed",
                    ),
                    models.Index(
                        models.F("board"), models.F("rank_group"), *_PREFERENCE, name="standing_group_ranking"
                    ),
                    models.Index(fields=["board", "agent_group"], name="standing_of_agent"),
                    models.Index(
                        condition=Q(pending__gt=0), fields=["board", "-submitted_at"], name="standing_pending"
                    ),
                    models.Index(
                        condition=Q(rankable=True),
                        fields=["board", "ranked_at"],
                        include=("score", "submission"),
                        name="standing_first_ranked",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=Q(best_of_owner=True),
                        fields=("board", "rank_group"),
                        name="standing_one_best_of_group",
                    ),
                    models.CheckConstraint(
                        condition=Q(verified__lte=models.F("total")), name="standing_coverage_possible"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="StandingPeriod",
            fields=[
                _ID,
                ("agent_group", _new_group()),
                ("rank_group", _new_group()),
                ("best_of_owner", models.BooleanField(default=False)),
                ("score", models.FloatField(blank=True, null=True)),
                ("mean_improvement", models.FloatField(blank=True, null=True)),
                ("verified", models.PositiveIntegerField()),
                ("copied", models.PositiveIntegerField(db_default=0, default=0)),
                ("records", models.PositiveIntegerField(db_default=0, default=0)),
                ("total", models.PositiveIntegerField()),
                ("effective_actions", models.PositiveBigIntegerField()),
                ("submitted_at", models.DateTimeField(db_default=functions.Now())),
                ("log_variance", models.FloatField(blank=True, null=True)),
                ("log_freedom", models.FloatField(blank=True, null=True)),
                ("missing", models.JSONField(blank=True, db_default=[], default=list)),
                ("rankable", _kept_condition(*_RANKABLE)),
                ("leading", _kept_condition(*_RANKABLE, ("best_of_owner", True))),
                ("since", models.DateTimeField()),
                ("until", models.DateTimeField(blank=True, null=True)),
                ("board", _key("leaderboard.board", "periods", on_delete=models.CASCADE)),
                ("submission", _key("leaderboard.submission", "periods", on_delete=models.CASCADE)),
            ],
            options={
                "ordering": ("board", "since", "pk"),
                "indexes": [models.Index(fields=["board", "since"], name="period_of_board")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=Q(until__isnull=True), fields=("submission",), name="period_one_open"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ReleasedSequence",
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
                ),
                ("origin", models.TextField()),
                ("release", models.CharField(blank=True, max_length=60)),
                ("item", _key("leaderboard.submissionitem", on_delete=models.CASCADE)),
            ],
        ),
        migrations.CreateModel(
            name="Puzzle",
            fields=[
                _ID,
                ("number", models.PositiveSmallIntegerField(unique=True)),
                ("announced_at", models.DateTimeField()),
                ("sha256", models.CharField(max_length=64)),
                ("nonce", models.CharField(blank=True, max_length=64)),
                ("program", models.BinaryField(null=True)),
                ("about", models.JSONField(default=dict)),
                ("day", models.DateField(null=True, unique=True)),
                (
                    "board",
                    models.OneToOneField(
                        null=True, on_delete=models.PROTECT, related_name="puzzle", to="leaderboard.board"
                    ),
                ),
            ],
            options={
                "ordering": ("-number",),
                "constraints": [
                    models.UniqueConstraint(
                        condition=Q(day__isnull=True),
                        fields=("day",),
                        name="puzzle_one_announced",
                        nulls_distinct=False,
                    ),
                    models.CheckConstraint(
                        condition=Q(board__isnull=True, day__isnull=True, nonce="", program__isnull=False)
                        | Q(board__isnull=False, day__isnull=False, program__isnull=True),
                        name="puzzle_sealed_until_its_day",
                    ),
                ],
            },
        ),
    ]
