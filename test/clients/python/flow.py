"""Walks FLOW.md with httpx and handwritten code that retries after 429 and 5xx."""

import os
import time

import httpx

URL = os.environ["MOCK_URL"]
ENVIRONMENT = os.environ["MOCK_ENVIRONMENT"]
IDENTIFIER = "Flow@acme.test"
PAIR = {"connector": "mail", "identifier": IDENTIFIER}
TOKENS = {"access_token": "flow-access", "refresh_token": "flow-refresh", "scopes": ["mail.read"]}
STATE = "a state & more"
ACCOUNTS = "/api/v1/connected_accounts"
ORGANIZATION = "organizations/org_100000000000000001"
MEMBER = f"{ORGANIZATION}/users/usr_100000000000000005"
ATTEMPTS = 5


class Retrying(httpx.BaseTransport):
    """Retries after 429 and 5xx. Waits for the time in Retry-After before each retry."""

    def __init__(self):
        self.inner = httpx.HTTPTransport()

    def handle_request(self, request):
        for attempt in range(1, ATTEMPTS + 1):
            response = self.inner.handle_request(request)
            may_pass = response.status_code == 429 or response.status_code >= 500
            if not may_pass or attempt == ATTEMPTS:
                return response
            response.close()
            time.sleep(float(response.headers.get("retry-after", "0.02")))

    def close(self):
        self.inner.close()


api = httpx.Client(base_url=URL, transport=Retrying())


def call(method, path, status=200, **given):
    response = api.request(method, path, **given)
    assert response.status_code == status, f"{method} {path}: {response.status_code} {response.text}"
    return response.json()


def done(step):
    print(f"ok {step}", flush=True)


issued = call(
    "POST",
    "/oauth/token",
    data={"grant_type": "client_credentials"},
    auth=(os.environ["MOCK_CLIENT_ID"], os.environ["MOCK_CLIENT_SECRET"]),
)
assert issued["token_type"] == "Bearer" and issued["expires_in"] == 86400
done("token")

refused = call("GET", "/api/v1/connections", 401, headers={"Authorization": "Bearer none"})
assert refused["details"][0]["error_code"] == "UNAUTHENTICATED"
api.headers["Authorization"] = f"Bearer {issued['access_token']}"
done("unauthorized")

connections = call("GET", "/api/v1/connections")["connections"]
assert {one["key_id"]: one["type"] for one in connections}["mail"] == "OAUTH"
done("connections")

wanted = {**PAIR, "connected_account": {"api_config": {"first": 1}, "authorization_details": {"oauth_token": TOKENS}}}
account = call("POST", ACCOUNTS, 201, json=wanted)["connected_account"]
assert account["status"] == "ACTIVE" and account["id"].startswith("ca_")
done("create")

call("POST", ACCOUNTS, 409, json=wanted)
done("conflict")

assert "page_size" in call("GET", ACCOUNTS, 400, params={"page_size": 101})["message"]
done("invalid")

details = call("GET", f"{ACCOUNTS}/details", params=PAIR)["connected_account"]
assert details["identifier"] == IDENTIFIER and "authorization_details" not in details
done("details")

auth = call("GET", f"{ACCOUNTS}/auth", params={"id": account["id"]})["connected_account"]
assert auth["authorization_details"]["oauth_token"]["access_token"] == TOKENS["access_token"]
done("credentials")

updated = call("PUT", ACCOUNTS, json={**PAIR, "connected_account": {"api_config": {"second": 2}}})
assert updated["connected_account"]["api_config"] == {"first": 1, "second": 2}
done("update")

seen, page_token = set(), ""
while True:
    page = call("GET", ACCOUNTS, params={"page_size": 5, "page_token": page_token})
    seen |= {one["id"] for one in page["connected_accounts"]}
    page_token = page["next_page_token"]
    if not page_token:
        break
assert len(seen) == page["total_size"]
done("pages")

found = call("GET", f"{ACCOUNTS}:search", params={"query": "FLOW@ACME"})["connected_accounts"]
assert [one["identifier"] for one in found] == [IDENTIFIER]
done("search")

link = call(
    "POST",
    f"{ACCOUNTS}/magic_link",
    json={**PAIR, "user_verify_url": "http://localhost:3000/verify?from=flow", "state": STATE},
)["link"]
answer = httpx.get(link, params={"decision": "approve"}, follow_redirects=False)
assert answer.status_code == 302
returned = httpx.URL(answer.headers["location"]).params
assert returned["state"] == STATE and returned["from"] == "flow"
done("link")

proof = {"auth_request_id": returned["auth_request_id"]}
call("POST", f"{ACCOUNTS}/user/verify", 403, json={**proof, "identifier": "other@acme.test"})
done("mismatch")

verified = call("POST", f"{ACCOUNTS}/user/verify", json={**proof, "identifier": IDENTIFIER})
assert verified["post_user_verify_redirect_url"].startswith("http")
done("verify")

provider = call(
    "POST", "/api/v1/custom-providers", 201, json={"display_name": "Flow", "proxy_url": "https://proxy.test", "auth_patterns": [{"type": "API_KEY"}]}
)["provider"]
assert ":" in provider["identifier"]
path = f"/api/v1/custom-providers/{provider['identifier']}"
assert call("PUT", path, json={"display_name": "Flow 2"})["provider"]["display_name"] == "Flow 2"
call("DELETE", path)
call("DELETE", path, 404)
done("provider")

path = f"/api/v1/memberships/{MEMBER}"
user = call("POST", path, 201, json={"inviter_email": "ada@acme.test"})["user"]
assert user["memberships"][0]["membership_status"] == "PENDING_INVITE"
changed = call("PATCH", path, json={"metadata": {"team": "core"}})["user"]
assert changed["memberships"][0]["metadata"] == {"team": "core"}
assert call("PATCH", f"/api/v1/invites/{MEMBER}/resend", json={})["invite"]["resent_count"] == 1
call("DELETE", path)
call("DELETE", path, 404)
done("membership")

path = f"/api/v1/memberships/{ORGANIZATION}/users:external/ext-barbara"
assert call("POST", path, 201, json={})["user"]["external_id"] == "ext-barbara"
call("DELETE", path)
done("external-id")

statuses = ["SUCCESS", "FAILED"]
entries = call("GET", "/api/v1/logs/authentication/requests", params={"status": statuses})["authRequests"]
assert entries and all(one["status"] in statuses for one in entries)
done("logs")

for status in (429, 500, 504):
    fault = {"operation": "listConnections", "status": status, "times": 1}
    httpx.post(f"{URL}/_mock/environments/{ENVIRONMENT}/faults", json=fault).raise_for_status()
assert call("GET", "/api/v1/connections")["connections"]
done("retries")

call("POST", f"{ACCOUNTS}:delete", json=PAIR)
call("GET", f"{ACCOUNTS}/details", 404, params=PAIR)
done("delete")
