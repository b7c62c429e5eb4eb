import os, subprocess, pytest, requests

ENVIRONMENTS = os.environ["CA_MOCK_URL"] + "/_mock/environments"


@pytest.fixture
def env():
    made = requests.post(ENVIRONMENTS, json={}).json()
    yield made
    requests.delete(f"{ENVIRONMENTS}/{made['id']}")


@pytest.fixture
def app(env):
    settings = {"API_URL": os.environ["CA_MOCK_URL"], "API_TOKEN": env["access_token"]}
    program = subprocess.Popen(
        ["node", "server.js"], env=os.environ | settings, stdout=subprocess.PIPE, text=True
    )
    yield program.stdout.readline().strip()
    program.kill()


def control(env, what):
    return f"{ENVIRONMENTS}/{env['id']}/{what}"


def lose_reply(env, operation):
    fault = {"operation": operation, "abort": "after", "times": 1}
    assert requests.post(control(env, "faults"), json=fault).ok


def test_a_create_whose_reply_is_lost_makes_one_account(env, app):
    lose_reply(env, "createConnectedAccount")
    form = {"connector": "slack", "identifier": "new@acme.test"}
    assert requests.post(app + "/connect", json=form).json()["id"].startswith("ca_")
    calls = requests.get(control(env, "requests"), {"operation": "createConnectedAccount"}).json()["requests"]
    assert [call["status"] for call in calls] == [0, 409]


def test_an_invitation_whose_reply_is_lost_sends_one_email(env, app):
    lose_reply(env, "createMembership")
    assert requests.post(app + "/invite", json={"email": "grace@acme.test"}).ok
    emails = requests.get(control(env, "outbox")).json()["emails"]
    assert [email["to"] for email in emails] == ["grace@acme.test"]


def test_a_tool_needs_a_live_account(env, app):
    mail = {"connector": "gmail", "identifier": "ada@acme.test"}
    tool = app + "/tools/gmail_fetch_mails"
    assert requests.post(tool, json=mail).json() == {"text": "Three new mails"}
    assert requests.post(control(env, "connected_accounts/gmail%2Fada@acme.test/expire")).ok
    assert requests.post(tool, json=mail).status_code == 424
