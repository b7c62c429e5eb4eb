/** Functions that derive cases from the contract, for every operation and for every field of a request. */
import { follow, isJsonObject, lookUpReference } from '../../engine/contract/document.ts';
import { type ContractOperation, loadContract } from '../../engine/contract/load.ts';
import { camelCase } from '../../engine/core/text.ts';
import type { OperationId } from '../../service/contract.ts';
import type { Api } from './api.ts';
import { type Case, type Claim, type RuleNumber, reading, test } from './case.ts';
import { accepts, type Field, fieldsOf, keywordOf, nameOf, refuses, withValue } from './fields.ts';
import { aText } from './matchers.ts';
import { isCreating, sampleAnswer, sampleCases, sampleOf, TOKEN_PARTS, UNKNOWN } from './samples.ts';
import type { Expected } from './service.ts';

const { document } = loadContract<OperationId>();

/** A token that does not come from the service. */
const FOREIGN = `eyJhbGciOiJSUzI1NiJ9.${TOKEN_PARTS.claims}.c2lnbmF0dXJl`;

const tokens = ({ operationId, definition }: ContractOperation<OperationId>) => {
  if (definition.security !== undefined) return []; // an operation has its own `security` only if it needs no token
  const title = `${operationId} answers 401 without a token, and with a token that the service did not issue`;
  return test(title, async (api) => {
    const sample = sampleOf(operationId, api);
    for (const token of [null, 'nobody-issued-this', FOREIGN])
      await api.call(operationId, { ...sample, token }, 401);
  }).promised();
};

/** One case for each path: sends the first of GET, PATCH and PUT that the contract does not list for the path. */
const methods = ({ operationId, path }: ContractOperation<OperationId>) => {
  const own = loadContract<OperationId>().operations.filter((one) => one.path === path);
  const method = (['get', 'patch', 'put'] as const).find((each) => !own.some((one) => one.method === each));
  if (own[0]?.operationId !== operationId || method === undefined) return [];
  const title = `${method.toUpperCase()} ${path} answers 501, and the header Allow lists the methods of the path`;
  return test(title, (api) => {
    const { body: _body, ...sample } = sampleOf(operationId, api);
    const call = { ...sample, method: method.toUpperCase(), ...(method !== 'get' && { body: {} }) };
    const allow = aText(new RegExp(own.map((one) => one.method).join('|'), 'i'));
    return api.call(operationId, call, { status: 501, headers: { allow } });
  }).inferred('T4');
};

const unknownIds = ({ operationId, definition }: ContractOperation<OperationId>) => {
  const { 404: missing } = definition.responses;
  if (missing === undefined || sampleAnswer(operationId).status !== 404) return [];
  const basis = 'x-inferred' in follow(document, missing) ? 'inferred' : 'promised';
  return test(`${operationId} answers 404 for ids that do not exist`, (api) =>
    api.call(operationId, sampleOf(operationId, api), 404))[basis]('I2');
};

/** Sends each example in the contract, but with ids and names that exist in no service. */
const examples = ({ operationId, definition }: ContractOperation<OperationId>) => {
  const content = lookUpReference(definition, '#/requestBody/content/application~1json/examples');
  return Object.entries(isJsonObject(content) ? content : {}).map(([name, given]) =>
    test(`${operationId} treats the contract's example "${name}" as a well-formed call`, (api) => {
      const sample = sampleOf(operationId, api);
      const body = { ...Object(follow(document, given).value), ...Object(sample.body) };
      return api.call(operationId, { ...sample, body }, sampleAnswer(operationId));
    }).inferred(),
  );
};

/** Sends unknown parameters and members, and then members that are null, which clients in Go and Python often send. */
const tolerated = (operation: ContractOperation<OperationId>) => {
  const { operationId } = operation;
  const fields = fieldsOf(operation);
  const members = fields.flatMap(({ where, names }) => (where === 'body' && names.length === 1 ? names : []));
  const hasQuery = fields.some(({ where }) => where === 'query');
  const tolerates = (what: string, where: 'query' | 'body', extra: object) =>
    test(`${operationId} ${what}`, (api) => {
      const sample = sampleOf(operationId, api);
      const call = { ...sample, [where]: { ...extra, ...Object(sample[where]) } };
      return api.call(operationId, call, sampleAnswer(operationId));
    });
  const unknown = { colour: 'blue' };
  const nulls = Object.fromEntries(members.map((name) => [name, null]));
  const inBody = [
    tolerates('ignores an unknown member of the body', 'body', unknown).inferred('T2'),
    tolerates('treats members of the body that are null as absent', 'body', nulls).inferred('T5'),
  ];
  return [
    ...(hasQuery ? [tolerates('ignores an unknown query parameter', 'query', unknown).inferred('T2')] : []),
    ...(members.length > 0 ? inBody : []),
  ];
};

/** Skips path parameters, since a call cannot leave them out. */
const requiredMembers = (field: Field) => {
  const { operationId, where, names, basis, isRequired } = field;
  if (!isRequired || where === 'path' || names.length > 1) return [];
  const orNull = where === 'body' ? ', or with null as its value' : '';
  return test(`${operationId} refuses a call without ${names[0]}${orNull}`, async (api) => {
    await refuses(api, field, undefined);
    if (where === 'body') await refuses(api, field, null);
  })[basis]('T5', 'R1');
};

/** A value of the wrong type. Undefined if a call cannot contain one, as for a query parameter of type string. */
const wrongValue = ({ where, type, names }: Field): unknown => {
  if (names.includes('KEY')) return undefined;
  if (where !== 'body') return { integer: 'ten', boolean: 'maybe' }[String(type)];
  return { string: { a: 1 }, array: 'text', object: 'text', boolean: 'maybe', integer: 'ten' }[String(type)];
};

const types = (field: Field) => {
  const value = wrongValue(field);
  if (value === undefined) return [];
  const title = `${field.operationId} refuses ${nameOf(field)} if it is not of type ${field.type}`;
  return test(title, (api) => refuses(api, field, value)).promised();
};

const enums = (field: Field) => {
  const { operationId, basis, rules } = field;
  const values = keywordOf(field, 'enum');
  if (!Array.isArray(values) || isCreating(operationId)) return [];
  const title = `${operationId} accepts ${values.join(', ')} as ${nameOf(field)}, and refuses other values`;
  return test(title, async (api) => {
    for (const value of values) await accepts(api, field, value);
    await refuses(api, field, 'CONFORMANCE');
  })[basis](...rules);
};

/** Sends a wrong value with a camelCase name. If the refusal has the snake_case name, the service reads both names. */
const spellings = (field: Field) => {
  const { operationId, names } = field;
  const spelled = { ...field, names: names.map(camelCase) };
  const value = wrongValue(field);
  if (value === undefined || nameOf(spelled) === nameOf(field)) return [];
  const [first = ''] = names;
  return test(`${operationId} reads ${nameOf(spelled)} as ${nameOf(field)}`, (api) => {
    const sent = withValue(spelled, sampleOf(operationId, api), value);
    // The snake_case member is left out, because the service would refuse a call with both spellings.
    const call = first === spelled.names[0] ? sent : withValue({ ...field, names: [first] }, sent, undefined);
    return api.refuses(operationId, call, nameOf(field));
  }).inferred('T3');
};

/** What each keyword limits, and the step from the limit to the nearest value that is not allowed. */
const KEYWORDS = {
  minimum: ['number', -1],
  maximum: ['number', 1],
  minLength: ['characters', -1],
  maxLength: ['characters', 1],
  minItems: ['items', -1],
  maxItems: ['items', 1],
  maxProperties: ['pairs', 1],
} as const;

type Limit = readonly [keyword: keyof typeof KEYWORDS, edge: number];

/** Matches a pattern that limits a string's length: a prefix and a repeated class, such as `^org_[a-z]{1,28}$`. */
const LENGTH = /^\^(\w*)(?:\[[^\]]+\]|\.)(?:\{(\d+),(\d+)\}|\+)\$$/;

const limitsOf = (field: Field): readonly Limit[] => {
  const own = Object.keys(KEYWORDS).map((keyword) => [keyword, keywordOf(field, keyword)]);
  const [, prefix, least = 1, most] = LENGTH.exec(String(keywordOf(field, 'pattern'))) ?? [];
  if (prefix !== undefined) own.push(['minLength', prefix.length + Number(least)]);
  if (prefix !== undefined && most !== undefined) own.push(['maxLength', prefix.length + Number(most)]);
  return own.filter((limit): limit is Limit & unknown[] => typeof limit[1] === 'number');
};

/** The nearest value that a limit does not allow. Undefined if a call cannot send that value. */
const pastOf = ({ where, isRequired }: Field, [keyword, edge]: Limit): number | undefined => {
  const [measure, step] = KEYWORDS[keyword];
  const past = edge + step;
  // Only required members of the body are refused for being empty. Elsewhere, '' counts as absent (behaviour T5, T7).
  const isAbsent = measure === 'characters' && past === 0 && !(where === 'body' && isRequired);
  return isAbsent || (measure !== 'number' && past < 0) ? undefined : past;
};

interface Exception {
  text?(length: number, unique: string): string;
  readonly item?: unknown;
  readonly answer?: Expected;
  readonly rules?: readonly RuleNumber[];
}

/** Members whose values must be more than the contract says, or are answered in another way than the sample. */
const EXCEPTIONS: Readonly<Record<string, Exception>> = {
  // No two providers can have the same display name.
  display_name: { text: (length, unique) => unique.padStart(length, 'x').slice(-length) },
  inviter_email: { text: (length) => `x@${'x.'.repeat(length).slice(0, length - 3)}x` },
  auth_patterns: { item: { type: 'OAUTH' } },
  connection_names: { answer: { status: 404 } },
  metadata: { rules: ['X1'] },
};

const exceptionOf = ({ names: [name = ''] }: Field): Exception => EXCEPTIONS[name] ?? {};

const sized = (field: Field, [keyword]: Limit, size: number, api: Api): unknown =>
  ({
    number: () => size,
    characters: () => textOf(field, size, api),
    items: () => Array(size).fill(exceptionOf(field).item ?? UNKNOWN.connector),
    pairs: () => Object.fromEntries(Array.from({ length: size }, (_, n) => [`key-${n}`, 'value'])),
  })[KEYWORDS[keyword][0]]();

const textOf = (field: Field, length: number, { unique }: Api): string => {
  const special = exceptionOf(field).text?.(length, unique);
  if (special !== undefined) return special;
  if (/_ur[il]$|_src$/.test(field.names[0] ?? '')) return 'https://client.test/'.padEnd(length, 'x');
  const [prefix = ''] = /(?<=^\^)\w+/.exec(String(keywordOf(field, 'pattern'))) ?? [];
  return prefix.padEnd(length, 'x').slice(0, length);
};

const limits = (field: Field) =>
  limitsOf(field).map((limit) => {
    const { operationId, names } = field;
    const [keyword, edge] = limit;
    const past = pastOf(field, limit);
    const { answer = sampleAnswer(operationId), rules = field.rules } = exceptionOf(field);
    // Only the status 200 proves that the service accepted the value. A case that expects another status is `inferred`.
    const basis = answer.status === 200 ? field.basis : 'inferred';
    const refused = past === undefined ? '' : `, and refuses ${past}`;
    const name = names.join('.').replaceAll('.[]', '[]');
    const accepted = KEYWORDS[keyword][0] === 'number' ? `${edge} as ${name}` : `${name} of length ${edge}`;
    return test(`${operationId} accepts ${accepted}${refused}`, async (api) => {
      await accepts(api, field, sized(field, limit, edge, api), answer);
      if (past !== undefined) await refuses(api, field, sized(field, limit, past, api));
    })[basis](...rules);
  });

type Family<Subject> = (subject: Subject) => Claim | readonly Claim[];

/** @param refused the families of which every call is refused @param sent the families that send the sample call */
const casesOf = <Subject extends Pick<Field, 'operationId'>>(
  subject: Subject,
  refused: readonly Family<Subject>[],
  sent: readonly Family<Subject>[],
): readonly Case[] => [
  ...reading(subject.operationId, ...refused.flatMap((family) => family(subject))),
  ...sampleCases(subject.operationId, ...sent.flatMap((family) => family(subject))),
];

export const GENERATED: readonly Case[] = loadContract<OperationId>().operations.flatMap((operation) => [
  ...casesOf(operation, [tokens, methods, unknownIds], [examples, tolerated]),
  ...fieldsOf(operation).flatMap((field) =>
    casesOf(field, [requiredMembers, types, enums], [limits, spellings]),
  ),
]);
