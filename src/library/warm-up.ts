/** The first call, made by the mock itself: a mock that says it is ready has answered one (interface.md, "Ready"). */

import { DEFAULT_SETTINGS } from '../domain/settings.ts';
import { emptyState } from '../domain/state.ts';
import { addEnvironment, clearCoverage, removeEnvironment, type World } from '../world/world.ts';
import type { Fetch } from './in-process/fetch.ts';

const NAME = 'warm-up';

/**
 * Calls the API in an environment that is made for it and dropped again, so that nothing of it can be seen later.
 * Before anyone else can call: coverage starts anew.
 * @throws Error if the answer is not the expected one
 */
export const warmUp = async (world: World, fetch: Fetch): Promise<void> => {
  const environment = addEnvironment(world, {
    id: `env_${NAME}`,
    name: NAME,
    state: { ...emptyState(0), access_tokens: [NAME] },
    settings: DEFAULT_SETTINGS,
    clock: { mode: 'running' },
  });
  try {
    const response = await fetch('/api/v1/connections', { headers: { authorization: `Bearer ${NAME}` } });
    if (response.status !== 200)
      throw new Error(`The mock cannot serve its contract: ${response.status} ${await response.text()}`);
  } finally {
    removeEnvironment(world, environment);
    clearCoverage(world);
    world.made -= 1;
  }
};
