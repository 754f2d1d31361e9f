"""Times on the clock of the people who read them."""

from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe


def element(value: datetime | None, zone: object = None) -> SafeString:
    """Return ``<time>`` with the wall clock of the zone, its name, and the instant in UTC.

    ``zone`` is a name, a ``tzinfo``, or nothing for the current one.
    """
    if value is None:
        return mark_safe("")
    instant = value if timezone.is_aware(value) else value.replace(tzinfo=UTC)
    local = instant.astimezone(_zone(zone))
    return format_html(
        '<time datetime="{}">{}, {} {}</time>',
        instant.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        date_format(local, "j F Y"),
        date_format(local, "H:i"),
        local.tzname() or "",
    )


def _zone(zone: object) -> tzinfo:
    if isinstance(zone, tzinfo):
        return zone
    if isinstance(zone, str) and zone:
        return _named(zone)
    return timezone.get_current_timezone()


@lru_cache(maxsize=64)
def _named(name: str) -> tzinfo:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return UTC
