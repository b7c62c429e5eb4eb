/** Steps that replace or remove much, each with a way back: a snapshot that is taken before. */
import { act } from '../parts/notices.tsx';
import { call, within } from './api.ts';
import type { LiveEnvironment } from './environment.tsx';

/** Does something that can be taken back. @param keptAs name of the snapshot */
export const actWithUndo = (
  environment: string,
  keptAs: string,
  doing: () => Promise<unknown>,
  done: string,
  restore = async (): Promise<void> => {},
): Promise<unknown> => {
  const snapshots = within(environment, '/snapshots');
  const step = async (): Promise<void> => {
    await call('POST', snapshots, { name: keptAs });
    await doing();
  };
  const undo = async (): Promise<void> => {
    await restore();
    await call('POST', `${snapshots}/${encodeURIComponent(keptAs)}/restore`);
  };
  return act(step(), done, undo);
};

/**
 * Back to the start, or to that of another scenario.
 * @param called its name, of one that is given whole
 * @param from which environment of it is taken; default: the one of the same name
 */
export const resetEnvironment = (
  { name, details, faults }: Pick<LiveEnvironment, 'name' | 'details' | 'faults'>,
  scenario?: string | object,
  called = scenario,
  from?: string,
): Promise<unknown> => {
  const reset = (body: object): Promise<unknown> => call('POST', within(name, '/reset'), body);
  // A snapshot does not say what Reset goes back to, and keeps no faults.
  const restore = async (): Promise<void> => {
    // One that was given whole cannot be given again by a name.
    if (scenario !== undefined && details.scenario !== 'object') await reset({ scenario: details.scenario });
    for (const { id, calls, applied, ...rule } of faults.value?.faults ?? [])
      await call('POST', within(name, '/faults'), rule);
  };
  return scenario === undefined
    ? actWithUndo(name, 'before reset', () => reset({}), `${name} is at its start again.`, restore)
    : actWithUndo(
        name,
        'before switch',
        () => (from === undefined ? reset({ scenario }) : call('PUT', within(name), { scenario, from })),
        `${name} has the scenario ${called} now${from === undefined ? '' : `, from its environment ${from}`}.`,
        restore,
      );
};

export const restoreSnapshot = (environment: string, snapshot: string): Promise<unknown> =>
  actWithUndo(
    environment,
    'before restore',
    () => call('POST', within(environment, `/snapshots/${encodeURIComponent(snapshot)}/restore`)),
    `${environment} is back at ${snapshot}.`,
  );
