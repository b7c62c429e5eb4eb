/** What the contract lists for each operation, for coverage and for the record of used names. */
import type { OpenApiDocument } from './document.ts';
import type { Contract, ContractOperation } from './load.ts';
import { bodyOf, lazily, type Place, pathsIn, placeOf } from './members.ts';
import type { OperationId } from './types.ts';

export interface Surface {
  readonly operationId: OperationId;
  readonly method: string;
  readonly path: string;
  /** The statuses that the contract lists by number. */
  readonly statuses: readonly number[];
  /** The whole query; its members are the parameters. */
  readonly query: Place;
  readonly body: Place;
  /** The paths of all members of the body, at any depth. */
  readonly members: readonly string[];
  /** The body of a reply; created on first use. */
  reply(status: number): Place;
}

export interface Surfaces {
  of(operationId: OperationId): Surface;
  all(): readonly Surface[];
}

export const createSurfaces = ({ document, operations, operation }: Contract): Surfaces => {
  const of = lazily((operationId: OperationId) => readSurface(document, operation(operationId)));
  return { of, all: () => operations.map(({ operationId }) => of(operationId)) };
};

const readSurface = (document: OpenApiDocument, operation: ContractOperation): Surface => {
  const { operationId, method, path, definition, parameters } = operation;
  const { responses } = definition;
  const body = placeOf(document, bodyOf(document, definition)?.schema);
  const query = parameters.filter((one) => one.in === 'query');
  const properties = Object.fromEntries(query.map(({ name, schema = {} }) => [name, schema]));
  return {
    operationId,
    method: method.toUpperCase(),
    path,
    statuses: Object.keys(responses)
      .map(Number)
      .filter((status) => !Number.isNaN(status)),
    query: placeOf(document, { properties }),
    body,
    members: [...pathsIn(body)],
    reply: lazily((status: number) => {
      const response = responses[status] ?? responses.default;
      return placeOf(document, bodyOf(document, { requestBody: response })?.schema);
    }),
  };
};
