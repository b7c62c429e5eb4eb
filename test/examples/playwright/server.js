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
  response.send(
    '<form method="post" action="/connect"><button>Connect your mail</button><button formaction="/sign-up">Sign up</button></form>',
  );
});

app.post('/connect', async (request, response) => {
  const { link } = await callApi(request, '/magic_link', { connector: 'mail', identifier: 'you@acme.test' });
  if (link) response.redirect(303, link);
  else response.status(502).send('<p>Please try again later.</p>');
});

// The user comes back here, since the link has a user_verify_url.
app.post('/sign-up', async (request, response) => {
  const user_verify_url = `http://${request.headers.host}/verify`;
  const wanted = { connector: 'mail', identifier: 'you@acme.test', user_verify_url };
  response.redirect(303, (await callApi(request, '/magic_link', wanted)).link);
});

app.get('/verify', async (request, response) => {
  const { auth_request_id } = request.query;
  await callApi(request, '/user/verify', { auth_request_id, identifier: 'you@acme.test' });
  response.redirect('/account');
});

app.get('/account', async (request, response) => {
  const { connected_account } = await callApi(request, '/details?connector=mail&identifier=you@acme.test');
  response.send(`<p>Your mail is ${connected_account.status}.</p>`);
});

app.listen(Number(PORT));
