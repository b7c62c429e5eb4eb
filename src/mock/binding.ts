/** Methods that call: the tables of `methods.ts` with something behind them that answers. */
import type { Given, Method } from './methods.ts';
import type { ControlSchemas, Credentials } from './types.ts';

/** A table bound to calls that answer at once. */
export type Bound<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Method<infer Arguments, infer Result>
    ? (...given: Arguments) => Result
    : Bound<Table[Name]>;
};

/** A table bound to calls that answer later. */
export type BoundLater<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Method<infer Arguments, infer Result>
    ? (...given: Arguments) => Promise<Result>
    : BoundLater<Table[Name]>;
};

/** Makes the call of a method and gives its outcome, then or later. Path parameters are among the input's. */
export type Transport<Answer> = (call: string, input: Required<Given>) => Answer;

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
): BoundLater<Table> =>
  bindEach(table, async ({ call, input, result }, given) =>
    result((await ask(call, wholeInput(input(...given), env))) as never),
  ) as BoundLater<Table>;

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

const wholeInput = ({ path = {}, query = {}, body }: Given, env: string | undefined): Required<Given> => ({
  path: env === undefined ? path : { ...path, env },
  query,
  body,
});

/** As tests want what the control plane shows. */
export const toCredentials = (shown: ControlSchemas['Environment']): Credentials => ({
  clientId: shown.client_id ?? '',
  clientSecret: shown.client_secret ?? '',
  accessToken: shown.access_token ?? '',
});
