"""Forms: label, hint and error are tied to their control."""

from django import forms

from assessment.web.forms import FormRenderer


class Answer(forms.Form):
    value = forms.CharField(label="Loss", help_text="One number", max_length=20)
    way = forms.ChoiceField(label="Direction", choices=[("up", "Up")], widget=forms.RadioSelect)
    sure = forms.BooleanField(label="I am sure", required=False)
    note = forms.CharField(label="Note", required=False, widget=forms.Textarea)


def shown(data: dict[str, str] | None = None) -> str:
    return Answer(data, renderer=FormRenderer()).render()


def test_a_control_names_its_hint_and_its_error() -> None:
    page = shown({"value": ""})

    assert 'aria-describedby="id_value_helptext id_value_error"' in page
    assert 'id="id_value_helptext"' in page
    assert 'id="id_value_error"' in page
    assert 'aria-invalid="true"' in page
    assert 'for="id_value"' in page


def test_the_summary_leads_to_each_refused_field() -> None:
    page = shown({"value": ""})

    assert 'role="alert"' in page
    assert '<a href="#id_value">Loss: ' in page
    assert '<a href="#id_way">Direction: ' in page
    assert 'id="id_way"' in page


def test_choices_stand_in_a_fieldset_with_a_legend() -> None:
    page = shown()

    assert "<fieldset" in page
    assert "<legend>" in page
    assert page.count('id="id_way"') == 1


def test_a_form_not_yet_sent_complains_about_nothing() -> None:
    assert "error-summary" not in shown()
    assert "field-invalid" not in shown()


def test_what_is_typed_stays_text() -> None:
    page = shown({"value": '"><script>alert(1)</script>'})

    assert "<script>" not in page


def test_only_what_may_be_left_out_says_so() -> None:
    page = shown()

    assert page.count("(optional)") == 1
