/** What the contract lists for each operation, for coverage and for the Pact. */

import type { Contract } from './load.ts';
import { bodyOf, lazily, type Place, pathsIn, placeOf } from './members.ts';

export interface Surface {
  readonly operationId: string;
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

/** The surfaces of a contract by operation; made on first use, and kept for all mocks of the process. */
export const surfacesOf = lazily((contract: Contract) =>
  lazily((operationId: string): Surface => makeSurface(contract, operationId)),
);

const makeSurface = ({ document, operation }: Contract, operationId: string): Surface => {
  const { method, path, definition, parameters } = operation(operationId);
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
