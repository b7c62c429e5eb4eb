import { AsyncLocalStorage } from 'node:async_hooks';
import express from 'express';

const { CA_MOCK_URL, CA_MOCK_CLIENT_ID, CA_MOCK_CLIENT_SECRET } = process.env;

/** The `baggage` of the current request, which every API call for that request sends too. */
const baggage = new AsyncLocalStorage();

let token; // one token for the whole application
const fetchToken = async () => {
  const form = {
    grant_type: 'client_credentials',
    client_id: CA_MOCK_CLIENT_ID,
    client_secret: CA_MOCK_CLIENT_SECRET,
  };
  const response = await fetch(`${CA_MOCK_URL}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  return (await response.json()).access_token;
};

const callApi = async (path) => {
  token ??= fetchToken();
  const headers = { authorization: `Bearer ${await token}` };
  if (baggage.getStore()) headers.baggage = baggage.getStore();
  return fetch(CA_MOCK_URL + path, { headers });
};

export const app = express();
app.use((request, _response, next) => baggage.run(request.get('baggage'), next));
app.get('/connections', async (_request, response) => {
  const answer = await callApi('/api/v1/connections');
  response.status(answer.status).send(await answer.text());
});
