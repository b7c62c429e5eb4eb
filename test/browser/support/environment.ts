/** An environment for one test, with calls of its API and of its control plane. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Isolated, TestServer } from '../../support/server.ts';
import type { Stage } from './browser.ts';

export interface OwnEnvironment extends Isolated {
  /** The path of a console view of this environment. */
  console(view: string): string;
  statusOf(accountId: string): Promise<string>;
  /** The rows of a kind that match a search, as the control plane lists them. */
  rows(kind: string, query?: string): Promise<readonly object[]>;
}

/** @param given as for `POST /_mock/environments` */
export const makeEnvironment = async (server: TestServer, given: object = {}): Promise<OwnEnvironment> => {
  const own = await server.isolated(given);
  return {
    ...own,
    console: (view) => `/_mock/#/${own.name}/${view}`,
    statusOf: async (id) =>
      (await own.api('GET', `/api/v1/connected_accounts/details?id=${id}`)).body.connected_account.status,
    rows: async (kind, query = '') =>
      (await own.control('GET', `/rows/${kind}?${new URLSearchParams(query === '' ? {} : { query })}`)).body
        .rows,
  };
};

/** Makes an environment for this test, and opens the console on it. */
export const openConsole = async (
  stage: Stage,
  view: string,
  given: object = {},
  options: BrowserContextOptions = {},
): Promise<{ readonly own: OwnEnvironment; readonly page: Page }> => {
  const own = await makeEnvironment(stage.server, given);
  return { own, page: await stage.open(own.console(view), options) };
};
