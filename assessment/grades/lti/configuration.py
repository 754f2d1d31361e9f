"""Registrations as the LTI library wants to read them, from the database."""

from pylti1p3.deployment import Deployment as LibraryDeployment
from pylti1p3.exception import LtiException
from pylti1p3.registration import Registration as LibraryRegistration
from pylti1p3.request import Request as LibraryRequest
from pylti1p3.tool_config.abstract import ToolConfAbstract

from assessment.grades.lti.keys import private_pem, signing_key
from assessment.grades.models import Deployment, Platform


class Configuration(ToolConfAbstract[LibraryRequest]):
    """Finds active platforms by issuer and client id, and their deployments."""

    def check_iss_has_one_client(self, iss: str) -> bool:
        """Return no: an issuer (a hosted LMS) may have many clients."""
        del iss
        return False

    def check_iss_has_many_clients(self, iss: str) -> bool:
        """Return yes, always."""
        del iss
        return True

    def find_registration_by_issuer(
        self, iss: str, *args: object, **kwargs: object
    ) -> LibraryRegistration:
        """Refuse: an issuer alone names no registration."""
        del iss, args, kwargs
        raise LtiException("A registration is named by issuer and client id.")

    def find_registration_by_params(
        self, iss: str, client_id: str, *args: object, **kwargs: object
    ) -> LibraryRegistration:
        """Return the registration of this issuer and client."""
        del args, kwargs
        platform = find_platform(iss, client_id)
        if platform is None:
            raise LtiException("No active platform has this issuer and client id.")
        return registration_of(platform)

    def find_deployment(self, iss: str, deployment_id: str) -> None:
        """Find nothing: see above."""

    def find_deployment_by_params(
        self, iss: str, deployment_id: str, client_id: str, *args: object, **kwargs: object
    ) -> LibraryDeployment | None:
        """Return the deployment, if it is known."""
        del args, kwargs
        known = Deployment.objects.filter(
            platform__issuer=iss, platform__client_id=client_id, deployment_id=deployment_id
        )
        return LibraryDeployment().set_deployment_id(deployment_id) if known.exists() else None


def find_platform(issuer: object, client_id: object) -> Platform | None:
    """Return the active platform; without a client id only where the issuer has just one."""
    if not isinstance(issuer, str) or not issuer:
        return None
    platforms = Platform.objects.filter(issuer=issuer, is_active=True)
    if isinstance(client_id, str) and client_id:
        return platforms.filter(client_id=client_id).first()
    found = list(platforms[:2])
    return found[0] if len(found) == 1 else None


def registration_of(platform: Platform) -> LibraryRegistration:
    """Return the library's registration, with the key that signs now."""
    key = signing_key()
    registration = LibraryRegistration()
    registration.set_issuer(platform.issuer)
    registration.set_client_id(platform.client_id)
    registration.set_auth_login_url(platform.auth_login_url)
    registration.set_auth_token_url(platform.auth_token_url)
    registration.set_key_set_url(platform.key_set_url)
    if platform.auth_audience:
        registration.set_auth_audience(platform.auth_audience)
    registration.set_tool_private_key(private_pem(key))
    registration.set_tool_public_key(key.public_pem)
    return registration
