"""Addresses of cohorts, people and passwords."""

from django.urls import URLPattern, path

from assessment.cohorts.inviting import forgotten_links
from assessment.cohorts.pages import adding, cohorts, offers, passwords, people

urlpatterns: list[URLPattern] = [
    # assessment/config/redacting.py knows these two: what follows them is kept out of the log.
    path(
        "link/<uidb64>/<token>/",
        passwords.ChoosePasswordView.as_view(),
        name="sign-in-link",
    ),
    path(
        "forgotten/<uidb64>/<token>/",
        passwords.ChoosePasswordView.as_view(token_generator=forgotten_links),
        name="forgotten-link",
    ),
    path("forgotten/", passwords.forgotten, name="forgotten"),
    path("cohorts/", cohorts.cohorts, name="cohorts"),
    path("cohorts/<slug:slug>/", cohorts.cohort, name="cohort"),
    path("cohorts/<slug:slug>/sessions/", cohorts.add_session, name="add-cohort-session"),
    path(
        "cohorts/<slug:slug>/sessions/<slug:session>/remove/",
        cohorts.remove_session,
        name="remove-cohort-session",
    ),
    path("cohorts/<slug:slug>/instructors/", cohorts.instructors, name="cohort-instructors"),
    path("cohorts/<slug:slug>/people/add/", adding.add_people, name="add-people"),
    path("cohorts/<slug:slug>/people/lists/<uuid:pk>/", adding.people_list, name="people-list"),
    path("cohorts/<slug:slug>/people/links/", people.links, name="cohort-links"),
    path("cohorts/<slug:slug>/people/<uuid:pk>/", people.person, name="cohort-person"),
    path("cohorts/<slug:slug>/people/<uuid:pk>/end/", people.end, name="end-place"),
    path("cohorts/<slug:slug>/people/<uuid:pk>/resume/", people.resume, name="resume-place"),
    path("cohorts/<slug:slug>/people/<uuid:pk>/link/", people.link, name="person-link"),
    path("cohorts/<slug:slug>/offers/<uuid:pk>/withdraw/", offers.withdraw, name="withdraw-offer"),
    path("offers/<uuid:pk>/", offers.answer, name="answer-offer"),
    path("password/", passwords.ChangePasswordView.as_view(), name="change-password"),
]
