/** Calls of the control plane from within the process: checked and handled as over HTTP, with no request around them. */
import { type ControlOperation, loadControlDocument } from './document.ts';
import { handlers } from './handlers/index.ts';
import type { Context } from './types.ts';
import { type Check, createCheck, type RawInput } from './validation.ts';

/**
 * Makes a call, named as in `PUT /environments/{env}/state`, and gives the body of its success. Answers at once, but for a
 * call that is to wait.
 * @throws ControlError, ApiError or ScenarioError, as the call would be refused over HTTP
 */
export type DirectCall = (call: string, input: RawInput) => unknown;

/** What is known of the mock; the rest of a context is about a request, and there is none. */
export type DirectContext = Omit<Context, 'headers' | 'signal'>;

export const createDirectCall = (given: DirectContext, signal: AbortSignal): DirectCall => {
  const context: Context = { ...given, headers: {}, signal };
  return (call, input) => {
    const { operations, check } = tools();
    const operation = operations.get(call);
    if (!operation) throw new Error(`The control plane has no call ${call}.`);
    const handle = handlers[operation.id] as unknown as Handle; // takes what was checked against its own document
    const answer = handle(check(operation, input), context);
    return answer instanceof Promise ? answer.then(({ body }) => body) : answer.body;
  };
};

type Answer = { readonly body: unknown };
type Handle = (input: RawInput, context: Context) => Answer | Promise<Answer>;

interface Tools {
  /** By method and path. */
  readonly operations: ReadonlyMap<string, ControlOperation>;
  readonly check: Check;
}

let made: Tools | undefined;

/** Once per process, at the first call: what they hold is the same for every mock. */
const tools = (): Tools => {
  if (!made) {
    const { document, operations } = loadControlDocument();
    made = {
      operations: new Map(operations.map((one) => [`${one.method} ${one.path}`, one])),
      check: createCheck(document),
    };
  }
  return made;
};
