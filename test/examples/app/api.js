// The API client. It uses one token for all users, gets a new token after a 401, and tries again after a 503.
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** The `baggage` header of the browser's request. Every call to the API that this request causes sends it too. */
export const baggage = new AsyncLocalStorage();

const MOST_TRIES = 3;

export const createApi = ({ baseUrl, clientId, clientSecret }) => {
  let token;

  const fetchToken = async () => {
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const response = await fetch(`${baseUrl}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    return (await response.json()).access_token;
  };

  const send = async (method, path, body) => {
    token ??= fetchToken();
    const headers = { authorization: `Bearer ${await token}`, 'content-type': 'application/json' };
    if (baggage.getStore()) headers.baggage = baggage.getStore();
    return fetch(`${baseUrl}/api/v1${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
  };

  return async (method, path, body) => {
    for (let tries = 1; ; tries += 1) {
      const response = await send(method, path, body);
      if (tries < MOST_TRIES && response.status === 401) {
        token = undefined; // it has expired
        continue;
      }
      if (tries < MOST_TRIES && response.status === 503) {
        await sleep(Number(response.headers.get('retry-after') ?? 0) * 1000);
        continue;
      }
      if (response.ok) return response.json();
      throw Object.assign(new Error('Please try again later.'), { status: response.status });
    }
  };
};
