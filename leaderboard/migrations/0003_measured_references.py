# Boards whose reference is measured in the same replay, lists of benchmarks, devices, and claims about noise.
# The new columns have defaults in the database: during an upgrade the former program still adds rows.

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('leaderboard', '0002_plausible_ratio'),
    ]

    operations = [
        migrations.AddField(
            model_name='board',
            name='benchmarks',
            field=models.JSONField(blank=True, db_default=[], default=list),
        ),
        migrations.AddField(
            model_name='board',
            name='device',
            field=models.CharField(db_default='cpu', default='cpu', max_length=16),
        ),
        migrations.AddField(
            model_name='board',
            name='reference_metric',
            field=models.CharField(blank=True, db_default='', default='', max_length=64),
        ),
        migrations.AddField(
            model_name='submissionitem',
            name='claim_status',
            field=models.JSONField(blank=True, db_default={}, default=dict),
        ),
        migrations.AlterField(
            model_name='board',
            name='baseline_level',
            field=models.CharField(blank=True, default='Oz', max_length=16),
        ),
        migrations.AlterField(
            model_name='board',
            name='slug',
            field=models.SlugField(max_length=64, unique=True),
        ),
        migrations.RemoveIndex(
            model_name='submissionitem',
            name='item_benchmark_best',
        ),
        migrations.AddIndex(
            model_name='submissionitem',
            index=models.Index(fields=['benchmark_uri', 'verdict', '-ratio'], name='item_benchmark_best'),
        ),
        migrations.AddConstraint(
            model_name='board',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('baseline_level', ''), models.Q(('reference_metric', ''), _negated=True)), models.Q(models.Q(('baseline_level', ''), _negated=True), ('reference_metric', '')), _connector='OR'), name='board_compares_with_one_thing'),
        ),
    ]
