/** What both kinds of mock can do, awaited alike, and an environment of its own for each walk. */
import type { Mock, RemoteMock } from '../../src/index.ts';

export type Walked =
  | Pick<Mock, 'createEnvironment' | 'fetch'>
  | Pick<RemoteMock, 'createEnvironment' | 'fetch'>;
/** The same steps on either kind of mock. */
export type Walk = (mock: Walked) => Promise<unknown>;

/** An environment, and calls of the API with its bearer. */
export const isolated = async (mock: Walked) => {
  const env = await mock.createEnvironment();
  const call = async (method: string, path: string, body?: object) => {
    const response = await mock.fetch(`/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${env.credentials.accessToken}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    // Bodies are read member by member in expectations, which fail on anything unexpected.
    return { status: response.status, body: (await response.json()) as ReturnType<typeof JSON.parse> };
  };
  return { env, call };
};

/** How many accounts it holds. */
export const total = async (call: Awaited<ReturnType<typeof isolated>>['call']): Promise<number> =>
  (await call('GET', 'connected_accounts')).body.total_size;
