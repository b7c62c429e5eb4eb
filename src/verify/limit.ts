/** A limit as data: values at its edge and one past it. Most edges name nothing that exists, so nothing changes. */
import type { Basis } from '../openapi/reply-check.ts';
import type { OperationId } from '../openapi/types.ts';
import type { Call } from './call.ts';
import { type Case, type Cite, define, type Need, type Step } from './case.ts';
import type { Context } from './session.ts';

export interface Limit {
  /** Ends the name of the case: "OPERATION takes ...". */
  readonly takes: string;
  readonly operationId: OperationId;
  /** Puts a value at the place that is limited. */
  readonly at: (value: unknown, context: Context) => Call;
  readonly edge: readonly unknown[];
  readonly past: readonly unknown[];
  /** What the edge is answered with; past it is always 400. */
  readonly status: number;
  /** The field that the 400 names. */
  readonly field: string;
  readonly cites: readonly Cite[];
  /** Default: inferred. */
  readonly basis?: Basis;
  readonly needs?: readonly Need[];
}

export const limitCase = ({
  takes,
  operationId,
  at,
  edge,
  past,
  status,
  field,
  cites,
  basis = 'inferred',
  needs = [],
}: Limit): Case => {
  const within = edge.map((value): Step<undefined> => ({ send: (scope) => at(value, scope), status }));
  const beyond = past.map(
    (value): Step<undefined> => ({ send: (scope) => at(value, scope), status: 400, violates: field }),
  );
  const [first, ...afterwards] = [...within, ...beyond];
  if (!first) throw new Error(`The limit of ${field} in ${operationId} has no value to send.`);
  return define({
    name: `${operationId} takes ${takes}${past.length > 0 ? ', and refuses one past it' : ''}`,
    operationId,
    basis,
    cites,
    needs,
    ...first,
    afterwards,
  });
};

export const text = (length: number): string => 'x'.repeat(length);

/** Ids at the edges of what is well-formed, and one past them (behaviour I2). */
export const IDS = {
  id: {
    edge: [`ca_${text(1)}`, `ca_${text(29)}`],
    past: ['ca_', `ca_${text(30)}`],
    takes: 'ids of 4 to 32 characters',
  },
  path_organization_id: {
    edge: [`org_${text(1)}`, `org_${text(28)}`],
    past: ['org_', `org_${text(29)}`],
    takes: 'organization ids of 5 to 32 characters',
  },
  path_user_id: {
    edge: [`usr_${text(15)}`, `usr_${text(21)}`],
    past: [`usr_${text(14)}`, `usr_${text(22)}`],
    takes: 'user ids of 19 to 25 characters',
  },
  organization_id: {
    edge: [text(1), text(32)],
    past: [text(33), 'acme.test'],
    takes: 'organization ids of 1 to 32 characters',
  },
  user_id: {
    edge: [text(1), text(32)],
    past: [text(33), 'ada@acme.test'],
    takes: 'user ids of 1 to 32 characters',
  },
} as const;

export const CONNECTOR = {
  edge: [text(400)],
  past: [text(401)],
  takes: 'connectors of up to 400 characters',
};
export const IDENTIFIER = {
  edge: [text(1), text(100)],
  past: [text(101)],
  takes: 'identifiers of 1 to 100 characters',
};

/** A parameter of a query, beside others that are needed. */
export const inQuery =
  (name: string, beside: Call['query'] = {}) =>
  (value: unknown): Call => ({
    query: { ...beside, [name]: Array.isArray(value) ? value : String(value) },
  });

/** A member of a body, beside others that are needed. */
export const inBody =
  (name: string, beside: object = {}) =>
  (value: unknown): Call => ({ body: { ...beside, [name]: value } });
