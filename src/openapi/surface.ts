/** What of each operation a client can exercise: statuses, query parameters, and members of the request body. */

import { isJsonObject, type JsonObject, lookUpReference, type OpenApiDocument } from './document.ts';
import type { Contract, ContractOperation } from './load.ts';
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

export const createSurfaces = ({ document, operations }: Contract): Surfaces => {
  const known = new Map(operations.map((operation) => [operation.operationId, operation]));
  const read = new Map<OperationId, Surface>();
  const of = (operationId: OperationId): Surface => {
    const held = read.get(operationId);
    if (held) return held;
    const operation = known.get(operationId);
    if (!operation) throw new Error(`The contract has no operation ${operationId}.`);
    const surface = readSurface(document, operation);
    read.set(operationId, surface);
    return surface;
  };
  return { of, all: () => operations.map(({ operationId }) => of(operationId)) };
};

const readSurface = (document: OpenApiDocument, operation: ContractOperation): Surface => {
  const { operationId, method, path, definition, parameters } = operation;
  const body = {
    path: '',
    members: membersOf(document, bodySchema(document, definition.requestBody), '', []),
  };
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

const bodySchema = (document: OpenApiDocument, requestBody: unknown): unknown => {
  const content = isJsonObject(requestBody) ? follow(document, requestBody).content : undefined;
  const media = isJsonObject(content) ? Object.values(content)[0] : undefined;
  return isJsonObject(media) ? media.schema : undefined;
};

/** The object that a reference leads to; any other is itself. */
const follow = (document: OpenApiDocument, value: JsonObject): JsonObject => {
  if (typeof value.$ref !== 'string') return value;
  const target = lookUpReference(document, value.$ref);
  return isJsonObject(target) ? follow(document, target) : {};
};

/** Named members of a schema, of what it is composed of, and of the items of a list. @param within guards against circles */
const membersOf = (
  document: OpenApiDocument,
  schema: unknown,
  path: string,
  within: readonly JsonObject[],
): ReadonlyMap<string, BodyPlace> => {
  const members = new Map<string, BodyPlace>();
  if (!isJsonObject(schema)) return members;
  const own = follow(document, schema);
  if (within.includes(own)) return members;
  const inside = [...within, own];
  for (const part of [own.allOf, own.oneOf, own.anyOf].flat())
    addAll(members, membersOf(document, part, path, inside));
  if (own.items !== undefined) addAll(members, membersOf(document, own.items, `${path}[]`, inside));
  for (const [name, member] of Object.entries(isJsonObject(own.properties) ? own.properties : {})) {
    const at = path === '' ? name : `${path}.${name}`;
    members.set(name, { path: at, members: membersOf(document, member, at, inside) });
  }
  return members;
};

const addAll = (members: Map<string, BodyPlace>, more: ReadonlyMap<string, BodyPlace>): void => {
  for (const [name, place] of more) members.set(name, place);
};

function* pathsIn(place: BodyPlace): Generator<string> {
  for (const member of place.members.values()) {
    yield member.path;
    yield* pathsIn(member);
  }
}
