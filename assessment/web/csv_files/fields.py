"""The field of a form that takes a CSV file."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from assessment.web.csv_files.reading import MAX_BYTES


def _refuse_too_large(file: "UploadedFile[Any]") -> None:
    if file.size is None or file.size > MAX_BYTES:
        most = {"most": MAX_BYTES // 1_000_000}
        raise forms.ValidationError(_("The file has more than %(most)s MB."), params=most)


class CSVField(forms.FileField):
    """A file that is refused before it is read where it is too large."""

    default_validators = [_refuse_too_large]
