import contextvars, os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import requests

# The `baggage` of the current request, which every API call for that request sends too.
baggage = contextvars.ContextVar("baggage", default=None)


def call_api(path):
    headers = {"Authorization": f"Bearer {os.environ['CA_MOCK_ACCESS_TOKEN']}"}
    if baggage.get():
        headers["baggage"] = baggage.get()
    return requests.get(os.environ["CA_MOCK_URL"] + path, headers=headers)


class Application(BaseHTTPRequestHandler):
    def do_GET(self):
        baggage.set(self.headers.get("baggage"))
        answer = call_api("/api/v1/connections")
        self.send_response(answer.status_code)
        self.end_headers()
        self.wfile.write(answer.content)


def serve():
    return ThreadingHTTPServer(("127.0.0.1", 0), Application)
