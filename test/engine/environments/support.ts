/** Hand-made environments for tests: no scenario files, no server. */

import { putRow } from '../../../src/engine/core/table.ts';
import { Environments } from '../../../src/engine/environments/all-environments.ts';
import type { InitialEnvironment, Scenario } from '../../../src/engine/scenario/scenario.ts';
import { service } from '../../../src/service/index.ts';
import { settings } from '../../../src/service/settings.ts';
import { emptyState } from '../../../src/service/state.ts';
import { START } from '../../support/core.ts';

/** An environment frozen at `START`, with one client `NAME-client` and one bearer `NAME-token`. */
const initialEnvironment = (name: string, number: number): InitialEnvironment => {
  const state = emptyState(1);
  const client = { client_id: `${name}-client`, client_secret: `${name}-secret` };
  return {
    service,
    id: `env_10000000000000000${number}`,
    name,
    state: { ...state, clients: putRow(state.clients, client), access_tokens: [`${name}-token`] },
    settings: settings.defaults,
    clock: { mode: 'frozen', now: START },
    faults: [],
  };
};

const scenarioOf = (...names: string[]): Scenario => ({
  name: names.join('-'),
  description: '',
  seed: 1,
  environments: names.map((name, index) => initialEnvironment(name, index + 1)),
});

export const environmentsOf = (...names: string[]): Environments =>
  new Environments(service, scenarioOf(...names), 'http://mock.local');
