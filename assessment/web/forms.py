"""How forms are rendered: label, hint, error, all tied to their control."""

from django.forms.renderers import TemplatesSetting


class FormRenderer(TemplatesSetting):
    """Renders forms from ``web/forms``; set as ``FORM_RENDERER``."""

    form_template_name = "web/forms/form.html"
    field_template_name = "web/forms/field.html"
