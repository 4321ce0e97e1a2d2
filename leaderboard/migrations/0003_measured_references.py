# Boards whose reference is measured in the same replay, lists of benchmarks, devices, and claims about noise.

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('leaderboard', '0002_plausible_ratio'),
    ]

    operations = [
        migrations.AddField(
            model_name='board',
            name='benchmarks',
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name='board',
            name='device',
            field=models.CharField(default='cpu', max_length=16),
        ),
        migrations.AddField(
            model_name='board',
            name='reference_metric',
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AddField(
            model_name='submissionitem',
            name='claim_status',
            field=models.JSONField(blank=True, default=dict),
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
        migrations.AddConstraint(
            model_name='board',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('baseline_level', ''), models.Q(('reference_metric', ''), _negated=True)), models.Q(models.Q(('baseline_level', ''), _negated=True), ('reference_metric', '')), _connector='OR'), name='board_compares_with_one_thing'),
        ),
    ]
