/** The API plane over one environment, whose state a test can read and set. */
import express from 'express';
import { createApiPlane } from '../../src/api/plane.ts';
import { DEFAULT_SETTINGS } from '../../src/domain/settings.ts';
import type { State } from '../../src/domain/state.ts';
import { initialState } from '../../src/environments/environment.ts';
import { Environments } from '../../src/environments/environments.ts';
import { loadContract } from '../../src/openapi/load.ts';
import { createSurfaces } from '../../src/openapi/members.ts';
import { START } from './core.ts';

const BASE_URL = 'http://mock.test';

export const apiPlane = (state: State) => {
  const initial = {
    id: 'env_1',
    name: 'development',
    state: { ...state, access_tokens: ['dev-token'] },
    settings: DEFAULT_SETTINGS,
    clock: { mode: 'frozen', now: START },
  } as const;
  const contract = loadContract();
  const surfaces = createSurfaces(contract);
  const scenario = { name: 'plane', description: '', seed: 1, environments: [initial] };
  const environments = new Environments(scenario, BASE_URL, surfaces);
  const environment = environments.first();
  const unforeseen: unknown[] = [];
  const plane = createApiPlane({
    environments,
    contract,
    validateResponses: 'on',
    onReplyViolation: () => {},
    onInternalError: (error) => unforeseen.push(error),
  });
  return {
    app: express().use(plane),
    environment,
    /** Errors that the plane does not expect. */
    unforeseen,
    reset: (): void => {
      environment.current = initialState(initial);
      environment.faults.clear();
      environment.journal.clear();
    },
  };
};
