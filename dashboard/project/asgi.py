"""The web application, as `manage.py web` serves it."""

import os
import warnings

from django.core.asgi import get_asgi_application

from dashboard.body_limit import BodyLimit

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.project.settings")

# Static files are read from the disk in small pieces, which is what the warning is about.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous")

application = BodyLimit(get_asgi_application())
