"""A cohort with an instructor whose browser is signed in."""

import pytest
from django.test import Client as Browser

from assessment.cohorts.models import Cohort, User
from tests.factories import enrol, make_cohort, make_session, make_user


def browser_of(user: User) -> Browser:
    """Return a browser in which this person is signed in, as often as they like."""
    browser = Browser()
    browser.force_login(user)
    return browser


@pytest.fixture
def autumn(db: None) -> Cohort:  # noqa: ARG001 (the tables)
    """Return a cohort with one session."""
    return make_cohort(make_session(), slug="autumn", name="Autumn")


@pytest.fixture
def instructor(autumn: Cohort) -> User:
    """Return its instructor."""
    return enrol(autumn, make_user("sofia"), role="instructor").user


@pytest.fixture
def winter(instructor: User) -> Cohort:
    """Return another cohort of the same instructor."""
    cohort = make_cohort(slug="winter", name="Winter")
    enrol(cohort, instructor, role="instructor")
    return cohort


@pytest.fixture
def desk(instructor: User) -> Browser:
    """Return the instructor's browser."""
    return browser_of(instructor)


@pytest.fixture
def administrator(db: None) -> User:  # noqa: ARG001 (the tables)
    """Return an administrator without any place."""
    return make_user("root", is_staff=True, is_superuser=True)
