"""Django's settings: the one place where the parts are put together."""

import os
import secrets
from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF

from dashboard.project.addresses import is_this_machine
from dashboard.project.env import EMBEDDERS, read_environment, read_vault_keys
from dashboard.project.logging import logging_config
from memory.db.settings import database_config

BASE_DIR = Path(__file__).resolve().parents[2]
ENV = read_environment()
VAULT = read_vault_keys()


def _lasting_key() -> str:
    file = ENV.home / "secret_key"
    return ENV.secret_key or (file.read_text().strip() if file.is_file() else "")


LONGHAND_HAS_LASTING_KEY = bool(_lasting_key())
# Before `up` has written the file, a command such as migrate needs a key but nothing lasting.
SECRET_KEY = _lasting_key() or secrets.token_urlsafe(50)
DEBUG = False
ALLOWED_HOSTS = ENV.hosts
CSRF_TRUSTED_ORIGINS = [ENV.url, *ENV.trusted_origins]
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
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "unfold.apps.BasicAppConfig",
    "dashboard.admin_apps.LonghandAdminConfig",
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
    "dashboard.request_log.RequestLogMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "dashboard.sessions.ActivityMiddleware",
    "dashboard.middleware.PrincipalMiddleware",
    "dashboard.middleware.NotAllowedMiddleware",
]
if ENV.metrics_token:
    MIDDLEWARE.insert(0, "dashboard.request_metrics.BeforeMiddleware")
    MIDDLEWARE.append("dashboard.request_metrics.AfterMiddleware")

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
VALIDATION = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS: list[dict[str, Any]] = [
    {"NAME": f"{VALIDATION}.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": f"{VALIDATION}.UserAttributeSimilarityValidator"},
    {"NAME": f"{VALIDATION}.CommonPasswordValidator"},
    {"NAME": f"{VALIDATION}.NumericPasswordValidator"},
]
# The second step of signing in, and the sessions; nobody signs up by themselves.
ACCOUNT_ADAPTER = "dashboard.accounts.AccountAdapter"
MFA_ADAPTER = "dashboard.accounts.TwoStepAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "none"
# dashboard.rates counts, in one statement each.
ACCOUNT_RATE_LIMITS = False
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Longhand"
# A phone's clock may be half a minute off.
MFA_TOTP_TOLERANCE = 1

USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en-us"
USE_I18N = False
FORMAT_MODULE_PATH = "dashboard.formats"

STATIC_URL = "static/"
STATIC_ROOT = ENV.home / "static"
STATICFILES_DIRS: list[Path] = []
STORAGES = {
    "default": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {
            "location": str(ENV.files),
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
# Elsewhere browsers do without it, and complain on every page.
IS_SECURE_CONTEXT = SECURE_COOKIES or is_this_machine(ENV.url)
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if IS_SECURE_CONTEXT else None
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

REDIS = "memory.backends.broker.redis"
LONGHAND_REDIS_URL = ENV.redis_url
LONGHAND_BROKER = f"{REDIS}.RedisBells" if ENV.redis_url else "memory.backends.broker.orm.OrmBells"
SHARED_CACHE = {
    "BACKEND": "memory.db.cache.SharedCache",
    "LOCATION": "shared_cache",
    # What ends is dropped daily; a cache that is culled when it is full would forget counters.
    "OPTIONS": {"MAX_ENTRIES": 10_000_000},
}
CACHES = {
    "default": (
        {"BACKEND": "memory.backends.broker.cache.PatientCache", "LOCATION": [ENV.redis_url]}
        if ENV.redis_url
        else SHARED_CACHE
    ),
    # Limits hold while Redis is away, too.
    "counters": SHARED_CACHE,
}
# The admin's theme; the rest of its look is in dashboard/static/css/admin.css.
UNFOLD = {
    "SITE_TITLE": "Longhand",
    "SITE_HEADER": "Longhand",
    "SITE_SUBHEADER": "Admin",
    "SITE_ICON": "dashboard.admin_look.icon",
    "SITE_FAVICONS": [
        {"rel": "icon", "type": "image/svg+xml", "href": "dashboard.admin_look.icon"}
    ],
    "SHOW_HISTORY": False,
    "SHOW_VIEW_ON_SITE": False,
    "STYLES": ["dashboard.admin_look.stylesheet"],
    "SCRIPTS": ["dashboard.admin_look.script"],
    "SIDEBAR": {"show_search": False, "navigation": "dashboard.admin_look.navigation"},
}
Q_CLUSTER = {
    "name": "quick",
    **({"broker_class": f"{REDIS}.RedisBroker"} if ENV.redis_url else {"orm": "default"}),
    "workers": ENV.workers.quick,
    "queue_limit": ENV.workers.quick,
    "bulk": 1,
    # No cache: the workers' beats say how the queues are.
    "cache": "",
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
LONGHAND_TRUSTED_PROXIES = ENV.trusted_proxies
LONGHAND_METRICS_TOKEN = ENV.metrics_token
LONGHAND_ADMIN_EMAIL = ENV.accounts.admin_email
LONGHAND_EMBEDDER = EMBEDDERS[ENV.embedder]
LONGHAND_EMBEDDER_OPTIONS = (
    {"model_dir": ENV.models / "all-MiniLM-L6-v2"} if ENV.embedder == "minilm" else {}
)
CIPHERS = "memory.backends.cipher"
LONGHAND_CIPHER = f"{CIPHERS}.aesgcm.AesGcmCipher" if VAULT.key else f"{CIPHERS}.none.NoCipher"
LONGHAND_CIPHER_OPTIONS = {"key": VAULT.key, "old_keys": VAULT.old_keys} if VAULT.key else {}
LONGHAND_CATEGORIES = ENV.categories
LONGHAND_API_RATE = ENV.accounts.api_rate
LONGHAND_HAS_MAIL = ENV.accounts.email is not None
DEFAULT_FROM_EMAIL = ENV.accounts.email_from
EMAIL_TIMEOUT = 10
vars().update(ENV.accounts.email or {})
LONGHAND_LEASE_SECONDS = ENV.workers.lease_seconds
LONGHAND_HEARTBEAT_SECONDS = ENV.workers.heartbeat_seconds
LONGHAND_MAX_UPLOAD_BYTES = ENV.limits.max_bytes
LONGHAND_PARSE_LIMITS = ENV.limits
LONGHAND_LIBREOFFICE = ENV.workers.libreoffice
LONGHAND_FETCH_REACH = ENV.fetching.reach
LONGHAND_FETCH_SECONDS = ENV.fetching.seconds
LONGHAND_WATCH_FOLDERS = ENV.fetching.folders
LONGHAND_WITH_WORKERS = ENV.workers.expected
LONGHAND_SCHEDULES = ["memory.schedules", "ingest.schedules"]
# What goes with an account, agent or conversation beyond the memory's own tables.
LONGHAND_REMOVALS = ["ingest.services.removal.remove_documents"]
# Each worker does the first for its own host at every beat; the second, one host does for all.
LONGHAND_HOST_UPKEEP = [
    "ingest.services.upkeep.sweep_temporary_files",
    "ingest.services.upkeep.probe_parser",
]
LONGHAND_UPKEEP = [
    "memory.services.embeddings.queue_missing",
    "memory.services.turns.queue_unread",
    "memory.services.doubts.queue_doubtful",
    "memory.services.mail.ring_for_waiting_mails",
    "ingest.services.leases.requeue_stale",
    "ingest.services.ocr.queue_ocr_probe",
]
