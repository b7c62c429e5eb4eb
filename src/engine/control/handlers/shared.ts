/** What several handlers of the control plane use. */
import { notFound, Refusal } from '../../core/errors.ts';
import { didYouMean } from '../../core/text.ts';
import type { Effects, EngineEnv } from '../../operation.ts';
import type { EngineState } from '../../state.ts';
import type { EnvironmentContext } from '../control-document.ts';

/** The answer of a call that has nothing to return. */
export const DONE = { body: {} };

/** Runs an operation or a simulation in an environment, and commits its effects. @throws its refusals */
export const runIn = <
  Given,
  Outcome extends Effects & { readonly reply?: unknown },
  OfState extends EngineState,
  Env extends EngineEnv,
>(
  { environment }: EnvironmentContext,
  act: (state: OfState, given: Given, env: Env) => Outcome,
  given: Given,
): Outcome =>
  // the casts are safe: an environment has its service's state and settings, and the same service acts
  environment.runStep((state, env) => act(state as OfState, given, env as Env));

/**
 * Does something to a row, as a user or a third party would.
 * @throws Refusal 404 if rows of this kind have no such action, 400 for input that it does not take
 */
export const actOn = (
  context: EnvironmentContext,
  kind: string,
  name: string,
  given: { readonly id: string },
): object => {
  const actions = context.environment.service.actions[kind] ?? [];
  const names = actions.map((each) => each.name);
  const action = actions.find((each) => each.name === name);
  if (!action)
    throw notFound(
      `action ${name}`,
      didYouMean(name, names).trim() || `The actions are ${names.join(', ')}.`,
    );
  const taken = ['id', ...(action.input ?? [])];
  const foreign = Object.keys(given).find((member) => !taken.includes(member));
  if (foreign === undefined) return runIn(context, action.step, given).reply;
  const takes = `${name} takes ${(action.input ?? ['nothing else']).join(' and ')}.`;
  throw new Refusal('INVALID_ARGUMENT', `${foreign} has no effect on ${name}.`, takes);
};

/** The id of the row with this id or natural key. If no row has it, `named` itself, which the simulation refuses. */
export const idOf = ({ environment }: EnvironmentContext, kind: string, named: string): string => {
  const reference = Object.values(environment.service.references).find((each) => each.kind === kind);
  return reference?.find(environment.current.data, named)?.id ?? named;
};
