"""Answers of the API are private, and say whether they changed."""

from typing import TypeVar

from django.utils.decorators import method_decorator
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page
from django.views.decorators.vary import vary_on_headers
from rest_framework.views import APIView

View = TypeVar("View", bound=type[APIView])


def conditional(view: View) -> View:
    """Give answers an ETag, say 304 to who has them, keep them out of shared caches."""
    for decorator in (
        conditional_page,
        cache_control(private=True, no_cache=True),
        vary_on_headers("Authorization", "Cookie"),
    ):
        view = method_decorator(decorator, name="dispatch")(view)
    return view
