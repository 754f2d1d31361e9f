"""All settings, read from the environment.

``DEMO=1`` serves loopback only, keeps its data and its secret under ``var/`` and names the demo
accounts. Without it the settings are production's and refuse to start without ``SECRET_KEY`` (or
``SECRET_KEY_FILE``) and ``ALLOWED_HOSTS``.
"""

import os
from datetime import timedelta
from pathlib import Path

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.urls import reverse_lazy
from django.utils.translation import gettext_lazy as _

from assessment.config import description, environment, oauth, schedule
from assessment.config.mail import mail_server

BASE_DIR = Path(__file__).resolve().parent.parent.parent
VAR_DIR = Path(os.environ.get("VAR_DIR", BASE_DIR / "var"))

DEMO = environment.flag("DEMO")
HTTPS = environment.flag("HTTPS", default=not DEMO)
DEBUG = False

if DEMO:
    environment.make_folder(VAR_DIR)
    SECRET_KEY = environment.kept_secret(VAR_DIR / "secret-key")
    ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]"]
else:
    SECRET_KEY = environment.required(
        "SECRET_KEY", "a long random text, or name a file that holds it in SECRET_KEY_FILE"
    )
    environment.required("ALLOWED_HOSTS", "the names this service answers to, with commas")
    ALLOWED_HOSTS = environment.names("ALLOWED_HOSTS")

# Named on the sign-in page, in demo mode only.
DEMO_PASSWORD = "show-the-preceding-line" if DEMO else ""
DEMO_ACCOUNTS = (
    {
        "ada": _("learner, with graded work"),
        "blaise": _("learner, with nothing submitted yet"),
        "sofia": _("instructor"),
        "emil": _("assistant"),
        "ines": _("administrator: connects LMSs"),
    }
    if DEMO
    else {}
)

CSRF_TRUSTED_ORIGINS = environment.names("CSRF_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "assessment.cohorts",
    "assessment.web",
    "exercises",
    "rubrics",
    "assessment.authoring",
    "assessment.attempts",
    "assessment.review",
    "assessment.dashboard",
    "assessment.grades",
    "assessment.demo",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.forms",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "oauth2_provider",
    "axes",
    "csp",
]

MIDDLEWARE = [
    "assessment.config.middleware.loopback_only",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "assessment.config.middleware.bounded_bodies",
    "assessment.config.middleware.private_pages",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "assessment.grades.lti.frames.follow_launches",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
    "assessment.config.middleware.RefuseNul",
]

ROOT_URLCONF = "assessment.config.urls"
WSGI_APPLICATION = "assessment.config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]
FORM_RENDERER = "assessment.web.forms.FormRenderer"

# --- Data ------------------------------------------------------------------------------------
DATABASES = {"default": environment.database(f"sqlite:///{VAR_DIR / 'db.sqlite3'}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        # Writers queue instead of failing half-way: the lock is taken at BEGIN.
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- People ----------------------------------------------------------------------------------
AUTH_USER_MODEL = "cohorts.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
PASSWORD_HASHERS = [
    "assessment.cohorts.hashing.Argon2",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = reverse_lazy("home")
LOGOUT_REDIRECT_URL = reverse_lazy("sign-in")
SESSION_COOKIE_AGE = int(timedelta(days=14).total_seconds())
# How long a link to one's first password lives (assessment/cohorts/inviting.py).
PASSWORD_RESET_TIMEOUT = int(timedelta(days=7).total_seconds())

AXES_FAILURE_LIMIT = "assessment.cohorts.signing_in.tries_allowed"
AXES_COOLOFF_TIME = timedelta(minutes=10)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
# A right password forgives the wrong ones before it, for this name from this address only.
AXES_RESET_ON_SUCCESS = True
# A refused try is not counted: what is said about the time to wait stays true.
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_USERNAME_CALLABLE = "assessment.cohorts.signing_in.tried_username"
AXES_CLIENT_IP_CALLABLE = "assessment.cohorts.signing_in.tried_from"
AXES_LOCKOUT_CALLABLE = "assessment.cohorts.signing_in.locked_out"
AXES_VERBOSE = False

# --- Security --------------------------------------------------------------------------------
SECURE_SSL_REDIRECT = HTTPS
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
SECURE_HSTS_SECONDS = int(timedelta(days=365).total_seconds()) if HTTPS else 0
SECURE_HSTS_PRELOAD = environment.flag("HSTS_PRELOAD")
SECURE_HSTS_INCLUDE_SUBDOMAINS = environment.flag("HSTS_SUBDOMAINS") or SECURE_HSTS_PRELOAD
# Both are asked for, never assumed: browsers hold other services of a school to them for a year.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_REDIRECT_EXEMPT = [r"^health/$"]  # asked from inside, without TLS
# One proxy: its last word on scheme and address is believed, what callers wrote before is not.
BEHIND_PROXY = environment.flag("BEHIND_PROXY")
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# Whether pages stay inside an LMS's frame where the browser keeps cookies there. Without it a
# launch goes on in a window of its own, and no page can be framed. It needs HTTPS.
LTI_IN_FRAMES = environment.flag("LTI_IN_FRAMES")
if LTI_IN_FRAMES and not HTTPS:
    raise ImproperlyConfigured(
        "LTI_IN_FRAMES needs HTTPS: browsers send no other cookie in frames."
    )
# An LMS inside a private network is called only where its host is named here.
LTI_LOCAL_HOSTS = frozenset(name.lower() for name in environment.names("LTI_LOCAL_HOSTS"))
LTI_CA_CERTS = os.environ.get("LTI_CA_CERTS", "")
if LTI_CA_CERTS and not Path(LTI_CA_CERTS).is_file():
    raise ImproperlyConfigured(f"LTI_CA_CERTS names {LTI_CA_CERTS}: there is no such file.")
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "None" if LTI_IN_FRAMES else "Lax"
CSRF_FAILURE_VIEW = "assessment.web.refusals.csrf_failure"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}
# One answer holds at most a few thousand characters; documents come by the command line.
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 500

# --- E-mail ----------------------------------------------------------------------------------
MAIL_SERVER = mail_server()
if MAIL_SERVER:
    EMAIL_HOST, EMAIL_PORT = MAIL_SERVER.host, MAIL_SERVER.port
    EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = MAIL_SERVER.user, MAIL_SERVER.password
    EMAIL_USE_TLS, EMAIL_USE_SSL = MAIL_SERVER.starttls, MAIL_SERVER.tls
    EMAIL_TIMEOUT = 10
    DEFAULT_FROM_EMAIL = MAIL_SERVER.sender
else:
    EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
if MAIL_SERVER and "*" in ALLOWED_HOSTS:
    raise ImproperlyConfigured(
        "ALLOWED_HOSTS must name hosts, not *: with EMAIL_URL a caller chooses where links lead."
    )

# --- Language and time -----------------------------------------------------------------------
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True

# --- Static files ----------------------------------------------------------------------------
STATIC_URL = "/static/"
STATIC_ROOT = Path(os.environ.get("STATIC_ROOT", VAR_DIR / "static"))
if DEMO:
    environment.make_folder(STATIC_ROOT)
    # The demo serves straight from the packages: nothing to collect before the first page.
    WHITENOISE_USE_FINDERS = True
else:
    STORAGES = {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
        "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
    }

# --- Queue -----------------------------------------------------------------------------------
CELERY_BROKER_URL = environment.broker_url(VAR_DIR / "broker-url")
CELERY_BROKER_USE_SSL = environment.broker_tls(CELERY_BROKER_URL)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for its broker, however long
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # A submit must answer within a second with the broker gone or deaf, so give up at once:
    # kombu would try for four seconds otherwise. What was not sent, the sweep finds.
    "max_retries": 0,
    "socket_connect_timeout": 0.4,
    "socket_timeout": 0.4,
    # Longer than the worst queue wait plus run time: no copy of a task that still waits.
    "visibility_timeout": 3600,
}
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_TIME_LIMIT = 120
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat-schedule")
CELERY_BEAT_SCHEDULE = schedule.TASKS

# --- Cache -----------------------------------------------------------------------------------
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    # What all processes must agree on, such as the calls of a client in this minute.
    "shared": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": CELERY_BROKER_URL,
        "KEY_PREFIX": "firstbreak",
        "OPTIONS": {"socket_connect_timeout": 0.2, "socket_timeout": 0.2},
    },
}

# --- REST ------------------------------------------------------------------------------------
API_CALLS_PER_MINUTE = environment.whole("API_CALLS_PER_MINUTE", default=3000)
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "assessment.cohorts.authentication.HeaderTokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_THROTTLE_CLASSES": ["assessment.cohorts.throttling.ClientThrottle"],
    "NUM_PROXIES": int(BEHIND_PROXY),
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["assessment.web.parsers.BoundedJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "assessment.web.problems.problem_details",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = description.SETTINGS

# All of the toolkit's models are swapped for ours, so its migrations would only alter tables that
# do not exist, and they are half of the time that a first start takes.
MIGRATION_MODULES = {"oauth2_provider": None}
OAUTH2_PROVIDER_APPLICATION_MODEL = "cohorts.Client"
OAUTH2_PROVIDER_ACCESS_TOKEN_MODEL = "cohorts.AccessToken"  # noqa: S105 (a model's name)
OAUTH2_PROVIDER_REFRESH_TOKEN_MODEL = "cohorts.RefreshToken"  # noqa: S105 (a model's name)
OAUTH2_PROVIDER_GRANT_MODEL = "cohorts.Grant"
OAUTH2_PROVIDER_ID_TOKEN_MODEL = "cohorts.IDToken"  # noqa: S105 (a model's name)
OAUTH2_PROVIDER_DEVICE_GRANT_MODEL = "cohorts.DeviceGrant"
ONEROSTER = oauth.ONEROSTER
OAUTH2_PROVIDER = oauth.SETTINGS

# --- Log -------------------------------------------------------------------------------------
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "assessment.config.log_lines.OneLine",
            "format": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        }
    },
    "filters": {"without_links": {"()": "assessment.config.redacting.WithoutLinks"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "line",
            "filters": ["without_links"],
        }
    },
    "root": {"handlers": ["console"], "level": os.environ.get("LOG_LEVEL", "WARNING")},
    # At DEBUG it would write every token that it issues into the log.
    "loggers": {
        "oauthlib": {"level": "INFO"},
        # Scanners ask for other hosts all day long; each is refused, and there is nothing to mend.
        "django.security.DisallowedHost": {"level": "CRITICAL"},
    },
}
