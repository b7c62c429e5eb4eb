/** One call of the control plane. */
import type { Environment } from '../environments/environment.ts';
import { loadControlContract } from './document.ts';
import { handlers } from './handlers/index.ts';
import { findNamed, unknownEnvironment } from './handlers/lookup.ts';
import type { AnyAnswer, Context, ControlId } from './types.ts';

/** The caller, as handlers see it. */
export type ControlCaller = Pick<Context, 'headers' | 'signal'>;

/** Path, query and body of a call. */
export interface RawControlInput {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Handles a call, then notifies followers of the environment. @throws Refusal or ScenarioError */
export type CallControl = (
  id: ControlId,
  input: RawControlInput,
  caller: ControlCaller,
) => AnyAnswer | Promise<AnyAnswer>;

export const createCallControl = (shared: Omit<Context, keyof ControlCaller>): CallControl => {
  const changing = loadControlContract().operations.filter(({ method }) => method !== 'get');
  const changes: ReadonlySet<ControlId> = new Set(changing.map(({ operationId }) => operationId));
  return (id, input, caller) => {
    const context = { ...shared, ...caller };
    const handle = handlers[id] as unknown as RawHandler; // the validator checked the input against the document
    const environment = findOwner(id, input, context);
    const answer = handle(input, { ...context, environment });
    // Announces the call itself, since most changes by control calls log no event.
    const announce = (): void => {
      if (changes.has(id)) environment?.controlCalls.add(id);
    };
    if (answer instanceof Promise) return answer.finally(announce);
    announce();
    return answer;
  };
};

type RawHandler = (
  input: RawControlInput,
  context: Context & { readonly environment: Environment | undefined },
) => AnyAnswer | Promise<AnyAnswer>;

/**
 * Finds the environment that the path names, only after the whole call has been read, since environments may come and
 * go while a body arrives.
 */
const findOwner = (id: ControlId, { path: { env } }: RawControlInput, context: Context) => {
  if (typeof env !== 'string') return undefined;
  const environment = findNamed(context, env);
  if (!environment && id !== 'putEnvironment') throw unknownEnvironment(context.environments, env);
  return environment;
};
