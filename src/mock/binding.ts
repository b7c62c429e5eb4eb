/** What a method is: a call of the control plane, checked against its document, and bound to something that answers. */
import type { paths } from '../control/generated.ts';
import type { AnswerOf, InputOf } from '../openapi/types.ts';
import type { ControlSchemas, Identity } from './types.ts';

/** The input of a call, whatever it is; parts that are left out are empty. */
interface CallInput {
  readonly path?: Values;
  readonly query?: Values;
  readonly body?: unknown;
}

type Values = Readonly<Record<string, unknown>>;

/** One method: what it calls, how its arguments become the input, and the answer its result. */
export interface Method<Arguments extends readonly unknown[], Result> {
  /** Method and path within `/_mock`, as in `PUT /environments/{env}/state`. */
  readonly call: string;
  input(...given: Arguments): CallInput;
  result(outcome: never): Result;
}

type Verb = 'get' | 'put' | 'post' | 'patch' | 'delete';

/** Every call that the control plane's document describes. */
type CallName = {
  [Path in keyof paths]: {
    [Each in Verb]: paths[Path][Each] extends { responses: object } ? `${Uppercase<Each>} ${Path}` : never;
  }[Verb];
}[keyof paths];

type OperationOf<Named extends CallName> = Named extends `${infer Method} ${infer Path extends keyof paths}`
  ? Extract<paths[Path][Lowercase<Method> & Verb], { parameters: object; responses: object }>
  : never;

/** The body of a success. */
type SuccessBody<Named extends CallName> = Extract<
  AnswerOf<OperationOf<Named>>,
  { readonly status: 200 | 201 }
>['body'];

/** The parts of the input, but for the environment, which the caller fills in. */
interface GivenFor<Named extends CallName> {
  readonly path?: Omit<InputOf<OperationOf<Named>>['path'], 'env'> & { readonly env?: string };
  readonly query?: InputOf<OperationOf<Named>>['query'];
  readonly body?: InputOf<OperationOf<Named>>['body'];
}

/** Checked against the document of the control plane: the call is one, takes this input and answers this. */
export const mockMethod = <Named extends CallName, Arguments extends readonly unknown[], Result>(
  call: Named,
  input: (...given: Arguments) => GivenFor<Named>,
  result: (outcome: SuccessBody<Named>) => Result,
): Method<Arguments, Result> => ({ call, input, result });

/** A call of an environment, without what all their paths begin with: `PUT /state`. */
type ShortOf<Named extends CallName> = Named extends `${infer Method} /environments/{env}${infer Rest}`
  ? `${Method} ${Rest}`
  : never;

type WholeOf<Short extends string> = Short extends `${infer Method} ${infer Rest}`
  ? Extract<CallName, `${Method} /environments/{env}${Rest}`>
  : never;

/** The same for an environment: `PUT /state` is `PUT /environments/{env}/state`. */
export const method = <Short extends ShortOf<CallName>, Arguments extends readonly unknown[], Result>(
  call: Short,
  input: (...given: Arguments) => GivenFor<WholeOf<Short>>,
  result: (outcome: SuccessBody<WholeOf<Short>>) => Result,
): Method<Arguments, Result> => ({ call: call.replace(' ', ' /environments/{env}'), input, result });

/** A table bound to calls that answer at once. */
export type Bound<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Method<infer Arguments, infer Result>
    ? (...given: Arguments) => Result
    : Bound<Table[Name]>;
};

/** The same methods, as promises. */
export type Later<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends (...given: infer Arguments) => infer Result
    ? (...given: Arguments) => Promise<Result>
    : Later<Methods[Name]>;
};

/** Makes the call of a method and gives its outcome, then or later. Path parameters are among the input's. */
export type Transport<Answer> = (call: string, input: Required<CallInput>) => Answer;

type AnyMethod = Method<readonly unknown[], unknown>;

/** @param env id of the environment whose methods they are, if they are one's */
export const bind = <Table extends object>(
  table: Table,
  ask: Transport<unknown>,
  env?: string,
): Bound<Table> =>
  bindEach(table, ({ call, input, result }, given) =>
    result(ask(call, wholeInput(input(...given), env)) as never),
  ) as Bound<Table>;

/** The same for calls that answer later. */
export const bindLater = <Table extends object>(
  table: Table,
  ask: Transport<Promise<unknown>>,
  env?: string,
): Later<Bound<Table>> =>
  bindEach(table, async ({ call, input, result }, given) =>
    result((await ask(call, wholeInput(input(...given), env))) as never),
  ) as Later<Bound<Table>>;

/** Built member by member, so that all environments share one shape: they are made by the thousand. */
const bindEach = (
  table: object,
  run: (method: AnyMethod, given: readonly unknown[]) => unknown,
): Record<string, unknown> => {
  const bound: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(table))
    bound[name] = isMethod(row) ? (...given: readonly unknown[]) => run(row, given) : bindEach(row, run);
  return bound;
};

const isMethod = (row: object): row is AnyMethod => 'call' in row;

const wholeInput = (
  { path = {}, query = {}, body }: CallInput,
  env: string | undefined,
): Required<CallInput> => ({
  path: env === undefined ? path : { ...path, env },
  query,
  body,
});

/** What is known of an environment without asking, from what the control plane shows. */
export const identityOf = (shown: ControlSchemas['Environment'], url: string): Identity => ({
  id: shown.id,
  name: shown.name,
  url,
  credentials: {
    clientId: shown.client_id ?? '',
    clientSecret: shown.client_secret ?? '',
    accessToken: shown.access_token ?? '',
  },
});
