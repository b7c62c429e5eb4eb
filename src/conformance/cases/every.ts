/** What holds for every operation, and what the contract says of each field of a request (behaviour I2, I5, R1, T2 to T8). */
import type { ContractOperation } from '../../engine/contract/load.ts';
import { ITEMS, Place } from '../../engine/contract/members.ts';
import { isJsonObject, valueAt } from '../../engine/core/object.ts';
import type { OperationId } from '../../service/contract.ts';
import { loadContract } from '../../service/document.ts';
import { answer, type Basis, inferred, NOTHING, promised, type Step, sends, table, violations,
  type Wanted } from '../case.ts';
import { someText } from '../matchers.ts';
import { CLAIMS, type SentCall } from '../request.ts';

type Operation = ContractOperation<OperationId>;

/** A well-formed value for each name. No server has these ids, so a sample changes nothing. */
const VALUES: Readonly<Record<string, unknown>> = {
  grant_type: 'client_credentials', client_id: 'nobody', client_secret: 'nothing', query: 'conformance',
  id: 'ca_999999999999999999', connector: 'conformance-nothing', identifier: 'nobody@conformance.test',
  organization_id: 'org_999999999999999999', external_id: 'conformance-nobody',
  auth_request_id: 'conformance-nobody-asked-000000000000000000',
  auth_patterns: [{ type: 'API_KEY' }], proxy_url: 'https://proxy.test',
  /** Each sample has a name of its own. */
  get display_name() {
    made += 1;
    return `Provider {unique} ${made}`;
  },
};
let made = 0;
const IN_PATHS = { ...VALUES, id: 'usr_999999999999999999', identifier: 'CONFORMANCE_NOBODY:0' };
/** A token that the service did not issue. */
const FOREIGN = `eyJhbGciOiJSUzI1NiJ9.${CLAIMS}.c2lnbmF0dXJl`;
const ORIGIN = { origin: 'https://app.test' };

/** A well-formed call with all that the operation needs, for ids that do not exist. @param more what it also sends */
export const sampleOf = ({ parameters, body, kind }: Operation, more: SentCall = {}): SentCall => {
  const needed = (all: readonly (readonly [string, boolean | undefined])[], values = VALUES) =>
    Object.fromEntries(all.flatMap(([name, is]) => (is || /^(id|client_.*)$/.test(name) ? [[name, values[name]]] : [])));
  const inside = (where: string) =>
    parameters.filter((one) => one.in === where).map(({ name, required }) => [name, required] as const);
  const members = Array.from(body.members, ([name, { isRequired }]) => [name, isRequired] as const);
  return {
    ...more,
    path: needed(inside('path'), IN_PATHS),
    query: { ...Object(more.query), ...needed(inside('query')) },
    ...(kind && { body: { ...Object(more.body), ...needed(members) } }),
  };
};

/** A 400 with a violation for each of these fields, and perhaps others. */
export const names = (...fields: readonly string[]) =>
  answer(400, { details: [violations(fields.map((field) => ({ field })))] });

/** What the sample is answered with, and any other well-formed call whose ids do not exist. */
const sampleAnswer = (operation: Operation): Wanted => {
  if (operation.operationId === 'issueToken') return 401;
  if (operation.operationId === 'createConnectedAccount') return names('connector'); // behaviour A3
  const { path, query, body } = sampleOf(operation);
  const sent = Object.keys({ ...path, ...Object(query), ...Object(body) });
  return ['id', 'identifier', 'external_id', 'auth_request_id'].some((name) => sent.includes(name)) ? 404 : {};
};

/** The sample with more, which is answered as the sample is. */
const still = (operation: Operation, more: SentCall): Step =>
  sends(operation.operationId, sampleOf(operation, more), sampleAnswer(operation));

/** A parameter and a member that the operation does not know, each in a call of its own. */
export const unknownTo = ({ parameters, kind }: Operation): readonly SentCall[] => [
  ...(parameters.some((one) => one.in === 'query') ? [{ query: { colour: 'blue' } }] : []),
  ...(kind === 'application/json' ? [{ body: { colour: 'blue' } }] : []),
];

const tolerance = (operation: Operation) => {
  const { operationId: id, definition, body, kind } = operation;
  const examples = Object.values(Object(valueAt(definition, 'requestBody', 'content', 'application/json', 'examples')));
  const bodies = [Object.fromEntries(Array.from(body.members.keys(), (name) => [name, null])),
    ...examples.map((example) => valueAt(example, 'value'))];
  return inferred('T2 T5',
    `${id} ignores unknown parameters and members and those that are null, and knows the examples of the contract`,
    unknownTo(operation).map((one) => still(operation, one)),
    kind === 'application/json' ? bodies.map((one) => still(operation, { body: one })) : []);
};

const general = (operation: Operation) => {
  const { operationId: id, path, method, definition } = operation;
  const sample = sampleOf(operation);
  const says = 'x-inferred' in Object(definition.responses[404]) ? inferred : promised;
  const fromApp = still(operation, { headers: ORIGIN });
  const headers = { 'access-control-allow-origin': ORIGIN.origin,
    ...(path.startsWith('/api') && { 'x-request-id': someText }) };
  const asHead = { ...sends(id, { ...sample, method: 'HEAD' }), wanted: { status: fromApp.wanted.status ?? 200 } };
  return [
    promised('', `${id} answers 401 without a token, and with a token that the service did not issue`,
      definition.security ? [] : [null, 'nobody-issued-this', FOREIGN].map((token) => sends(id, { ...sample, token }, 401))),
    says('I2', `${id} answers 404 for ids that do not exist`,
      sampleAnswer(operation) === 404 ? sends(id, sample, 404, NOTHING) : []),
    inferred('T6 T8', `Each reply of ${id} has the headers of CORS and, of the API, an X-Request-Id, also to HEAD`,
      { ...fromApp, wanted: { ...fromApp.wanted, headers } }, method === 'get' ? asHead : []),
  ];
};

interface Field {
  readonly operation: Operation;
  readonly where: string;
  /** The names that lead to the field. `[]`: a list's item; `KEY`, `VALUE`: name and value of a free-form member. */
  readonly names: readonly string[];
  readonly place: Place;
  readonly basis: Basis;
}

const basisOf = (parts: readonly object[]): Basis => (parts.some((part) => 'x-inferred' in part) ? 'inferred' : 'promised');

const within = (field: Field): readonly Field[] => {
  const { forms, items, others, members } = field.place;
  const keys = forms.map(({ propertyNames }) => isJsonObject(propertyNames) && new Place([propertyNames]));
  const inside: (readonly [string, Place | false | undefined])[] = [...keys.map((key) => ['KEY', key] as const),
    ['VALUE', others], [ITEMS, items], ...members];
  return [field, ...inside.flatMap(([name, place]) =>
    place ? within({ ...field, place, basis: basisOf(place.forms), names: [...field.names, name] }) : [])];
};

const fieldsOf = (operation: Operation): readonly Field[] => {
  const { parameters, body, kind } = operation;
  const whole: Field = { operation, where: 'body', names: [], place: body, basis: 'promised' };
  return [
    ...parameters.flatMap(({ in: where, name, schema, required, ...rest }) => {
      const place = new Place([schema], name, required === true);
      return within({ operation, where, names: [name], place, basis: basisOf([rest, ...place.forms]) });
    }),
    ...(kind === 'application/json' ? within(whole).slice(1) : []),
  ];
};

/** The name of the field in a violation, such as `roles[0].name`. @param key a member of a free-form object */
const nameOf = ({ names: [first, ...inside] }: Field, key: unknown = 'key'): string => {
  const parts: Readonly<Record<string, string>> = { [ITEMS]: '[0]', KEY: `.${key}`, VALUE: '.key' };
  return [first, ...inside.map((name) => parts[name] ?? `.${name}`)].join('');
};

const sendsWith = ({ operation, where, names: [first = '', ...inside] }: Field, value: unknown, wanted: Wanted): Step => {
  const sample = sampleOf(operation);
  const filled = inside.reduceRight((inner: unknown, name) => {
    if (name === ITEMS) return [inner];
    return name === 'KEY' ? { [String(inner)]: 'value' } : { [name === 'VALUE' ? 'key' : name]: inner };
  }, value);
  const part = { ...Object(valueAt(sample, where)), [first]: filled };
  return sends(operation.operationId, { ...sample, [where]: part }, wanted);
};

const refuses = (field: Field, value: unknown): Step => sendsWith(field, value, names(nameOf(field, value)));
const accepts = (field: Field, value: unknown): Step =>
  sendsWith(field, value, field.names[0] === 'connection_names' ? 404 : sampleAnswer(field.operation));

/** The first and the last size that the contract allows, and how a value of a size is made. */
const limitsOf = (name: string, of: (keyword: string) => unknown) => {
  const text = (size: number) => {
    const [prefix = ''] = /(?<=^\^)\w+/.exec(String(of('pattern'))) ?? [];
    if (name === 'inviter_email') return `x@${'x.'.repeat(size).slice(0, size - 3)}x`;
    const start = /_ur[il]$|_src$/.test(name) ? 'https://client.test/' : prefix;
    return start.padEnd(Math.max(size, 0), 'x').slice(0, Math.max(size, 0));
  };
  const pairs = (size: number) => Object.fromEntries(Array.from({ length: size }, (_, nth) => [`key-${nth}`, 'value']));
  const item = name === 'auth_patterns' ? { type: 'OAUTH' } : VALUES.connector;
  return [
    [of('minimum'), of('maximum'), (size: number): unknown => size],
    [of('minLength'), of('maxLength'), text],
    [of('minItems'), of('maxItems'), (size: number) => Array(Math.max(0, size)).fill(item)],
    [undefined, of('maxProperties'), pairs],
  ] as const;
};

const isSize = (size: unknown): size is number => Number.isInteger(size);
/** Only a query's numbers and booleans can have another type than text. */
const IN_QUERY = { integer: 'ten', boolean: 'maybe' };
const IN_BODY = { ...IN_QUERY, string: { a: 1 }, array: 'text', object: 'text' };

/** Values that break what the contract says of a field, and values just inside its limits. */
const valuesOf = ({ where, names: [name = '', ...inside], place }: Field) => {
  const of = (keyword: string): unknown => place.forms.find((form) => keyword in form)?.[keyword];
  const isInBody = where === 'body';
  const other = inside.includes('KEY') ? undefined : valueAt(isInBody ? IN_BODY : IN_QUERY, String(place.type));
  const limits = limitsOf(name, of);
  // Outside the required members of a body, an empty text counts as absent, and so is not refused (behaviour T5, T7).
  const least = isInBody && place.isRequired ? 0 : 1;
  const beyond = limits.flatMap(([from, to, make], nth) => [
    ...(isSize(from) && (nth === 0 || from > least) ? [make(from - 1)] : []), ...(isSize(to) ? [make(to + 1)] : [])]);
  return {
    // Path parameters cannot be left out.
    missing: place.isRequired && where !== 'path' && inside.length === 0 ? [undefined, null].slice(0, isInBody ? 2 : 1) : [],
    wrong: other === undefined ? [] : [other],
    // No pattern of the contract allows an asterisk.
    outside: [...beyond, ...(place.values.size > 0 ? ['CONFORMANCE'] : []), ...(of('pattern') ? ['*'] : [])],
    inside: [...limits.flatMap(([from, to, make]) => [from, to].filter(isSize).map(make)), ...place.values],
  };
};

const KINDS = [
  ['missing', 'T5 R1', 'refuses a call without a field that it needs, or with null'],
  ['wrong', 'R1', 'refuses values of another type'],
  ['outside', 'R1 I5', 'refuses values outside the limits of the contract'],
  ['inside', 'I5', 'accepts all values inside the limits of the contract'],
] as const;

/** For each kind of values, a case for what the description says of the fields, and one for what it leaves open. */
const ofFields = (operation: Operation) => {
  const isProof = Number(still(operation, {}).wanted.status) < 400; // only a success proves that a value was accepted
  return KINDS.flatMap(([kind, rules, words]) => Object.entries({ promised, inferred }).map(([basis, says]) => {
    const fields = fieldsOf(operation).filter((field) => basis ===
      (kind === 'wrong' ? 'promised' : kind === 'inside' && !isProof ? 'inferred' : field.basis));
    const send = kind === 'inside' ? accepts : refuses;
    const name = `${operation.operationId} ${words}${basis === 'inferred' ? ', where the description names none' : ''}`;
    return says(rules, name, fields.flatMap((field) => valuesOf(field)[kind].map((value) => send(field, value))));
  }));
};

export const EVERY = loadContract().operations.flatMap((one) => table([
  one.operationId, ...[...general(one), tolerance(one), ...ofFields(one)].filter(({ steps }) => steps.length > 0)]));
