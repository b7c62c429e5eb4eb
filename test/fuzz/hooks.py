"""What schemathesis cannot know from the contract: how else a body may be read, and which data exists."""

import base64
import re

import schemathesis
from schemathesis.core.failures import AcceptedNegativeData
from schemathesis.openapi.checks import RejectedPositiveData

# Objects whose members are data: null and "" in them stay, and no name has another spelling.
FREE_FORM = {"api_config", "details", "metadata"}


def as_read(value):
    """The value without members that count as absent, camelCase names put into snake_case (behaviour T3, T5)."""
    if isinstance(value, list):
        return [as_read(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        re.sub(r"[A-Z]", lambda capital: "_" + capital[0].lower(), name): member
        if name in FREE_FORM
        else as_read(member)
        for name, member in value.items()
        if member not in (None, "")
    }


# JSON does not keep larger integers exactly, so the server refuses them, and no schema can say so.
LARGEST = 2**53 - 1


def holds_larger(value):
    if isinstance(value, dict):
        return any(holds_larger(member) for member in value.values())
    if isinstance(value, list):
        return any(holds_larger(item) for item in value)
    return isinstance(value, int) and abs(value) > LARGEST


def is_valid(case, body):
    described = case.operation.get_body_for_media_type(case.media_type)
    return described is not None and described.get_validator().is_valid(body)


@schemathesis.hook
def filter_failure(context, failure, case, response):
    if isinstance(failure, RejectedPositiveData) and "is too large to be kept exactly" in response.text:
        return not (holds_larger(case.body) and is_valid(case, case.body))
    read = as_read(case.body)
    return not (isinstance(failure, AcceptedNegativeData) and read != case.body and is_valid(case, read))


def is_page_token(text):
    """Whether a text looks like a token of the server: a checksum of 8 characters and JSON."""
    try:
        return base64.urlsafe_b64decode(f"{text}==")[8:9] == b"{"
    except ValueError:
        return False


def fit_list(case, operation):
    query = case.query
    if is_page_token(query.get("page_token")):
        # The server refuses a token with other filters than the token's own (behaviour I4).
        kept = {"page_token", "page_size"} | ({"query"} if operation == "searchConnectedAccounts" else set())
        case.query = {name: query[name] for name in kept if name in query}
        return
    query.pop("page_token", None)
    if "connection_names" in query:
        query["connection_names"] = ["mail"]
        query.pop("connector", None)
    # The schema allows 31 February, and a start after the end.
    for name in ("start_time", "end_time"):
        if name in query:
            query[name] = "2026-01-10T00:00:00Z"


def fit_named_account(case, operation):
    """Names an existing account of a connector that needs authorization by the user (behaviour A2, V2)."""
    named = case.query if case.operation.method == "get" else case.body
    # Keeps ids that the server has drawn, which come from the links of the contract.
    if not re.fullmatch(r"ca_(?!1000)\d{18}", str(named.get("id"))):
        is_delete = operation == "deleteConnectedAccount"
        named["id"] = "ca_100000000000000002" if is_delete else "ca_100000000000000001"
    for name in ("organization_id", "user_id"):
        named.pop(name, None)
    keep_oauth(named)


def fit_new_account(case, operation):
    case.body["connector"] = "mail"
    keep_oauth(case.body)


def keep_oauth(body):
    """Removes credentials that the connector does not take (behaviour A5)."""
    details = body.get("connected_account", {}).get("authorization_details", {})
    for name in {"static_auth", "vendorb_dwd", "trusted_idp"} & set(details):
        del details[name]


def fit_membership(case, operation):
    """Roles must exist in the environment (behaviour M2)."""
    if isinstance(case.body, dict) and "roles" in case.body:
        case.body["roles"] = [{"name": "admin"}]


def fit_provider(case, operation):
    """The schema allows URLs without a valid host, such as https://} (behaviour P1)."""
    for name in ("proxy_url", "icon_src"):
        if name in case.body:
            case.body[name] = "https://proxy.acme.test/path"


def fit_token_request(case, operation):
    case.body |= {"client_id": "dev-client", "client_secret": "dev-secret"}


FIT = {
    "issueToken": fit_token_request,
    "listConnectedAccounts": fit_list,
    "searchConnectedAccounts": fit_list,
    "listAuthenticationRequests": fit_list,
    "createConnectedAccount": fit_new_account,
    "updateConnectedAccount": fit_named_account,
    "deleteConnectedAccount": fit_named_account,
    "getConnectedAccountAuth": fit_named_account,
    "getConnectedAccountDetails": fit_named_account,
    "createMagicLink": fit_named_account,
    "createCustomProvider": fit_provider,
    "updateCustomProvider": fit_provider,
    "createMembership": fit_membership,
    "updateMembership": fit_membership,
    "createMembershipByExternalId": fit_membership,
    "updateMembershipByExternalId": fit_membership,
}


@schemathesis.hook
def map_case(context, case):
    """Replaces made-up ids and names by existing ones in calls that must be valid."""
    operation = case.operation.definition.raw.get("operationId")
    if operation in FIT and case.meta is not None and case.meta.generation.mode.is_positive:
        FIT[operation](case, operation)
    return case


@schemathesis.hook
def before_add_examples(context, examples):
    for case in examples:
        map_case(context, case)


@schemathesis.hook
def filter_case(context, case):
    """A member named __proto__ is refused wherever it is (behaviour T10)."""
    is_positive = case.meta is not None and case.meta.generation.mode.is_positive
    return not (is_positive and "__proto__" in repr(case.body))
