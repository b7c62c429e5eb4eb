/**
 * Every limit that the contract sets to what a request holds: kept at its edge, refused one past it. Nothing that
 * these calls name exists, so that hardly one of them changes anything.
 */
import { isJsonObject, type JsonObject, lookUpReference } from '../../openapi/document.ts';
import { type ContractOperation, loadContract } from '../../openapi/load.ts';
import type { OperationId } from '../../openapi/types.ts';
import type { Api } from '../api.ts';
import { type Case, group, inferred, type Need, promised, type RuleNumber } from '../case.ts';
import { aProviderBody } from '../given.ts';
import type { RequestParts } from '../http.ts';
import { pairs, SAMPLES, UNKNOWN } from '../samples.ts';

/** One keyword of one schema, such as `maxLength: 100` at `body.identifier`. */
interface Limit {
  readonly operationId: OperationId;
  readonly where: 'path' | 'query' | 'body';
  /** The names that lead there; `[]` is an item of a list, `KEY` and `VALUE` those of an object of free form. */
  readonly names: readonly string[];
  readonly measure: Measure;
  readonly edge: number;
  /** One past the edge; undefined if it cannot be sent. */
  readonly past: number | undefined;
  readonly schema: JsonObject;
  readonly isInferred: boolean;
  readonly rules: readonly RuleNumber[];
}

type Measure = 'number' | 'characters' | 'items' | 'pairs';

const KEYWORDS: readonly (readonly [keyword: string, measure: Measure, beyond: 1 | -1])[] = [
  ['minimum', 'number', -1],
  ['maximum', 'number', 1],
  ['minLength', 'characters', -1],
  ['maxLength', 'characters', 1],
  ['minItems', 'items', -1],
  ['maxItems', 'items', 1],
  ['maxProperties', 'pairs', 1],
];

type Limited = Pick<Limit, 'operationId' | 'where' | 'names' | 'isInferred' | 'rules'> & {
  readonly isRequired: boolean;
};

const { document, operations } = loadContract();

const limitsOf = ({ operationId, parameters, definition }: ContractOperation): readonly Limit[] => {
  const inParameters = parameters.flatMap(({ in: where, name, schema, required = false, ...parameter }) => {
    if ((where !== 'path' && where !== 'query') || !schema) return [];
    const place = { operationId, where, names: [name], isRequired: required };
    return limitsAt({ ...place, ...reasonsIn(parameter, NO_REASON) }, schema);
  });
  const media = lookUpReference(definition, '#/requestBody/content/application~1json/schema');
  const body = { operationId, where: 'body', names: [], isRequired: true, ...NO_REASON } as const;
  return [...inParameters, ...(isJsonObject(media) ? limitsAt(body, media) : [])];
};

const limitsAt = (outer: Limited, given: JsonObject): readonly Limit[] => {
  const schema = follow(given);
  const place = { ...outer, ...reasonsIn(schema, outer) };
  const set = KEYWORDS.flatMap(([keyword, measure, beyond]) => {
    const edge = schema[keyword];
    return typeof edge === 'number' ? [limit(place, schema, measure, edge, beyond)] : [];
  });
  return [...set, ...patternLimits(place, schema), ...limitsInside(place, schema)];
};

const limit = (place: Limited, schema: JsonObject, measure: Measure, edge: number, beyond: 1 | -1): Limit => {
  // An empty text counts as absent in a query and in a body (behaviour T5, T7); an empty segment is another path.
  const isLost =
    measure === 'characters' && edge + beyond === 0 && !(place.where === 'body' && place.isRequired);
  return { ...place, schema, measure, edge, past: isLost ? undefined : edge + beyond };
};

/** A pattern such as `^org_[a-z]{1,28}$` limits the length, counted with its prefix; so does one that ends in `+`. */
const patternLimits = (place: Limited, schema: JsonObject): readonly Limit[] => {
  const [, prefix, least = 1, most] =
    /^\^(\w*)\[[^\]]+\](?:\{(\d+),(\d+)\}|\+)\$$/.exec(String(schema.pattern)) ?? [];
  if (prefix === undefined) return [];
  const shortest = limit(place, schema, 'characters', prefix.length + Number(least), -1);
  if (most === undefined) return [shortest];
  return [shortest, limit(place, schema, 'characters', prefix.length + Number(most), 1)];
};

const limitsInside = (place: Limited, schema: JsonObject): readonly Limit[] => {
  const { allOf, items, propertyNames, additionalProperties, properties } = schema;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const inside = (name: string, member: unknown, isRequired: boolean): readonly Limit[] =>
    isJsonObject(member)
      ? limitsAt({ ...place, ...NO_REASON, names: [...place.names, name], isRequired }, member)
      : [];
  const members = Object.entries(isJsonObject(properties) ? properties : {});
  return [
    ...(Array.isArray(allOf) ? allOf : []).flatMap((part) =>
      isJsonObject(part) ? limitsAt(place, { ...follow(part), required }) : [],
    ),
    ...inside('[]', items, true),
    ...inside('KEY', propertyNames, true),
    ...inside('VALUE', additionalProperties, true),
    ...members.flatMap(([name, member]) => inside(name, member, required.includes(name))),
  ];
};

const follow = (schema: JsonObject): JsonObject => {
  if (typeof schema.$ref !== 'string') return schema;
  const target = lookUpReference(document, schema.$ref);
  return isJsonObject(target) ? follow(target) : {};
};

const NO_REASON = { isInferred: false, rules: [] } as const;

/** Whether the contract marks something as inferred, and the rules that it names for it. */
const reasonsIn = (marked: object, { isInferred, rules }: Pick<Limited, 'isInferred' | 'rules'>) => {
  const reason = 'x-inferred' in marked ? String(marked['x-inferred']) : undefined;
  if (reason === undefined) return { isInferred, rules };
  return { isInferred: true, rules: (reason.match(/\b[A-Z]\d+\b/g) ?? rules) as readonly RuleNumber[] }; // so they are written
};

/** What the contract does not say of a call with a value at the edge. */
interface Exception {
  /** The rest of the call. Default: a sample that finds nothing. */
  readonly call?: (api: Api) => RequestParts;
  /** What the edge is answered with. Default: 404. */
  readonly status?: number;
  readonly needs?: readonly Need[];
}

const OPERATIONS: Readonly<Partial<Record<OperationId, Exception>>> = {
  listConnectedAccounts: { status: 200 },
  searchConnectedAccounts: { status: 200 },
  listConnections: { status: 200 },
  listAuthenticationRequests: { status: 200 },
  // A pair that an account could be made for, but for its organization.
  createConnectedAccount: {
    call: (api) => ({ body: { ...api.pair('OAUTH'), organization_id: UNKNOWN.organization } }),
    needs: ['write'],
  },
  createCustomProvider: { call: (api) => ({ body: aProviderBody(api) }), status: 201, needs: ['write'] },
};

/** Members whose edge is answered otherwise than that of the others. */
const MEMBERS: Readonly<Record<string, Exception>> = {
  // No connection has a name that long, and an unknown one is refused as well (behaviour A3).
  'createConnectedAccount connector': { status: 400 },
  'listConnectedAccounts connection_names': { status: 404 },
};

/** Texts that are not made of any letters. */
const TEXTS: Readonly<Record<string, (length: number, api: Api) => string>> = {
  // No two providers have one.
  display_name: (length, { unique }) => {
    const name = unique.padStart(length, 'x');
    return name.slice(name.length - length);
  },
  inviter_email: (length) => `x@${'x.'.repeat(length).slice(0, length - 3)}x`,
  user_verify_url: (length) => 'https://client.test/'.padEnd(length, 'x'),
  proxy_url: (length) => 'https://client.test/'.padEnd(length, 'x'),
  icon_src: (length) => 'https://client.test/'.padEnd(length, 'x'),
};

const textOf = ({ names, schema }: Limit, length: number, api: Api): string => {
  const make = TEXTS[names[0] ?? ''];
  const [prefix = ''] = /(?<=^\^)\w+/.exec(String(schema.pattern)) ?? [];
  return make ? make(length, api) : prefix.padEnd(length, 'x').slice(0, length);
};

/** What has the size, within its first name. */
const sizedValue = (limited: Limit, size: number, api: Api): unknown => {
  const { measure, names } = limited;
  const value = {
    number: () => size,
    characters: () => textOf(limited, size, api),
    items: () => Array(size).fill(names[0] === 'auth_patterns' ? { type: 'OAUTH' } : UNKNOWN.connector),
    pairs: () => pairs(size),
  }[measure]();
  return names.slice(1).reduceRight<unknown>((inner, name) => {
    if (name === '[]') return [inner];
    return name === 'KEY' ? { [String(inner)]: 'value' } : { [name === 'VALUE' ? 'key' : name]: inner };
  }, value);
};

/** A call that the contract's limits are tried on. */
const plainCall = (operationId: OperationId, api: Api): RequestParts =>
  OPERATIONS[operationId]?.call?.(api) ?? SAMPLES[operationId];

const callOf = (limited: Limit, size: number, api: Api): RequestParts => {
  const { operationId, where, names } = limited;
  const call = plainCall(operationId, api);
  return { ...call, [where]: { ...Object(call[where]), [names[0] ?? '']: sizedValue(limited, size, api) } };
};

/** How a violation names what is limited. */
const fieldOf = ({ names: [first, ...inside] }: Limit, text: string): string => {
  const parts: Readonly<Record<string, string>> = { '[]': '[0]', KEY: `.${text}`, VALUE: '.key' };
  return [first, ...inside.map((name) => parts[name] ?? `.${name}`)].join('');
};

const titleOf = ({ operationId, names, measure, edge, past }: Limit): string => {
  const [name, ...inside] = names;
  const part = { '[]': 'an item of ', KEY: 'a key of ', VALUE: 'a value of ' }[inside[0] ?? ''] ?? '';
  const unit = measure === 'number' ? '' : ` ${edge === 1 ? measure.slice(0, -1) : measure}`;
  const refused = past === undefined ? '' : `, not ${past}`;
  return `${operationId}: ${part}${name} may ${measure === 'number' ? 'be' : 'have'} ${edge}${unit}${refused}`;
};

const limitCases = (limited: Limit): readonly Case[] => {
  const { operationId: about, names, edge, past, isInferred, rules } = limited;
  const exception = { ...OPERATIONS[about], ...MEMBERS[`${about} ${names[0]}`] };
  const { status = 404, needs = [] } = exception;
  // That something is taken is promised only where it is seen to be.
  const says = isInferred || status >= 300 ? inferred : promised;
  return group({ about, needs }, [
    says(titleOf(limited), names[0] === 'metadata' ? ['X1'] : rules, async (api) => {
      await api.send(callOf(limited, edge, api)).answers(status);
      if (past === undefined) return;
      const refused = api.send(callOf(limited, past, api));
      await refused.isRefused(fieldOf(limited, textOf(limited, past, api)));
    }),
  ]);
};

const TRIPLE = '😀😀😀';

const characterCases = ({ operationId: about }: ContractOperation): readonly Case[] => {
  const { status = 404, needs = [] } = OPERATIONS[about] ?? {};
  const sending = (api: Api, metadata: object) => {
    const call = plainCall(about, api);
    return api.send({ ...call, body: { ...Object(call.body), metadata } });
  };
  const says = status < 300 ? promised : inferred;
  return group({ about, needs }, [
    says(`${about}: lengths in metadata count characters, not bytes`, ['X1'], async (api) => {
      await sending(api, { [TRIPLE]: '😀'.repeat(256) }).answers(status);
      await sending(api, { key: '😀'.repeat(257) }).isRefused('metadata.key');
    }),
  ]);
};

const LIMITS = operations.flatMap(limitsOf);
const hasMetadata = ({ operationId }: ContractOperation): boolean =>
  LIMITS.some((one) => one.operationId === operationId && one.names[0] === 'metadata');

export const LIMIT_CASES: readonly Case[] = [
  ...LIMITS.flatMap(limitCases),
  ...operations.filter(hasMetadata).flatMap(characterCases),
];
