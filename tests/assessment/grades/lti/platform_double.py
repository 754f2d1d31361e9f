"""An LMS that launches by LTI 1.3: real keys, real HTTP, and a memory of what it was told."""

import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import jwt
from jwcrypto.jwk import JWK

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
ROLE = "http://purl.imsglobal.org/vocab/lis/v2/membership#"
SCORE = "https://purl.imsglobal.org/spec/lti-ags/scope/score"


@cache
def make_key(kid: str) -> JWK:
    """Make an RSA key; a name stands for one key, as they take long to make."""
    return JWK.generate(kty="RSA", size=2048, kid=kid, alg="RS256", use="sig")


def sign(claims: dict[str, Any], key: JWK, *, kid: str = "", alg: str = "RS256") -> str:
    """Return the claims as a signed token."""
    pem = key.export_to_pem(private_key=True, password=None)
    return jwt.encode(claims, pem, algorithm=alg, headers={"kid": kid or key["kid"]})


@dataclass
class PlatformDouble:
    """One LMS with one course; ``failures`` are statuses that its next answers have."""

    key: JWK = field(default_factory=lambda: make_key("platform-1"))
    client_id: str = "client-1"
    deployment_id: str = "deployment-1"
    members: list[dict[str, Any]] = field(default_factory=list)
    results: list[dict[str, Any]] = field(default_factory=list)
    line_items: list[dict[str, Any]] = field(default_factory=list)
    page_size: int = 2
    failures: list[int] = field(default_factory=list)
    # What the tool publishes; the double checks the tool's assertions with it.
    tool_keys: dict[str, Any] = field(default_factory=dict)
    scores: list[dict[str, Any]] = field(default_factory=list)
    score_paths: list[str] = field(default_factory=list)
    token_requests: list[dict[str, Any]] = field(default_factory=list)
    registrations: list[dict[str, Any]] = field(default_factory=list)
    issuer_override: str = ""
    keys_url_override: str = ""
    key_fetches: int = 0
    published_keys: Any = None
    token_failures: list[int] = field(default_factory=list)
    # What it says instead of a token, to a score, with a failure, and of where a list goes on.
    token_answer: Any = None
    registration_answer: Any = None
    configuration_changes: dict[str, Any] = field(default_factory=dict)
    score_answer: str | None = None
    failure_headers: dict[str, str] = field(default_factory=dict)
    next_link: str = '<{url}>; rel="next"'

    @contextmanager
    def serving(self) -> Iterator["PlatformDouble"]:
        """Answer on a port of this machine."""
        double = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._send(*double.get(self.path, dict(self.headers)))

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
                self._send(*double.post(self.path, dict(self.headers), body))

            def _send(self, status: int, content: object, headers: dict[str, str]) -> None:
                text = content if isinstance(content, str) else json.dumps(content)
                body = text.encode()
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args: object) -> None:
                """Say nothing."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()
            thread.join()

    @cached_property
    def origin(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def line_items_url(self) -> str:
        """The course's columns."""
        return f"{self.origin}/course/lineitems"

    @property
    def line_item_url(self) -> str:
        """The column of the link; with a query, as some LMSs have it."""
        return f"{self.origin}/course/lineitems/7?type=lti"

    # --- What browsers carry ----------------------------------------------------------------------

    def claims(self, nonce: str, changed: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return the claims of a learner's launch; a change to ``None`` takes a claim out."""
        now = int(time.time())
        claims = {
            "iss": self.origin,
            "aud": self.client_id,
            "sub": "lms-user-1",
            "exp": now + 60,
            "iat": now,
            "nonce": nonce,
            "given_name": "Ada",
            "family_name": "Lovelace",
            f"{CLAIM}message_type": "LtiResourceLinkRequest",
            f"{CLAIM}version": "1.3.0",
            f"{CLAIM}deployment_id": self.deployment_id,
            f"{CLAIM}target_link_uri": "http://testserver/lti/launch/",
            f"{CLAIM}resource_link": {"id": "link-1"},
            f"{CLAIM}roles": [f"{ROLE}Learner"],
            f"{CLAIM}context": {"id": "course-1", "title": "Mechanisms"},
            "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint": {
                "scope": [SCORE, SCORE.replace("score", "lineitem.readonly")],
                "lineitems": self.line_items_url,
                "lineitem": self.line_item_url,
            },
            "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice": {
                "context_memberships_url": f"{self.origin}/course/members",
                "service_versions": ["2.0"],
            },
        } | dict(changed or {})
        return {name: value for name, value in claims.items() if value is not None}

    def token(
        self, authentication_url: str, changed: Mapping[str, Any] | None = None
    ) -> dict[str, str]:
        """Return the form that the browser brings back, for the address it was sent to."""
        asked = {
            name: found[0] for name, found in parse_qs(urlsplit(authentication_url).query).items()
        }
        assert authentication_url.startswith(f"{self.origin}/auth?")
        assert asked["client_id"] == self.client_id
        assert (asked["response_type"], asked["response_mode"]) == ("id_token", "form_post")
        claims = self.claims(asked["nonce"], changed)
        return {"state": asked["state"], "id_token": sign(claims, self.key)}

    # --- What the tool calls ----------------------------------------------------------------------

    def get(self, path: str, headers: dict[str, str]) -> tuple[int, object, dict[str, str]]:
        """Answer a read."""
        parts = urlsplit(path)
        if parts.path == "/jwks":
            self.key_fetches += 1
            own = {"keys": [json.loads(self.key.export_public())]}
            return 200, own if self.published_keys is None else self.published_keys, {}
        if parts.path == "/.well-known/openid-configuration":
            return 200, self._configuration() | self.configuration_changes, {}
        if not headers.get("Authorization", "").startswith("Bearer lms-token-"):
            return 401, {}, {}
        if self.failures:
            return self.failures.pop(0), {}, {}
        if parts.path == "/course/members":
            return self._page(path, self.members, lambda found: {"id": "x", "members": found})
        if parts.path == "/course/lineitems":
            return self._page(path, self.line_items, list)
        if parts.path == "/course/lineitems/7/results":
            return self._page(path, self.results, list)
        return 404, {}, {}

    def post(
        self, path: str, headers: dict[str, str], body: bytes
    ) -> tuple[int, object, dict[str, str]]:
        """Answer a write."""
        parts = urlsplit(path)
        if parts.path == "/token":
            return self._token(parse_qs(body.decode()))
        if parts.path == "/register":
            self.registrations.append(json.loads(body) | {"token": headers.get("Authorization")})
            if self.registration_answer is not None:
                return 200, self.registration_answer, {}
            tool = {"deployment_id": self.deployment_id}
            return (
                200,
                {
                    "client_id": self.client_id,
                    "https://purl.imsglobal.org/spec/lti-tool-configuration": tool,
                },
                {},
            )
        if not headers.get("Authorization", "").startswith("Bearer lms-token-"):
            return 401, {}, {}
        if self.failures:
            return self.failures.pop(0), {"error": "as told"}, self.failure_headers
        assert headers["Content-Type"] == "application/vnd.ims.lis.v1.score+json"
        self.scores.append(json.loads(body))
        self.score_paths.append(path)
        return 200, {} if self.score_answer is None else self.score_answer, {}

    def _token(self, form: dict[str, list[str]]) -> tuple[int, object, dict[str, str]]:
        if self.token_failures:
            return self.token_failures.pop(0), {"error": "invalid_client"}, {}
        (assertion,) = form["client_assertion"]
        kid = jwt.get_unverified_header(assertion)["kid"]
        found = [key for key in self.tool_keys.get("keys", []) if key["kid"] == kid]
        if not found:
            return 400, {"error": "invalid_client"}, {}
        pem = JWK.from_json(json.dumps(found[0])).export_to_pem()
        claims = jwt.decode(assertion, pem, algorithms=["RS256"], audience=f"{self.origin}/token")
        assert claims["iss"] == claims["sub"] == self.client_id
        self.token_requests.append({"scope": form["scope"][0], "kid": kid})
        if self.token_answer is not None:
            return 200, self.token_answer, {}
        return 200, {"access_token": f"lms-token-{uuid4()}", "expires_in": 3600}, {}

    def _configuration(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer_override or self.origin,
            "authorization_endpoint": f"{self.origin}/auth",
            "token_endpoint": f"{self.origin}/token",
            "jwks_uri": self.keys_url_override or f"{self.origin}/jwks",
            "registration_endpoint": f"{self.origin}/register",
            "https://purl.imsglobal.org/spec/lti-platform-configuration": {
                "product_family_code": "double"
            },
        }

    def _page(
        self,
        path: str,
        rows: list[dict[str, Any]],
        wrap: Any,  # noqa: ANN401 (any JSON)
    ) -> tuple[int, object, dict[str, str]]:
        start = int(parse_qs(urlsplit(path).query).get("start", ["0"])[0])
        end = start + self.page_size
        link = self.next_link.format(url=f"{self.origin}{urlsplit(path).path}?start={end}")
        headers = {"Link": link} if end < len(rows) else {}
        return 200, wrap(rows[start:end]), headers
