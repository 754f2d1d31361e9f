"""The field of a form that takes a CSV file."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from assessment.web.csv_files.reading import MAX_BYTES


class CSVField(forms.FileField):
    """A file that is refused before it is read where it has more than ``most`` bytes."""

    def __init__(self, *, most: int = MAX_BYTES, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._most = most

    def validate(self, value: "UploadedFile[Any] | None") -> None:
        """Refuse a file that is missing or too large."""
        super().validate(value)
        if value and (value.size is None or value.size > self._most):
            most = {"most": self._most // 1_000_000}
            raise forms.ValidationError(_("The file has more than %(most)s MB."), params=most)
