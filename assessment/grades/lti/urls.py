"""The addresses of LTI."""

from django.urls import path

from assessment.grades.lti import pages, views

urlpatterns = [
    path("lti/login/", views.login, name="lti-login"),
    path("lti/cookies/", views.cookies, name="lti-cookies"),
    path("lti/launch/", views.launch, name="lti-launch"),
    path("lti/keys/", views.key_set, name="lti-keys"),
    path("lti/register/<str:secret>/", views.register, name="lti-register"),
    path("lti/deep-link/", pages.deep_link, name="lti-deep-link"),
    path("lti/platforms/", pages.platforms, name="lti-platforms"),
    path("lti/platforms/invite/", pages.invite, name="lti-invite"),
    path("lti/platforms/keys/", pages.rotate_keys, name="lti-rotate-keys"),
    path("lti/platforms/<uuid:pk>/deployments/", pages.add_deployment, name="lti-add-deployment"),
    path("lti/platforms/<uuid:pk>/close/", pages.close, name="lti-close"),
]
