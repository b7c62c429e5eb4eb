/** What of each operation a client can exercise: statuses, query parameters, and members of the request body. */

import type { JsonObject, OpenApiDocument } from './document.ts';
import type { Contract, ContractOperation } from './load.ts';
import { bodyOf, type Members, membersOf } from './members.ts';
import type { OperationId } from './types.ts';

/** A place in a request body that the contract names, and the named places within it. */
export interface BodyPlace {
  /** `roles[].name`; "" for the body itself. */
  readonly path: string;
  readonly members: ReadonlyMap<string, BodyPlace>;
}

export interface Surface {
  readonly operationId: OperationId;
  readonly method: string;
  readonly path: string;
  /** Those that the contract lists one by one. */
  readonly statuses: readonly number[];
  readonly parameters: ReadonlySet<string>;
  readonly body: BodyPlace;
  /** The paths of all named places of the body. */
  readonly members: readonly string[];
}

export interface Surfaces {
  /** Read when first asked for, then kept. */
  of(operationId: OperationId): Surface;
  all(): readonly Surface[];
}

export const createSurfaces = ({ document, operations, operation }: Contract): Surfaces => {
  const read = new Map<OperationId, Surface>();
  const of = (operationId: OperationId): Surface => {
    const kept = read.get(operationId);
    if (kept) return kept;
    const surface = readSurface(document, operation(operationId));
    read.set(operationId, surface);
    return surface;
  };
  return { of, all: () => operations.map(({ operationId }) => of(operationId)) };
};

const readSurface = (document: OpenApiDocument, operation: ContractOperation): Surface => {
  const { operationId, method, path, definition, parameters } = operation;
  const schema = bodyOf(document, definition)?.schema;
  const body = { path: '', members: schema ? placesIn(document, schema, '', []) : new Map() };
  return {
    operationId,
    method: method.toUpperCase(),
    path,
    statuses: Object.keys(definition.responses)
      .map(Number)
      .filter((status) => !Number.isNaN(status)),
    parameters: new Set(parameters.filter((one) => one.in === 'query').map(({ name }) => name)),
    body,
    members: [...pathsIn(body)],
  };
};

/** Named members of a schema and of the items of a list. @param within guards against circles */
const placesIn = (
  document: OpenApiDocument,
  schema: JsonObject,
  path: string,
  within: readonly Members[],
): ReadonlyMap<string, BodyPlace> => {
  const described = membersOf(document, schema);
  if (within.includes(described)) return new Map();
  const inside = [...within, described];
  const places = new Map(described.items ? placesIn(document, described.items, `${path}[]`, inside) : []);
  for (const [name, member] of described.properties) {
    const at = path === '' ? name : `${path}.${name}`;
    places.set(name, { path: at, members: placesIn(document, member, at, inside) });
  }
  return places;
};

function* pathsIn(place: BodyPlace): Generator<string> {
  for (const member of place.members.values()) {
    yield member.path;
    yield* pathsIn(member);
  }
}
