"""Walks the URL configuration: every address that the service answers to."""

from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver


def routes() -> list[str]:
    """Return every route, as it is declared, in the order in which Django tries them."""
    return list(dict.fromkeys(_below(get_resolver(), "/")))


def _below(resolver: URLResolver, prefix: str) -> Iterator[str]:
    for each in resolver.url_patterns:
        route = prefix + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from _below(each, route)
        elif isinstance(each, URLPattern):
            yield route
