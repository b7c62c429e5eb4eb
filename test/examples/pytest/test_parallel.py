import os, threading
from concurrent.futures import ThreadPoolExecutor

import requests
from app import serve

MOCK = os.environ["CA_MOCK_URL"] + "/_mock/environments"


def one_test(url, status):
    env = requests.post(MOCK, json={}).json()
    control = f"{MOCK}/{env['name']}"
    if status != 200:
        fault = {"operation": "listConnections", "status": status}
        requests.post(f"{control}/faults", json=fault).raise_for_status()
    answer = requests.get(url, headers={"baggage": f"mock-environment={env['name']}"})
    calls = requests.get(f"{control}/requests?operation=listConnections").json()["requests"]
    requests.delete(control)
    return answer.status_code, len(calls)


def test_tests_at_the_same_time_do_not_meet():
    server = serve()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/connections"
    statuses = [200, 503, 429, 200, 504]
    with ThreadPoolExecutor() as pool:
        results = list(pool.map(lambda status: one_test(url, status), statuses))
    server.shutdown()
    assert results == [(status, 1) for status in statuses]
