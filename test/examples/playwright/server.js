// Stands in for your application: a front end and a back end. One process with one API client serves all tests.
import express from 'express';

const { CA_MOCK_URL, CA_MOCK_ACCESS_TOKEN, PORT } = process.env;

/** Calls the API, and passes on the `baggage` header, as tracing libraries do. */
const callApi = async ({ headers: { baggage } }, path, body) => {
  const response = await fetch(`${CA_MOCK_URL}/api/v1/connected_accounts${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${CA_MOCK_ACCESS_TOKEN}`,
      'content-type': 'application/json',
      ...(baggage && { baggage }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, ...(await response.json()) };
};

const app = express();

app.get('/', (_request, response) => {
  response.send('<form method="post" action="/connect"><button>Connect your mail</button></form>');
});

app.post('/connect', async (request, response) => {
  const { link } = await callApi(request, '/magic_link', { connector: 'mail', identifier: 'you@acme.test' });
  if (link) response.redirect(303, link);
  else response.status(502).send('<p>Please try again later.</p>');
});

app.get('/account', async (request, response) => {
  const { connected_account } = await callApi(request, '/details?connector=mail&identifier=you@acme.test');
  response.send(`<p>Your mail is ${connected_account.status}.</p>`);
});

app.listen(Number(PORT));
