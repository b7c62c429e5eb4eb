/** Replaces the scenario of a running server (`--watch`). */
import type { InitialEnvironment, Scenario } from '../domain/scenario.ts';
import type { Environment } from './environment.ts';
import {
  addEnvironment,
  type Environments,
  handlesOf,
  register,
  removeEnvironment,
  requireFree,
  unregister,
} from './environments.ts';
import { resetEnvironment } from './lifecycle.ts';

/**
 * Restarts the server's environments from `scenario`: adds new ones, and drops those that `scenario` does not have.
 * Environments made at runtime stay as they are; environments made later start from `scenario`.
 * @throws Refusal 409 if an environment made at runtime has a name, id, client or bearer of `scenario`; then nothing
 * has changed
 */
export const replaceScenario = (environments: Environments, scenario: Scenario): void => {
  for (const initial of scenario.environments)
    requireFree(environments, handlesOf(initial, initial.state), ({ isRuntime }) => !isRuntime);
  const own = [...environments.byId.values()].filter(({ isRuntime }) => !isRuntime);
  // Clients may move from one environment to another, so all are unregistered first.
  for (const environment of own) unregister(environments, environment);
  const kept = new Map<InitialEnvironment, Environment>();
  for (const environment of own) {
    const initial = scenario.environments.find((one) => isSame(one, environment));
    if (initial) kept.set(initial, environment);
    else removeEnvironment(environments, environment);
  }
  for (const initial of scenario.environments) {
    const environment = kept.get(initial);
    if (environment) {
      resetEnvironment(environments, environment, scenario);
      register(environments, environment);
    } else addEnvironment(environments, initial, { scenario: scenario.name, isRuntime: false });
  }
  environments.scenario = scenario;
};

/** Whether an environment has the same name and id; the id matters because tokens contain it. */
const isSame = (initial: InitialEnvironment, { id, name }: Environment): boolean =>
  initial.id === id && initial.name === name;
