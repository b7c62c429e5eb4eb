/** One call of the control plane. */
import type { Environment } from '../environments/environment.ts';
import { type ControlOperation, loadControlContract } from './document.ts';
import { handlers } from './handlers/index.ts';
import { findNamed } from './handlers/lookup.ts';
import type { AnyAnswer, Context, ControlId } from './types.ts';

/** What is known of who calls. */
export type ControlCaller = Pick<Context, 'headers' | 'signal'>;

/** Path, query and body of a call. */
export interface RawControlInput {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Handles a call, then tells those who follow the environment of it. @throws Refusal or ScenarioError */
export type CallControl = (
  id: ControlId,
  input: RawControlInput,
  caller: ControlCaller,
) => AnyAnswer | Promise<AnyAnswer>;

export const createCallControl =
  (shared: Omit<Context, keyof ControlCaller>): CallControl =>
  (id, input, caller) => {
    const context = { ...shared, ...caller };
    const handle = handlers[id] as unknown as RawHandler; // its input was checked against its own document
    const changed = changedBy(loadControlContract().operation(id), input, context);
    const answer = handle(input, context);
    const announce = (): void => changed?.controlCalls.add(id);
    if (answer instanceof Promise) return answer.finally(announce);
    announce();
    return answer;
  };

type RawHandler = (input: RawControlInput, context: Context) => AnyAnswer | Promise<AnyAnswer>;

/**
 * The environment that a call may change in a way that no event tells of. Looked for before the call, which may drop it.
 */
const changedBy = (
  { method }: ControlOperation,
  { path: { env } }: RawControlInput,
  context: Context,
): Environment | undefined =>
  method === 'get' || typeof env !== 'string' ? undefined : findNamed(context, env);
