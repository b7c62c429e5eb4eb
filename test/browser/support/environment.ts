/** An environment of one test, called as its client and as its tester. */
import type { Isolated, TestServer } from '../../support/server.ts';

export interface OwnEnvironment extends Isolated {
  /** Address of the console, on this environment. */
  console(view: string): string;
  statusOf(accountId: string): Promise<string>;
}

/** @param given as for `POST /_mock/environments` */
export const makeEnvironment = async (server: TestServer, given: object = {}): Promise<OwnEnvironment> => {
  const own = await server.isolated(given);
  return {
    ...own,
    console: (view) => `/_mock/#/${own.name}/${view}`,
    statusOf: async (id) =>
      (await own.api('GET', `/api/v1/connected_accounts/details?id=${id}`)).body.connected_account.status,
  };
};
