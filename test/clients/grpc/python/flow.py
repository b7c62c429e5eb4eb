"""Walks FLOW.md with grpcio and code that grpcio-tools generated."""

import json
import os
import time
import urllib.parse
import urllib.request

import grpc
from example.accounts.v1 import accounts_pb2 as pb
from example.accounts.v1 import accounts_pb2_grpc as services
from example.accounts.v1 import errors_pb2
from google.protobuf import empty_pb2, struct_pb2
from grpc_status import rpc_status

URL = os.environ["MOCK_URL"]
ENVIRONMENT = os.environ["MOCK_ENVIRONMENT"]
ADDRESS = urllib.parse.urlsplit(URL)
IDENTIFIER = "Flow@acme.test"
PAIR = {"connector": "mail", "identifier": IDENTIFIER}
POLICY = {
    "methodConfig": [
        {
            "name": [{}],
            "retryPolicy": {
                "maxAttempts": 5,
                "initialBackoff": "0.02s",
                "maxBackoff": "0.1s",
                "backoffMultiplier": 2,
                "retryableStatusCodes": ["RESOURCE_EXHAUSTED", "INTERNAL", "DEADLINE_EXCEEDED", "UNAVAILABLE"],
            },
        }
    ]
}
OPTIONS = [
    ("grpc.service_config", json.dumps(POLICY)),
    ("grpc.keepalive_time_ms", 1_000),
    ("grpc.keepalive_permit_without_calls", 1),
]


def open_channel():
    if ADDRESS.scheme == "https":
        return grpc.secure_channel(ADDRESS.netloc, grpc.ssl_channel_credentials(), OPTIONS)
    return grpc.insecure_channel(ADDRESS.netloc, OPTIONS)


channel = open_channel()
tokens = services.TokensStub(channel)
accounts = services.ConnectedAccountsStub(channel)
connections = services.ConnectionsStub(channel)


def done(step):
    print(f"ok {step}", flush=True)


def fails(code, method, request, **given):
    """Requires that a call fails with this code. Returns the details of the error."""
    try:
        method(request, **{"metadata": METADATA, **given})
    except grpc.RpcError as error:
        assert error.code() == code, f"{error.code()} {error.details()}"
        detail = errors_pb2.ErrorInfo()
        status = rpc_status.from_call(error)
        if status:
            assert status.details[0].Unpack(detail)
        return detail
    raise AssertionError(f"no {code}")


def post(path, body):
    data = json.dumps(body).encode()
    request = urllib.request.Request(URL + path, data, {"content-type": "application/json"})
    return urllib.request.urlopen(request).read()


def add_fault(**fault):
    times = {} if isinstance(fault.get("status"), list) else {"times": 1}  # each status of a list is used once
    post(f"/_mock/environments/{ENVIRONMENT}/faults", {**times, **fault})


def last_statuses(operation, count):
    """The statuses of the last calls of an operation."""
    path = f"/_mock/environments/{ENVIRONMENT}/requests?operation={operation}"
    requests = json.load(urllib.request.urlopen(URL + path))["requests"]
    return [one["status"] for one in requests[-count:]]


METADATA = [("authorization", "Bearer none")]
issued = tokens.IssueToken(
    pb.IssueTokenRequest(
        grant_type="client_credentials",
        client_id=os.environ["MOCK_CLIENT_ID"],
        client_secret=os.environ["MOCK_CLIENT_SECRET"],
    )
)
assert issued.token_type == "Bearer" and issued.expires_in == 86400
done("token")

refused = fails(grpc.StatusCode.UNAUTHENTICATED, connections.ListConnections, pb.ListConnectionsRequest())
assert refused.error_code == "UNAUTHENTICATED"
METADATA = [("authorization", f"Bearer {issued.access_token}")]
done("unauthenticated")


def call(method, request, **given):
    return method(request, metadata=METADATA, **given)


types = {one.key_id: one.type for one in call(connections.ListConnections, pb.ListConnectionsRequest()).connections}
assert types["mail"] == pb.Connection.TYPE_OAUTH
done("connections")

settings = struct_pb2.Struct()
settings.update({"first": 1})
secret = pb.OauthToken(access_token="flow-access", refresh_token="flow-refresh", scopes=["mail.read"])
wanted = pb.CreateConnectedAccountRequest(
    **PAIR,
    connected_account=pb.AccountCredentials(
        api_config=settings, authorization_details=pb.AuthorizationDetails(oauth_token=secret)
    ),
)
account = call(accounts.CreateConnectedAccount, wanted).connected_account
assert account.status == pb.ACTIVE and account.id.startswith("ca_")
assert account.authorization_type == pb.AUTHORIZATION_TYPE_OAUTH
done("create")

fails(grpc.StatusCode.ALREADY_EXISTS, accounts.CreateConnectedAccount, wanted)
done("conflict")

detail = fails(
    grpc.StatusCode.INVALID_ARGUMENT, accounts.ListConnectedAccounts, pb.ListConnectedAccountsRequest(page_size=101)
)
assert [one.field for one in detail.validation_error_info.field_violations] == ["page_size"]
done("invalid")


def with_config(**config):
    settings = struct_pb2.Struct()
    settings.update(config)
    return pb.UpdateConnectedAccountRequest(**PAIR, connected_account=pb.AccountCredentials(api_config=settings))


updated = call(accounts.UpdateConnectedAccount, with_config(second=2)).connected_account
assert dict(updated.api_config) == {"first": 1, "second": 2}
done("update")

seen, page_token = set(), ""
while True:
    page = call(accounts.ListConnectedAccounts, pb.ListConnectedAccountsRequest(page_size=5, page_token=page_token))
    seen |= {one.id for one in page.connected_accounts}
    page_token = page.next_page_token
    if not page_token:
        break
assert len(seen) == page.total_size
done("pages")

for status in (429, 500, 504):
    add_fault(operation="listConnections", status=status)
assert call(connections.ListConnections, pb.ListConnectionsRequest()).connections
done("retries")

add_fault(operation="listConnections", status=[503, 503, 200])
assert call(connections.ListConnections, pb.ListConnectionsRequest()).connections
assert last_statuses("listConnections", 3) == [503, 503, 200]
done("unavailable")

DETAILS = pb.AccountAddress(**PAIR)
add_fault(operation="getConnectedAccountDetails", delay_ms=60_000)
fails(grpc.StatusCode.DEADLINE_EXCEEDED, accounts.GetConnectedAccountDetails, DETAILS, timeout=0.3)
done("deadline")

# Aborts as many attempts as the retry policy allows.
add_fault(operation="getConnectedAccountDetails", abort=True, times=5)
fails(grpc.StatusCode.UNAVAILABLE, accounts.GetConnectedAccountDetails, DETAILS)
add_fault(operation="getConnectedAccountDetails", abort=True)
assert call(accounts.GetConnectedAccountDetails, DETAILS).connected_account.id == account.id
done("abort")

add_fault(operation="getConnectedAccountDetails", delay_ms=60_000)
future = accounts.GetConnectedAccountDetails.future(DETAILS, metadata=METADATA)
time.sleep(0.2)
assert future.cancel() and future.cancelled()
assert call(accounts.GetConnectedAccountDetails, DETAILS).connected_account.id == account.id
done("cancel")

futures = [
    accounts.CreateConnectedAccount.future(
        pb.CreateConnectedAccountRequest(connector="mail", identifier=f"many-{nth}@acme.test"), metadata=METADATA
    )
    for nth in range(100)
]
assert len({future.result().connected_account.id for future in futures}) == 100
done("at-once")

TEXT = "large " * 100_000
sent = call(accounts.UpdateConnectedAccount, with_config(text=TEXT), compression=grpc.Compression.Gzip)
assert sent.connected_account.api_config["text"] == TEXT
done("gzip")

detail = fails(grpc.StatusCode.INVALID_ARGUMENT, accounts.UpdateConnectedAccount, with_config(text=TEXT * 2))
assert detail.error_code == "PAYLOAD_TOO_LARGE"
done("too-large")

call(accounts.DeleteConnectedAccount, DETAILS)
fails(grpc.StatusCode.NOT_FOUND, accounts.GetConnectedAccountDetails, DETAILS)
done("delete")
