/** What the contract says of each field of a request: needed or not, its type, values and limits (behaviour T3, T5). */
import type { ContractOperation } from '../../engine/contract/load.ts';
import { ITEMS, mediaOf, Place } from '../../engine/contract/members.ts';
import { isJsonObject } from '../../engine/core/object.ts';
import type { OperationId } from '../../service/contract.ts';
import { loadContract } from '../../service/document.ts';
import { answer, type Basis, inferred, promised, type Step, sends, table, type Wanted } from '../case.ts';
import type { SentCall } from '../request.ts';

export type ApiOperation = ContractOperation<OperationId>;
const { operations } = loadContract();

/** A well-formed value for each name. No server has these ids, so a sample changes nothing. */
const VALUES: Readonly<Record<string, unknown>> = {
  ...{ grant_type: 'client_credentials', client_id: 'nobody', client_secret: 'nothing', query: 'conformance' },
  ...{ id: 'ca_999999999999999999', connector: 'conformance-nothing', identifier: 'nobody@conformance.test' },
  ...{ organization_id: 'org_999999999999999999', external_id: 'conformance-nobody' },
  auth_request_id: 'conformance-nobody-asked-000000000000000000',
  ...{ auth_patterns: [{ type: 'API_KEY' }], proxy_url: 'https://proxy.test' },
  /** Each sample has a name of its own. */
  get display_name() {
    made += 1;
    return `Provider {unique} ${made}`;
  },
};
let made = 0;
const IN_PATHS = { ...VALUES, id: 'usr_999999999999999999', identifier: 'CONFORMANCE_NOBODY:0' };

const bodyPlace = ({ definition }: ApiOperation) => new Place([mediaOf(definition.requestBody)?.schema]);

/** A well-formed call with all that the operation needs, for ids that do not exist. */
export const sampleOf = (operation: ApiOperation): SentCall => {
  const needed = (all: Iterable<readonly [string, boolean]>, values = VALUES) =>
    Object.fromEntries([...all].flatMap(([name, is]) => (is || /^(id|client_.*)$/.test(name) ? [[name, values[name]]] : [])));
  const parameters = (where: string) =>
    operation.parameters.filter((one) => one.in === where).map(({ name, required = false }) => [name, required] as const);
  const members = [...bodyPlace(operation).members].map(([name, { isRequired }]) => [name, isRequired] as const);
  return {
    path: needed(parameters('path'), IN_PATHS),
    query: needed(parameters('query')),
    ...(operation.definition.requestBody && { body: needed(members) }),
  };
};

/** A 400 with a violation for each of these fields. */
export const names = (...fields: readonly string[]) =>
  answer(400, { details: [{ validation_error_info: { field_violations: fields.map((field) => ({ field })) } }] });

/** What the sample is answered with, and any other well-formed call whose ids do not exist. */
export const sampleAnswer = (operation: ApiOperation): Wanted => {
  if (operation.operationId === 'issueToken') return 401;
  if (operation.operationId === 'createConnectedAccount') return names('connector'); // behaviour A3
  const { path, query, body } = sampleOf(operation);
  return ['id', 'identifier', 'external_id', 'auth_request_id'].some((name) =>
    name in { ...path, ...query, ...Object(body) }) ? 404 : {};
};

/** A body whose other members are all null. */
export const nulls = (operation: ApiOperation): object =>
  Object.fromEntries([...bodyPlace(operation).members.keys()].map((name) => [name, null]));

interface Field {
  readonly operation: ApiOperation;
  readonly where: 'path' | 'query' | 'body';
  /** The names that lead to the field. `[]`: a list's item; `KEY`, `VALUE`: name and value of a free-form member. */
  readonly names: readonly string[];
  readonly place: Place;
  readonly isRequired: boolean;
  readonly basis: Basis;
}

const isMarked = (parts: readonly object[]): boolean => parts.some((part) => 'x-inferred' in part);

const within = (outer: Omit<Field, 'place'>, place: Place): readonly Field[] => {
  const { forms, items, others, members } = place;
  const keys = forms.flatMap(({ propertyNames }) => (isJsonObject(propertyNames) ? [propertyNames] : []));
  const inside: readonly (readonly [name: string, place?: Place | undefined, isRequired?: boolean])[] = [
    ...keys.map((key) => ['KEY', new Place([key])] as const), ['VALUE', others], [ITEMS, items],
    ...Array.from(members, ([name, member]) => [name, member, member.isRequired] as const),
  ];
  return [{ ...outer, place, basis: isMarked(forms) ? 'inferred' : outer.basis },
    ...inside.flatMap(([name, member, isRequired = true]) =>
      member ? within({ ...outer, basis: 'promised', names: [...outer.names, name], isRequired }, member) : [])];
};

const fieldsOf = (operation: ApiOperation): readonly Field[] => {
  const inParameters = operation.parameters.flatMap(({ in: where, name, schema, required = false, ...rest }) => {
    if ((where !== 'path' && where !== 'query') || !schema) return [];
    const basis = isMarked([rest]) ? 'inferred' : 'promised';
    return within({ operation, where, names: [name], isRequired: required, basis }, new Place([schema]));
  });
  const body = mediaOf(operation.definition.requestBody);
  if (body?.kind !== 'application/json') return inParameters;
  const whole = { operation, where: 'body', names: [], isRequired: true, basis: 'promised' } as const;
  return [...inParameters, ...within(whole, bodyPlace(operation)).slice(1)];
};

/** The name of the field in a violation, such as `roles[0].name`. @param key a member of a free-form object */
const nameOf = ({ names: [first, ...inside] }: Pick<Field, 'names'>, key: unknown = 'key'): string => {
  const parts: Readonly<Record<string, string>> = { [ITEMS]: '[0]', KEY: `.${key}`, VALUE: '.key' };
  return [first, ...inside.map((name) => parts[name] ?? `.${name}`)].join('');
};

const withValue = ({ where, names: [first = '', ...inside] }: Field, call: SentCall, value: unknown): SentCall => {
  const filled = inside.reduceRight((inner: unknown, name) => {
    if (name === ITEMS) return [inner];
    return name === 'KEY' ? { [String(inner)]: 'value' } : { [name === 'VALUE' ? 'key' : name]: inner };
  }, value);
  return { ...call, [where]: { ...Object(call[where]), [first]: filled } };
};

const sendsWith = (field: Field, value: unknown, wanted: Wanted): Step =>
  sends(field.operation.operationId, withValue(field, sampleOf(field.operation), value), wanted);
const refuses = (field: Field, value: unknown): Step => sendsWith(field, value, names(nameOf(field, value)));
const accepts = (field: Field, value: unknown): Step =>
  sendsWith(field, value, field.names[0] === 'connection_names' ? 404 : sampleAnswer(field.operation));

/** Path parameters cannot be left out. */
const withoutNeeded = (field: Field): readonly Step[] => {
  if (!field.isRequired || field.where === 'path' || field.names.length > 1) return [];
  return [refuses(field, undefined), ...(field.where === 'body' ? [refuses(field, null)] : [])];
};

/** Only a query's numbers and booleans can have another type than text. */
const wrongTypes = (field: Field): readonly Step[] => {
  const inQuery = { integer: 'ten', boolean: 'maybe' };
  const all = { ...inQuery, ...(field.where === 'body' && { string: { a: 1 }, array: 'text', object: 'text' }) };
  const value: unknown = Object(all)[String(field.place.type)];
  return value === undefined || field.names.includes('KEY') ? [] : [refuses(field, value)];
};

const keywordOf = ({ place: { forms } }: Field, keyword: string): unknown => forms.find((form) => keyword in form)?.[keyword];

/** The first and the last size that the contract allows, and how a value of a size is made. */
const limitsOf = (field: Field): readonly (readonly [from: unknown, to: unknown, make: (size: number) => unknown])[] => {
  const of = (keyword: string): unknown => keywordOf(field, keyword);
  const pairs = (size: number) => Object.fromEntries(Array.from({ length: size }, (_, nth) => [`key-${nth}`, 'value']));
  const item = field.names[0] === 'auth_patterns' ? { type: 'OAUTH' } : VALUES.connector;
  return [
    [of('minimum'), of('maximum'), (size) => size],
    [of('minLength'), of('maxLength'), (size) => textOf(field, size)],
    [of('minItems'), of('maxItems'), (size) => Array(Math.max(0, size)).fill(item)],
    [undefined, of('maxProperties'), pairs],
  ];
};

const textOf = (field: Field, size: number): string => {
  const [name = ''] = field.names;
  const [prefix = ''] = /(?<=^\^)\w+/.exec(String(keywordOf(field, 'pattern'))) ?? [];
  if (name === 'inviter_email') return `x@${'x.'.repeat(size).slice(0, size - 3)}x`;
  const start = /_ur[il]$|_src$/.test(name) ? 'https://client.test/' : prefix;
  return start.padEnd(Math.max(size, 0), 'x').slice(0, Math.max(size, 0));
};

const isSize = (size: unknown): size is number => Number.isInteger(size);
/** Outside the required members of a body, an empty text counts as absent, and so is not refused (behaviour T5, T7). */
const tooFar = (field: Field): readonly Step[] => {
  const mayBeEmpty = field.where !== 'body' || !field.isRequired;
  const steps = limitsOf(field).flatMap(([from, to, make], nth) => [
    ...(isSize(from) && (nth === 0 || from > (mayBeEmpty ? 1 : 0)) ? [refuses(field, make(from - 1))] : []),
    ...(isSize(to) ? [refuses(field, make(to + 1))] : []),
  ]);
  // No pattern of the contract allows an asterisk.
  const others = [field.place.values.size > 0 && 'CONFORMANCE', keywordOf(field, 'pattern') && '*'];
  return [...steps, ...others.filter(Boolean).map((value) => refuses(field, value))];
};

const justAllowed = (field: Field): readonly Step[] => [
  ...limitsOf(field).flatMap(([from, to, make]) => [from, to].filter(isSize).map((size) => accepts(field, make(size)))),
  ...Array.from(field.place.values, (value) => accepts(field, value)),
];

const casesOf = (operation: ApiOperation) => {
  const fields = fieldsOf(operation);
  const isFound = typeof sampleAnswer(operation) === 'object';
  const says = (basis: Basis, rules: string, words: string, steps: readonly Step[]) => {
    const name = `${operation.operationId} ${words}${basis === 'inferred' ? ', where the description names none' : ''}`;
    return steps.length === 0 ? [] : [{ promised, inferred }[basis](rules, name, steps)];
  };
  /** A case for what the description says of the fields, and one for what it leaves open. */
  const both = (rules: string, words: string, toSteps: (field: Field) => readonly Step[]) =>
    (['promised', 'inferred'] as const).flatMap((basis) =>
      says(basis, rules, words, fields.filter((field) => field.basis === basis).flatMap(toSteps)));
  const allowed = 'accepts all values inside the limits of the contract';
  return [
    ...both('T5 R1', 'refuses a call without a field that it needs, or with null', withoutNeeded),
    ...says('promised', 'R1', 'refuses values of another type', fields.flatMap(wrongTypes)),
    ...both('R1 I5', 'refuses values outside the limits of the contract', tooFar),
    // Only a success proves that a value was accepted.
    ...(isFound ? both('I5', allowed, justAllowed) : says('inferred', 'I5', allowed, fields.flatMap(justAllowed))),
  ];
};

export const FIELDS = table(Object.fromEntries(operations.map((one) => [one.operationId, casesOf(one)])));
