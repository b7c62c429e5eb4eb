import os, requests


def test_retries_when_the_service_is_busy(env):
    fault = {"operation": "listConnections", "status": 503, "times": 1}
    requests.post(control(env, "faults"), json=fault).raise_for_status()
    assert list_connections(env) == 200
    calls = requests.get(control(env, "requests"), {"operation": "listConnections"}).json()["requests"]
    assert [call["status"] for call in calls] == [503, 200]


def test_another_test_sees_nothing_of_it(env):
    assert requests.get(control(env, "requests")).json()["requests"] == []


def control(env, what):
    return f"{os.environ['CA_MOCK_URL']}/_mock/environments/{env['id']}/{what}"


# Stands in for your application, in which the address of the API must be configurable.
def list_connections(env):
    url = os.environ["CA_MOCK_URL"] + "/api/v1/connections"
    headers = {"Authorization": "Bearer " + env["access_token"]}
    status = requests.get(url, headers=headers).status_code
    return requests.get(url, headers=headers).status_code if status == 503 else status
