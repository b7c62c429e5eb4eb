// In place of your application: a front end and a back end, which run once for all tests and have one client of the API.
import express from 'express';

const { CA_MOCK_URL, CA_MOCK_ACCESS_TOKEN, PORT } = process.env;

/** The back end passes on the `baggage` it gets, as tracing libraries do; that is all a test needs of it. */
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
