# Whether a board has no ranks is a decision of its own: measured scores have ranks now.

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0011_decisions")]

    operations = [
        migrations.AddField("board", "provisional", models.BooleanField(db_default=False, default=False)),
    ]
