import os, pytest, requests

@pytest.fixture
def env():
    return requests.post(os.environ["CA_MOCK_URL"] + "/_mock/environments", json={}).json()
