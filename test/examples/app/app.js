// The back end. A real one would read the user from a session; here the user is always the same.
import express from 'express';
import { baggage, createApi } from './api.js';

const USER = 'you@acme.test';
const BARBARA = 'organizations/org_100000000000000001/users/usr_100000000000000005';

export const createApp = (options) => {
  const api = createApi(options);
  const app = express();
  app.use((request, _response, next) => baggage.run(request.get('baggage'), next));
  app.use(express.json(), express.static('dist'));

  app.get('/api/accounts', async (_request, response) => {
    const { connected_accounts } = await api(
      'GET',
      `/connected_accounts?identifier=${encodeURIComponent(USER)}`,
    );
    response.json({ accounts: connected_accounts });
  });

  app.post('/api/connect', async (request, response) => {
    const { link } = await api('POST', '/connected_accounts/magic_link', {
      connector: request.body.connector,
      identifier: USER,
      user_verify_url: `${request.protocol}://${request.host}/verify`,
    });
    response.json({ link });
  });

  app.get('/verify', async ({ query: { auth_request_id } }, response) => {
    if (auth_request_id)
      await api('POST', '/connected_accounts/user/verify', { auth_request_id, identifier: USER });
    response.redirect('/');
  });

  app.post('/api/invite', async (_request, response) => {
    const { user } = await api('POST', `/memberships/${BARBARA}`, { inviter_email: USER });
    response.json({ email: user.email });
  });

  app.use((error, _request, response, _next) => {
    response.status(502).json({ message: error.message });
  });
  return app;
};
