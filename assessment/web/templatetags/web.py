"""Tags and filters of every page; ``{% load web %}``."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from django import template
from django.forms import BaseForm
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from assessment.web import charts, marks, mathml, numbers, prose, shapes, themes, times

register = template.Library()


def _request(context: template.Context) -> HttpRequest | None:
    found = context.get("request")
    return found if isinstance(found, HttpRequest) else None


@register.simple_tag(takes_context=True)
def chosen_theme(context: template.Context) -> str:
    """Return ``system``, ``light`` or ``dark``."""
    return themes.chosen(_request(context))


@register.simple_tag(takes_context=True)
def theme_attribute(context: template.Context) -> SafeString:
    """Write ``data-theme`` on ``<html>`` when a person chose one: no flash, no script."""
    theme = themes.chosen(_request(context))
    return mark_safe("") if theme == "system" else format_html('data-theme="{}"', theme)


@register.simple_tag(takes_context=True)
def nav_link(context: template.Context, name: str, label: str, *args: object) -> SafeString:
    """Write one item of the main navigation, or nothing where this page does not exist."""
    try:
        url = reverse(name, args=args)
    except NoReverseMatch:
        return mark_safe("")
    request = _request(context)
    path = request.path if request else ""
    here = path == url or (url != "/" and path.startswith(url))
    current = 'aria-current="page"' if path == url else 'aria-current="true"' if here else ""
    return format_html('<li><a href="{}" {}>{}</a></li>', url, mark_safe(current), label)  # noqa: S308 (constants)


def _mark(table: Mapping[str, marks.Mark], value: object, *, explain: bool) -> dict[str, Any]:
    mark = marks.find(table, value)
    return {
        "mark": mark,
        "drawing": shapes.svg(mark.shape),
        "chain": mark.shape.startswith("chain"),
        "explain": explain,
    }


@register.inclusion_tag("web/_mark.html")
def step_status(value: object, explain: bool = False) -> dict[str, Any]:  # noqa: FBT001, FBT002 (a tag's keyword)
    """Show the status of one step: ``{% step_status "carried" explain=True %}``."""
    return _mark(marks.STEPS, value, explain=explain)


@register.inclusion_tag("web/_mark.html")
def status_mark(value: object, explain: bool = False) -> dict[str, Any]:  # noqa: FBT001, FBT002 (a tag's keyword)
    """Show the state of a submission: ``{% status_mark submission.state %}``."""
    return _mark(marks.STATES, value, explain=explain)


@register.inclusion_tag("web/_mark.html")
def break_mark(value: object, explain: bool = False) -> dict[str, Any]:  # noqa: FBT001, FBT002 (a tag's keyword)
    """Show a causal break as the link of the chain that it is; empty is *not yet tagged*."""
    return _mark(marks.BREAKS, value or "untagged", explain=explain)


@register.simple_tag
def evidence(value: object) -> SafeString:
    """Show how far a claim may be trusted: established, reported, hypothesis."""
    mark = marks.find(marks.EVIDENCE, value)
    kind = "evidence-hypothesis" if mark is marks.EVIDENCE["hypothesis"] else ""
    return format_html(
        '<span class="evidence {} tone-{}">{}{}</span>',
        kind,
        mark.tone,
        shapes.svg(mark.shape),
        mark.label,
    )


@register.simple_tag
def points(
    value: Decimal | float | str | None, of: Decimal | float | str | None = None
) -> SafeString:
    """Show points exactly, without trailing zeros: ``{% points 7.50 of=10 %}`` gives 7.5 of 10."""
    if value is None or value == "":
        return format_html('<span class="points">{}</span>', gettext("no points yet"))
    if of is None:
        return format_html('<span class="points">{}</span>', numbers.exact(value))
    return format_html(
        '<span class="points">{} <span class="points-of">{}</span></span>',
        numbers.exact(value),
        gettext("of %(maximum)s") % {"maximum": numbers.exact(of)},
    )


@register.filter
def exact(value: Decimal | float | str | None) -> str:
    """Write a decimal exactly, without trailing zeros."""
    return "" if value is None else numbers.exact(value)


@register.filter
def local_time(value: datetime | None, zone: object = None) -> SafeString:
    """Write a time on the clock of a zone: ``{{ submitted_at|local_time:cohort.zone }}``."""
    return times.element(value, zone)


@register.filter(name="prose")
def prose_filter(text: str | None, level: int = 3) -> SafeString:
    """Typeset Markdown with formulas; headings begin at the given level."""
    return prose.render(text or "", heading_level=level)


@register.filter
def with_formulas(text: str | None, formulas: Sequence[str]) -> str:
    """Mark a session's formulas in Markdown: ``{{ text|with_formulas:formulas|prose }}``."""
    return prose.with_formulas(text or "", formulas)


@register.filter
def math(text: str | None, display: str = "inline") -> SafeString:
    """Typeset one formula of a document; ``{{ formula|math:"block" }}`` sets it on its own line."""
    return mathml.element(text or "", block=display == "block")


@register.inclusion_tag("web/_error_summary.html")
def error_summary(form: BaseForm) -> dict[str, BaseForm]:
    """List what a form refused, each with a link to its field."""
    return {"form": form}


@register.simple_tag
def drawing(name: str) -> SafeString:
    """Draw one of the mark shapes alone, for an alarm's title."""
    return shapes.svg(name)


@register.inclusion_tag("web/_bar_chart.html")
def bar_chart(chart: charts.BarChart) -> dict[str, charts.BarChart]:
    """Draw a chart that ``charts.bar_chart`` laid out, with its table behind it."""
    return {"chart": chart}


@register.inclusion_tag("web/_change_chart.html")
def change_chart(chart: charts.ChangeChart) -> dict[str, charts.ChangeChart]:
    """Draw a chart that ``charts.change_chart`` laid out, with its table behind it."""
    return {"chart": chart}
