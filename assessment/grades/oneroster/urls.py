"""The addresses of OneRoster 1.2, without a slash at the end, as the standard has them."""

import re
from collections.abc import Iterator, Sequence

from django.urls import URLPattern, path, re_path

from assessment.grades.oneroster.discovery import (
    GRADEBOOK_FILES,
    ROSTERING_FILES,
    gradebook_document,
    rostering_document,
)
from assessment.grades.oneroster.operations import (
    GRADEBOOK_OPERATIONS,
    GRADEBOOK_UNSUPPORTED,
    ROSTERING_OPERATIONS,
    Operation,
)
from assessment.grades.oneroster.references import GRADEBOOK, ROSTERING
from assessment.grades.oneroster.views import (
    CollectionView,
    NotOfferedView,
    ObjectView,
    UnknownAddressView,
)


def _route(base: str, template: str) -> str:
    converted = re.sub(r"{(\w+)}", r"<str:\1>", template)
    return f"{base}/{converted}".removeprefix("/")


def _routes(base: str, operations: Sequence[Operation]) -> Iterator[URLPattern]:
    for operation in operations:
        view = ObjectView if operation.is_single else CollectionView
        yield path(
            _route(base, operation.path),
            view.as_view(operation=operation),
            name=f"oneroster-{operation.name}",
        )


urlpatterns = [
    *_routes(GRADEBOOK, GRADEBOOK_OPERATIONS),
    *(
        path(_route(GRADEBOOK, template), NotOfferedView.as_view())
        for template in GRADEBOOK_UNSUPPORTED
    ),
    *_routes(ROSTERING, ROSTERING_OPERATIONS),
    *(path(_route(GRADEBOOK, f"discovery/{name}"), gradebook_document) for name in GRADEBOOK_FILES),
    *(path(_route(ROSTERING, f"discovery/{name}"), rostering_document) for name in ROSTERING_FILES),
    re_path(r"^ims/oneroster/.*$", UnknownAddressView.as_view(), name="oneroster-unknown"),
]
