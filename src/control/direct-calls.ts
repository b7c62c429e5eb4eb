/** Calls of the control plane from within the process: checked and handled as over HTTP, with no request around them. */
import type { AnswerOf, InputOf } from '../openapi/types.ts';
import { type ControlOperation, loadControlDocument } from './document.ts';
import type { operations } from './generated.ts';
import { handlers } from './handlers/index.ts';
import type { Context, ControlId } from './types.ts';
import { type Check, createCheck, type RawInput } from './validation.ts';

export type ControlInput<Id extends ControlId> = InputOf<operations[Id]>;

/** The body of a success. */
export type Outcome<Id extends ControlId> = Extract<
  AnswerOf<operations[Id]>,
  { readonly status: 200 | 201 }
>['body'];

/**
 * Runs an operation of the control plane. Answers at once, but for a call that is told to wait.
 * @throws ControlError, ApiError or ScenarioError, as the call would be refused over HTTP
 */
export type DirectCall = <Id extends ControlId>(
  id: Id,
  input: ControlInput<Id>,
) => Outcome<Id> | Promise<Outcome<Id>>;

/** What is known of the mock; the rest of a context is about a request, and there is none. */
export type DirectContext = Omit<Context, 'headers' | 'signal'>;

export const createDirectCall = (given: DirectContext, signal: AbortSignal): DirectCall => {
  const context: Context = { ...given, headers: {}, signal };
  return (id, input) => {
    const { operations, check } = tools();
    const operation = operations.get(id);
    if (!operation) throw new Error(`The control plane has no operation ${id}.`);
    const raw = check(operation, input as unknown as RawInput); // wider in what it may hold, until it is checked
    const handle = handlers[id] as unknown as Handle; // takes what was checked against its own document
    const answer = handle(raw, context);
    return (answer instanceof Promise ? answer.then(({ body }) => body) : answer.body) as Outcome<typeof id>;
  };
};

type Answer = { readonly body: unknown };
type Handle = (input: RawInput, context: Context) => Answer | Promise<Answer>;

interface Tools {
  readonly operations: ReadonlyMap<ControlId, ControlOperation>;
  readonly check: Check;
}

let made: Tools | undefined;

/** Once per process, at the first call: what they hold is the same for every mock. */
const tools = (): Tools => {
  if (!made) {
    const { document, operations } = loadControlDocument();
    made = { operations: new Map(operations.map((one) => [one.id, one])), check: createCheck(document) };
  }
  return made;
};
