/** What only the tests of a mock can ask for: rows, settings and a clock; and what only their cases want. */
import { asks, type Came, type Step, sends, type Wanted } from '../../src/conformance/case.ts';
import { Matcher } from '../../src/conformance/matchers.ts';
import { contains } from '../../src/engine/core/contains.ts';
import { parseJson } from '../../src/engine/core/object.ts';
import type { OperationId } from '../../src/service/contract.ts';

/** A call of the control plane, below the environment's path. */
export const control = (line: `${string} /${string}`, body?: object, ...came: Came): Step =>
  asks(line.replace(' ', ' {control}'), body, ...came);

/** Asks for strict mode. */
export const STRICT = { 'x-mock-strict': '1' };

/** Rows and settings that the case needs, beside the scenario `default`. */
export const given = (rows: object): Step => control('PATCH /state', rows);
export const sets = (settings: object): Step => given({ settings });
/** Rows that the case needs, and no others. */
export const only = (rows: object): readonly Step[] => [
  control('POST /reset', { scenario: 'empty' }),
  given(rows),
];
export const setsClock = (now: string): Step => control('PUT /clock', { mode: 'frozen', now });

/** A call for each query, and what it finds. */
export const toEach = (id: OperationId, queries: Record<string, string>, shows: (found: string) => Wanted) =>
  Object.entries(queries).map(([query, found]) => sends(id, { query }, shows(found)));

/** A JWT with these claims. */
export const jwt = (claims: unknown) => {
  const claimsOf = (token: unknown) =>
    parseJson(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString());
  return new Matcher('a JWT with the claims', (value, wanted) => contains(wanted, claimsOf(value)), claims);
};
