/**
 * The calls of a run as a Pact, specification V3, which brokers and comparators read. All values are examples of the
 * contract, so that no data leaks, the same tests write the same bytes, and the mock answers each interaction as it says.
 */
import type { JsonObject } from '../contract/document.ts';
import type { Contract, ContractOperation } from '../contract/load.ts';
import { mediaOf, Place } from '../contract/members.ts';
import { valueAt } from '../core/object.ts';
import type { Interaction, Shape } from '../environments/used.ts';

const BY_TYPE = { body: { $: { matchers: [{ match: 'type' }] } } };

export const writePact = (
  contract: Contract,
  calls: readonly Interaction[],
  {
    consumer = 'application',
    provider = contract.document.info.title,
  }: { readonly consumer?: string | undefined; readonly provider?: string | undefined },
) => ({
  consumer: { name: consumer },
  provider: { name: provider },
  interactions: calls
    .map((call) => interactionOf(contract, call))
    .map((one) => [`${one.description}\n${one.providerStates[0]?.name}`, one] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, one]) => one),
  metadata: { pactSpecification: { version: '3.0.0' } },
});

const interactionOf = (contract: Contract, call: Interaction) => {
  const { operation, status, scenario, query, body, reply } = call;
  const sent = [...namesIn(query), ...namesIn(body)];
  const { responses } = contract.operation(operation).definition;
  const place = contract.operation(operation).reply(status);
  return {
    description: [`${operation} ${status}`, ...(sent.length > 0 ? [sent.join(', ')] : [])].join(' with '),
    providerStates: [{ name: scenario }],
    request: requestOf(contract, call),
    response: {
      status,
      ...messageOf(contract, place, responses[status] ?? responses.default, reply),
    },
  };
};

/** What was sent, such as `include=all` and `roles[].name`: no two shapes have the same names. */
const namesIn = (shape: Shape, path = ''): readonly string[] => {
  if (shape === null) return path === '' ? [] : [path];
  if (typeof shape !== 'object') return [`${path}=${shape}`];
  if (Array.isArray(shape)) {
    const [only] = shape;
    if (only === undefined) return [`${path}=[]`];
    if (shape.length === 1) return namesIn(only, `${path}[]`);
    return shape.flatMap((item, nth) => namesIn(item, `${path}[${nth}]`));
  }
  const members = Object.entries(shape);
  if (members.length === 0) return path === '' ? [] : [`${path}={}`];
  return members.flatMap(([name, member]) => namesIn(member, path === '' ? name : `${path}.${name}`));
};

/** A 401 or a 404 is the answer to values that name nothing; the contract's examples name rows of the default scenario. */
const isUnknown = ({ status }: Interaction): boolean => status === 401 || status === 404;

const requestOf = (contract: Contract, call: Interaction) => {
  const { operation } = contract;
  const { method, path, parameters, definition, query, body } = operation(call.operation);
  const known = isUnknown(call)
    ? []
    : [Object.fromEntries(parameters.map((one) => [one.name, exampleOf(one)]))];
  const inPath = Object.fromEntries(
    parameters.map(({ name, schema }) => [name, leafOf(new Place([schema]), membersOf(known, name))]),
  );
  const sent = Object.entries(Object(fill(query, call.query ?? {}, known)));
  const isNew = isUnknown(call) && !path.includes('{'); // a path alone names the row
  const { headers, ...message } = messageOf(contract, body, definition.requestBody, call.body, isNew);
  return {
    method: method.toUpperCase(),
    path: path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(inPath[name]))),
    ...(sent.length > 0 && {
      query: Object.fromEntries(sent.map(([name, value]) => [name, [value].flat().map(String)])),
    }),
    headers: { ...authorizationOf(contract, call), ...headers },
    ...message,
  };
};

const exampleOf = ({ example, examples }: ContractOperation['parameters'][number]): unknown =>
  example ?? valueAt(Object.values(Object(examples)), 0, 'value');

/** A client of the token endpoint that sends no id in the body sends it by HTTP Basic. */
const authorizationOf = (contract: Contract, call: Interaction): { readonly Authorization?: string } => {
  const { document, operation } = contract;
  const { definition, body: place } = operation(call.operation);
  const { security = document.security ?? [], requestBody } = definition;
  const takes = (scheme: string): boolean => security.some((one) => scheme in one);
  if (takes('bearerAuth')) return { Authorization: 'Bearer token' };
  if (!takes('clientBasic') || Object.hasOwn(Object(call.body), 'client_id')) return {};
  const sent = { client_id: null, client_secret: null };
  const { body = {} } = messageOf(contract, place, requestBody, sent, isUnknown(call));
  const form = new URLSearchParams(String(body));
  return { Authorization: `Basic ${btoa(`${form.get('client_id')}:${form.get('client_secret')}`)}` };
};

interface Message {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly matchingRules?: typeof BY_TYPE;
}

/**
 * A body of this shape, as its media type writes it; `{}` for none.
 * @param described the contract's request body or response
 */
const messageOf = (
  { operations }: Contract,
  place: Place,
  described: JsonObject | undefined,
  shape: Shape,
  isUnknown = false,
): Message => {
  const { kind } = mediaOf(described) ?? {};
  if (kind === undefined || shape === null) return {};
  const examples = examplesOf(described).toSorted(
    (one, other) => countShared(shape, other) - countShared(shape, one),
  );
  // for members that the examples of their own operation lack, such as the name of a role
  const others = operations.flatMap(({ definition }) => examplesOf(definition.requestBody));
  const body = fill(place, shape, isUnknown ? [] : [...examples, ...others]);
  const isForm = kind === 'application/x-www-form-urlencoded';
  return {
    headers: { 'Content-Type': kind },
    body: isForm ? String(new URLSearchParams(body as Record<string, string>)) : body, // the cast is safe: the members of a form are texts
    ...(!isForm && { matchingRules: BY_TYPE }),
  };
};

const examplesOf = (described: JsonObject | undefined): readonly unknown[] => {
  const [media] = Object.values(Object(described?.content));
  return Object.values(Object(valueAt(media, 'examples'))).map((one) => valueAt(one, 'value'));
};

/** How much of a shape an example has. A deeper member counts more, since it tells more about the kind of the whole. */
const countShared = (shape: Shape, example: unknown, depth = 0): number => {
  if (typeof shape !== 'object' || shape === null) return shape === null || shape === example ? depth : 0;
  const parts = Object.entries(shape).filter(([name]) => Object.hasOwn(Object(example), name));
  return parts.reduce((sum, [name, part]) => sum + countShared(part, valueAt(example, name), depth + 1), 0);
};

/** A value of this shape. Each part comes from the first example that has it. */
const fill = (place: Place, shape: Shape, examples: readonly unknown[]): unknown => {
  if (shape === null) return leafOf(place, examples);
  if (typeof shape !== 'object') return shape;
  if (Array.isArray(shape)) {
    const list = examples.find((one) => Array.isArray(one) && one.length > 0);
    if (list && shape.length > 0 && shape.every((item) => item === null)) return list;
    const items = examples.filter(Array.isArray).flat();
    return shape.map((item) => place.items && fill(place.items, item, items));
  }
  return Object.fromEntries(
    Object.entries(shape).flatMap(([name, part]) => {
      const member = place.members.get(name);
      return member ? [[name, fill(member, part, membersOf(examples, name))]] : [];
    }),
  );
};

const membersOf = (values: readonly unknown[], name: string): readonly unknown[] =>
  values.map((one) => valueAt(one, name)).filter((one) => one !== undefined);

const leafOf = (place: Place, [example]: readonly unknown[]): unknown => example ?? sampleOf(place);

const TEXTS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-15T09:30:00.000Z',
  uri: 'https://example.test/',
  email: 'nobody@example.test',
  phone: '+441632960961',
};

/** A value that the contract allows, for a place without an example. */
const sampleOf = ({ forms, type, values, items, members }: Place): unknown => {
  const said = (keyword: string): unknown => forms.find((form) => keyword in form)?.[keyword];
  const [listed] = values;
  if (listed !== undefined) return listed;
  const kind = [type].flat()[0];
  if (kind === 'boolean') return true;
  if (kind === 'integer' || kind === 'number') return said('minimum') ?? 1;
  if (kind === 'array') return items ? [sampleOf(items)] : [];
  if (kind === 'string')
    return sampleText(String(said('format')), String(said('pattern') ?? ''), Number(said('minLength') ?? 1));
  const required = [...members].filter(([, { isRequired }]) => isRequired);
  return Object.fromEntries(required.map(([name, member]) => [name, sampleOf(member)]));
};

/** A text of the kind that the pattern asks for; if it asks for a beginning such as `^ca_`, with it. */
const sampleText = (format: string, pattern: string, least: number): string => {
  const kind = pattern.includes('://') ? 'uri' : pattern.startsWith('^\\+') ? 'phone' : format;
  return TEXTS[kind] ?? `${/^\^([a-z]+_)/.exec(pattern)?.[1] ?? ''}text`.padEnd(least, '0');
};
