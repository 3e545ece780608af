"""The web application, as `manage.py web` serves it."""

import os

from django.core.asgi import get_asgi_application

from dashboard.body_limit import BodyLimit

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.project.settings")

application = BodyLimit(get_asgi_application())
