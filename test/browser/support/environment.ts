/** An environment of one test, called as its client and as its tester. */
import type { Answer, TestServer } from '../../support/server.ts';

export interface OwnEnvironment {
  readonly name: string;
  /** A call of the mocked API. */
  api(method: string, path: string, body?: unknown): Promise<Answer>;
  /** A call of the control plane, within the environment. */
  control(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Address of the console, on this environment. */
  console(view: string): string;
  statusOf(accountId: string): Promise<string>;
}

/** @param given as for `POST /_mock/environments` */
export const makeEnvironment = async (server: TestServer, given: object = {}): Promise<OwnEnvironment> => {
  const made = (await server.call('POST', '/_mock/environments', { token: null, body: given })).body;
  const api: OwnEnvironment['api'] = (method, path, body) =>
    server.call(method, path, { token: made.access_token, body });
  return {
    name: made.name,
    api,
    control: (method, path, body) =>
      server.call(method, `/_mock/environments/${made.name}${path}`, { token: null, body }),
    console: (view) => `/_mock/#/${made.name}/${view}`,
    statusOf: async (id) =>
      (await api('GET', `/api/v1/connected_accounts/details?id=${id}`)).body.connected_account.status,
  };
};
