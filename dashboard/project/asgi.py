"""The web application, as `manage.py web` serves it."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.project.settings")

application = get_asgi_application()
