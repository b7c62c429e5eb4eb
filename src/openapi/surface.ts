/** What an operation names: statuses, query parameters, members of the request body and of replies. */

import type { JsonObject, OpenApiDocument } from './document.ts';
import type { Contract, ContractOperation } from './load.ts';
import { bodyOf, type Members, membersOf } from './members.ts';
import type { OperationId } from './types.ts';

/** Something that the contract names, and what it names within it. */
export interface Place {
  /** `roles[].name`; "" for a body itself and for a query. */
  readonly path: string;
  readonly members: ReadonlyMap<string, Place>;
  /** The values that the contract lists for it; empty if it lists none. */
  readonly values: ReadonlySet<unknown>;
}

export interface Surface {
  readonly operationId: OperationId;
  readonly method: string;
  readonly path: string;
  /** Those that the contract lists one by one. */
  readonly statuses: readonly number[];
  /** The parameters as its members. */
  readonly query: Place;
  readonly body: Place;
  /** The paths of all named places of the body. */
  readonly members: readonly string[];
  /** The body of a reply; read when first asked for. */
  reply(status: number): Place;
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
  const { responses } = definition;
  const body = placeOf(document, bodyOf(document, definition)?.schema, '', []);
  const own = parameters.filter((one) => one.in === 'query');
  const places = own.map(({ name, schema }) => [name, placeOf(document, schema, name, [])] as const);
  const replies = new Map<number, Place>();
  return {
    operationId,
    method: method.toUpperCase(),
    path,
    statuses: Object.keys(responses)
      .map(Number)
      .filter((status) => !Number.isNaN(status)),
    query: { ...NOTHING, members: new Map(places) },
    body,
    members: [...pathsIn(body)],
    reply: (status) => {
      const known = replies.get(status);
      if (known) return known;
      const place = placeOf(document, schemaOf(document, responses[status] ?? responses.default), '', []);
      replies.set(status, place);
      return place;
    },
  };
};

const NOTHING: Place = { path: '', members: new Map(), values: new Set() };

/** The schema of a response, which has the form of a request body. */
const schemaOf = (document: OpenApiDocument, response: JsonObject | undefined): JsonObject | undefined =>
  response && bodyOf(document, { requestBody: response })?.schema;

/** A schema's named members; for a list, the members of its items. @param within guards against circles */
const placeOf = (
  document: OpenApiDocument,
  schema: JsonObject | undefined,
  path: string,
  within: readonly Members[],
): Place => {
  const described = schema && membersOf(document, schema);
  if (!described || within.includes(described)) return { ...NOTHING, path };
  const inside = [...within, described];
  const items = described.items ? placeOf(document, described.items, `${path}[]`, inside) : NOTHING;
  const members = new Map(items.members);
  for (const [name, member] of described.properties)
    members.set(name, placeOf(document, member, path === '' ? name : `${path}.${name}`, inside));
  const listed = described.forms.flatMap((form) => (Array.isArray(form.enum) ? form.enum : []));
  return { path, members, values: new Set([...listed, ...items.values]) };
};

function* pathsIn(place: Place): Generator<string> {
  for (const member of place.members.values()) {
    yield member.path;
    yield* pathsIn(member);
  }
}
