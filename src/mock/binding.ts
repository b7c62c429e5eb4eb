/** Methods that call: the tables of `methods.ts` with something behind them that answers. */
import type { ControlInput } from '../control/direct-calls.ts';
import type { ControlId, ControlSchemas } from '../control/types.ts';
import type { Method } from './methods.ts';
import type { Credentials } from './mock.ts';

type AnyMethod = { readonly id: ControlId };
type Arguments<Held> = Held extends { readonly input: (...given: infer Given) => unknown } ? Given : never;
type Result<Held> = Held extends { readonly result: (outcome: never) => infer Value } ? Value : never;

/** A table bound to calls that answer at once. */
export type Bound<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends AnyMethod
    ? (...given: Arguments<Table[Name]>) => Result<Table[Name]>
    : Bound<Table[Name]>;
};

/** A table bound to calls that answer later. */
export type BoundLater<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends AnyMethod
    ? (...given: Arguments<Table[Name]>) => Promise<Result<Table[Name]>>
    : BoundLater<Table[Name]>;
};

/** Makes the call of a method and gives its outcome, then or later. */
export type Transport<Answer> = (id: ControlId, input: ControlInput<ControlId>) => Answer;

type Untyped = Method<ControlId, readonly unknown[], unknown>;

/** @param env id of the environment whose methods they are, if they are one's */
export const bind = <Table extends object>(
  table: Table,
  call: Transport<unknown>,
  env?: string,
): Bound<Table> =>
  bindEach(table, ({ id, input, result }, given) =>
    result(call(id, toInput(input(...given), env)) as never),
  ) as Bound<Table>;

/** The same for calls that answer later. */
export const bindLater = <Table extends object>(
  table: Table,
  call: Transport<Promise<unknown>>,
  env?: string,
): BoundLater<Table> =>
  bindEach(table, async ({ id, input, result }, given) =>
    result((await call(id, toInput(input(...given), env))) as never),
  ) as BoundLater<Table>;

/** Built member by member, so that all handles share one shape: they are made by the thousand. */
const bindEach = (
  table: object,
  run: (method: Untyped, given: readonly unknown[]) => unknown,
): Record<string, unknown> => {
  const bound: Record<string, unknown> = {};
  for (const [name, held] of Object.entries(table))
    bound[name] = isMethod(held) ? (...given: readonly unknown[]) => run(held, given) : bindEach(held, run);
  return bound;
};

const isMethod = (held: object): held is Untyped => 'id' in held;

/** The whole input of a call: path and query that a method leaves out are empty, and a body is none. */
const toInput = (given: ReturnType<Untyped['input']>, env: string | undefined): ControlInput<ControlId> => {
  const { path = {}, query = {}, body } = given;
  // What each call takes was seen to where its method was written.
  return { path: env === undefined ? path : { ...path, env }, query, body } as ControlInput<ControlId>;
};

/** As tests want what the control plane shows. */
export const toCredentials = (shown: ControlSchemas['Environment']): Credentials => ({
  clientId: shown.client_id ?? '',
  clientSecret: shown.client_secret ?? '',
  accessToken: shown.access_token ?? '',
});
