/** The first call, made by the mock itself: a mock that says it is ready has answered one (interface.md, "Ready"). */

import { DEFAULT_SETTINGS } from '../domain/settings.ts';
import { emptyState } from '../domain/state.ts';
import {
  addEnvironment,
  clearCoverage,
  type Environments,
  removeEnvironment,
} from '../environments/environments.ts';
import type { Server } from '../server.ts';
import { exchange } from './in-process/exchange.ts';

const NAME = 'warm-up';

/**
 * Calls the API in an environment that is made for it and dropped again, so that nothing of it can be seen later.
 * Before anyone else can call: coverage starts anew.
 * @throws Error if the answer is not the expected one
 */
export const warmUp = async (environments: Environments, { app, messages }: Server): Promise<void> => {
  const environment = addEnvironment(environments, {
    id: `env_${NAME}`,
    name: NAME,
    state: { ...emptyState(0), access_tokens: [NAME] },
    settings: DEFAULT_SETTINGS,
    clock: { mode: 'running' },
  });
  try {
    const { status, body } = await exchange(app, messages, {
      method: 'GET',
      url: new URL('/api/v1/connected_accounts', environments.baseUrl),
      headers: [['authorization', `Bearer ${NAME}`]],
      body: undefined,
      signal: undefined,
    });
    if (status !== 200) throw new Error(`The mock cannot serve its contract: ${status} ${String(body)}`);
  } finally {
    removeEnvironment(environments, environment);
    clearCoverage(environments);
    environments.made -= 1;
  }
};
