/** Steps that replace all an environment holds, each with a way back: a snapshot that is taken before. */
import { act } from '../parts/notices.tsx';
import { call, within } from './api.ts';
import type { LiveEnvironment } from './environment.tsx';

type Step = Pick<LiveEnvironment, 'name' | 'details' | 'faults'>;

/** Back to the start, or to that of another scenario. */
export const resetEnvironment = (step: Step, scenario?: string): Promise<unknown> =>
  scenario === undefined
    ? replaceAll(step, 'before reset', '/reset', {}, `${step.name} is at its start again.`)
    : replaceAll(
        step,
        'before switch',
        '/reset',
        { scenario },
        `${step.name} has the scenario ${scenario} now.`,
      );

export const restoreSnapshot = (step: Step, snapshot: string): Promise<unknown> => {
  const path = `/snapshots/${encodeURIComponent(snapshot)}/restore`;
  return replaceAll(step, 'before restore', path, {}, `${step.name} is back at ${snapshot}.`);
};

const replaceAll = async (
  { name, details, faults }: Step,
  keptAs: string,
  path: string,
  body: object,
  done: string,
): Promise<unknown> => {
  const step = async (): Promise<void> => {
    await call('POST', within(name, '/snapshots'), { name: keptAs });
    await call('POST', within(name, path), body);
  };
  const undo = async (): Promise<void> => {
    // A snapshot does not say what Reset goes back to, and keeps no faults.
    if ('scenario' in body) await call('POST', within(name, '/reset'), { scenario: details.scenario });
    await call('POST', within(name, `/snapshots/${encodeURIComponent(keptAs)}/restore`));
    if (!path.endsWith('/reset')) return;
    for (const { id, calls, applied, ...rule } of faults.value ?? [])
      await call('POST', within(name, '/faults'), rule);
  };
  return act(step(), done, undo);
};
