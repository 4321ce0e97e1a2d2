"""Settings by concern, all from environment variables, with safe defaults and no secret in the repository.

Importing them needs neither a database nor a broker nor a secret key; the web server refuses to start
without a key (``leaderboard.checks``).
"""

from leaderboard.settings.api import *  # noqa: F403 - the settings of Django are one flat namespace
from leaderboard.settings.base import *  # noqa: F403 - as above
from leaderboard.settings.broker import *  # noqa: F403 - as above
from leaderboard.settings.database import *  # noqa: F403 - as above
from leaderboard.settings.logs import *  # noqa: F403 - as above
from leaderboard.settings.mail import *  # noqa: F403 - as above
from leaderboard.settings.security import *  # noqa: F403 - as above
from leaderboard.settings.web import *  # noqa: F403 - as above
