"""Django's settings: the one place where the parts are put together."""

import os
import secrets
from pathlib import Path

from csp.constants import NONE, SELF

from dashboard.project.env import EMBEDDERS, read_environment
from dashboard.project.logging import logging_config
from memory.db.settings import database_config

BASE_DIR = Path(__file__).resolve().parents[2]
ENV = read_environment()


def _lasting_key() -> str:
    file = ENV.home / "secret_key"
    return ENV.secret_key or (file.read_text().strip() if file.is_file() else "")


LONGHAND_HAS_LASTING_KEY = bool(_lasting_key())
# Before `up` has written the file, a command such as migrate needs a key but nothing lasting.
SECRET_KEY = _lasting_key() or secrets.token_urlsafe(50)
DEBUG = False
ALLOWED_HOSTS = ENV.hosts
CSRF_TRUSTED_ORIGINS = [ENV.url]
ROOT_URLCONF = "dashboard.project.urls"
ASGI_APPLICATION = "dashboard.project.asgi.application"
AUTH_USER_MODEL = "memory.User"
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "overview"

INSTALLED_APPS = [
    "dashboard",
    "ingest",
    "memory",
    "django_q",
    "ninja",
    "django_htmx",
    "django_filters",
    "django_structlog",
    "pgtrigger",
    "pghistory",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
]

MIDDLEWARE = [
    "dashboard.middleware.DatabaseDownMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_structlog.middlewares.RequestMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "dashboard.middleware.PrincipalMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "dashboard.context.shell",
            ],
            "builtins": ["dashboard.templatetags.longhand"],
        },
    }
]

# A forked worker would share its parent's sockets, so only the web process keeps a pool.
DATABASES = {
    "default": database_config(
        ENV.home, ENV.database_url, pooled=os.environ.get("LONGHAND_PART") == "web"
    )
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend"]

USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en-us"
USE_I18N = False

STATIC_URL = "static/"
STATIC_ROOT = ENV.home / "static"
STATICFILES_DIRS: list[Path] = []
STORAGES = {
    "default": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {
            "location": str(ENV.home / "files"),
            "file_permissions_mode": 0o600,
            "directory_permissions_mode": 0o700,
        },
    },
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 10_000_000
FILE_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
# Where a killed web process leaves half an upload, the worker's upkeep can find it.
FILE_UPLOAD_TEMP_DIR = str(ENV.home / "tmp")
# `up` and `web`, which alone take uploads, make that folder; other commands do without.
SILENCED_SYSTEM_CHECKS = ["files.E001"]

SECURE_COOKIES = ENV.url.startswith("https://")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_COOKIES
SESSION_COOKIE_NAME = "longhand_session"
CSRF_COOKIE_NAME = "longhand_csrf"
SESSION_COOKIE_AGE = 30 * 24 * 3600
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "dashboard.views.errors.csrf_failure"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "form-action": [SELF],
    }
}

Q_CLUSTER = {
    "name": "quick",
    "orm": "default",
    "workers": ENV.workers.quick,
    "queue_limit": ENV.workers.quick,
    "bulk": 1,
    "max_attempts": 1,
    "ack_failures": True,
    "catch_up": False,
    "save_limit": 250,
    "poll": 0.5,
    "recycle": 500,
    "timeout": ENV.workers.task_timeout_seconds,
    "retry": ENV.workers.task_retry_seconds,
    "label": "Queue",
    "ALT_CLUSTERS": {
        "slow": {"workers": ENV.workers.slow, "queue_limit": ENV.workers.slow, "recycle": 100},
    },
}

LOGGING_CONFIG = None
logging_config(ENV.log_level)

LONGHAND_HOME = ENV.home
LONGHAND_MODELS = ENV.models
LONGHAND_URL = ENV.url
LONGHAND_HOST = ENV.host
LONGHAND_PORT = ENV.port
LONGHAND_ADMIN_EMAIL = ENV.admin_email
LONGHAND_EMBEDDER = EMBEDDERS[ENV.embedder]
LONGHAND_EMBEDDER_OPTIONS = (
    {"model_dir": ENV.models / "all-MiniLM-L6-v2"} if ENV.embedder == "minilm" else {}
)
LONGHAND_CATEGORIES = ENV.categories
LONGHAND_LEASE_SECONDS = ENV.workers.lease_seconds
LONGHAND_HEARTBEAT_SECONDS = ENV.workers.heartbeat_seconds
LONGHAND_MAX_UPLOAD_BYTES = ENV.limits.max_bytes
LONGHAND_PARSE_LIMITS = ENV.limits
LONGHAND_WITH_WORKERS = ENV.workers.expected
LONGHAND_SCHEDULES = ["memory.schedules", "ingest.schedules"]
# What an account, agent or conversation that is removed takes with it beyond the memory's own tables.
LONGHAND_REMOVALS = ["ingest.services.removal.remove_documents"]
# Each worker does the first for its own host at every beat; the second, one host does for all.
LONGHAND_HOST_UPKEEP = [
    "ingest.services.upkeep.sweep_temporary_files",
    "ingest.services.upkeep.probe_parser",
]
LONGHAND_UPKEEP = [
    "memory.services.embeddings.queue_missing",
    "memory.services.turns.queue_unread",
    "ingest.services.leases.requeue_stale",
]
