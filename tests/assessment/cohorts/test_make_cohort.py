import pytest
from django.core.management import CommandError, call_command

from assessment.cohorts.models import Cohort
from tests.factories import enrol, make_session, make_user

pytestmark = pytest.mark.django_db


def test_a_cohort_is_made_and_a_second_run_changes_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    make_user("sofia")
    session = make_session()
    words = ["autumn", "--name", "Autumn group", "--time-zone", "Europe/Paris"]
    words += ["--session", session.slug, "--instructor", "sofia"]

    call_command("make_cohort", *words)
    call_command("make_cohort", *words)

    first, second = capsys.readouterr().out.splitlines()
    assert first == "cohort autumn (Autumn group): made; added: sessions 1, instructors 1"
    assert second == "cohort autumn (Autumn group): unchanged; added: sessions 0, instructors 0"
    autumn = Cohort.objects.get()
    assert (autumn.time_zone, list(autumn.sessions.all())) == ("Europe/Paris", [session])
    assert autumn.enrolments.instructors().get().user.username == "sofia"


def test_a_run_with_less_takes_nothing_away() -> None:
    session = make_session()
    call_command("make_cohort", "autumn", "--name", "Autumn", "--session", session.slug)

    call_command("make_cohort", "autumn")

    autumn = Cohort.objects.get()
    assert (autumn.name, list(autumn.sessions.all())) == ("Autumn", [session])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(["Autumn 1"], "slug: Enter a valid", id="no short name"),
        pytest.param(["autumn", "--session", "ghost"], "no session is imported as 'ghost'", id="s"),
        pytest.param(
            ["autumn", "--instructor", "ghost"], "no active user is named 'ghost'", id="i"
        ),
        pytest.param(["autumn", "--time-zone", "Mars"], "time_zone: Mars is no time zone", id="z"),
        pytest.param(["autumn", "--name", "x" * 201], "name: Ensure", id="a long name"),
    ],
)
def test_wrong_use_is_one_line_and_status_2(words: list[str], said: str) -> None:
    with pytest.raises(CommandError, match=said) as refused:
        call_command("make_cohort", *words)

    assert refused.value.returncode == 2
    assert "\n" not in str(refused.value)
    assert not Cohort.objects.exists()


def test_a_learner_of_the_cohort_is_not_made_its_instructor() -> None:
    call_command("make_cohort", "autumn")
    enrol(Cohort.objects.get(), make_user("ada"))

    with pytest.raises(CommandError, match="learner of this cohort"):
        call_command("make_cohort", "autumn", "--instructor", "ada", "--name", "Other")

    assert Cohort.objects.get().name == "autumn"


@pytest.mark.parametrize(
    ("words", "status"),
    [
        pytest.param(["ghost"], 1, id="nobody"),
        pytest.param(["ada"], 2, id="no port, as there is no TLS"),
        pytest.param(["ada", "--origin", "course"], 2, id="no origin"),
        pytest.param(["ada", "--origin", "https://*.example.org"], 2, id="no host"),
    ],
)
def test_a_link_that_cannot_be_made_is_refused(words: list[str], status: int) -> None:
    make_user("ada")

    with pytest.raises(CommandError) as refused:
        call_command("sign_in_link", *words)

    assert refused.value.returncode == status
