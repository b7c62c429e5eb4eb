/**
 * The calls of a run as a Pact, specification V3, which brokers and comparators read. All values are examples of the
 * contract, so that no data leaks, the same tests write the same bytes, and the mock answers each interaction as it says.
 */
import type { Contract, ContractOperation } from '../contract/load.ts';
import { mediaOf, type Place } from '../contract/members.ts';
import { isJsonObject, type JsonObject, type JsonValue, mapMembers, valueAt } from '../core/object.ts';
import type { Interaction } from '../environments/used.ts';

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
    .map((call) => ({
      description: describe(call),
      providerStates: [{ name: call.scenario }],
      request: requestOf(contract, call),
      response: responseOf(contract, call),
    }))
    .map((one) => [`${one.description}\n${one.providerStates[0]?.name}`, one] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, one]) => one),
  metadata: { pactSpecification: { version: '3.0.0' } },
});

const describe = ({ operation, status, query, body }: Interaction): string => {
  const sent = [...namesIn(query), ...namesIn(body)].join(', ');
  return `${operation} ${status}${sent === '' ? '' : ` with ${sent}`}`;
};

/** What was sent, such as `include=all` and `roles[].name`: no two shapes have the same names. */
const namesIn = (shape: JsonValue, path = ''): readonly string[] => {
  if (typeof shape !== 'object') return [`${path}=${shape}`];
  const parts = Object.entries(shape ?? {});
  if (shape === null || parts.length === 0)
    return path === '' ? [] : [path + (shape === null ? '' : `=${JSON.stringify(shape)}`)];
  return parts.flatMap(([name, part]) => {
    if (Array.isArray(shape)) return namesIn(part, `${path}[${parts.length > 1 ? name : ''}]`);
    return namesIn(part, path === '' ? name : `${path}.${name}`);
  });
};

/** A 401 or a 404 is the answer to values that name nothing; the contract's examples name rows of the default scenario. */
const isUnknown = ({ status }: Interaction): boolean => status === 401 || status === 404;

const requestOf = (contract: Contract, call: Interaction) => {
  const { method, path, parameters, definition, params, query, body } = contract.operation(call.operation);
  const examples = isUnknown(call) ? [] : [Object.fromEntries(parameters.map(exampleOf))];
  const inPath = (name: string): unknown => fill(params.members.get(name), null, [examples[0]?.[name]]);
  const sent = Object.entries(Object(fill(query, call.query ?? {}, examples)));
  const isNew = isUnknown(call) && !path.includes('{'); // a path alone names the row
  const { headers, ...message } = messageOf(contract, body, definition.requestBody, call.body, isNew);
  return {
    method: method.toUpperCase(),
    path: path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(inPath(name)))),
    ...(sent.length > 0 && {
      query: Object.fromEntries(sent.map(([name, value]) => [name, [value].flat().map(String)])),
    }),
    headers: { ...authorizationOf(contract, call), ...headers },
    ...message,
  };
};

const responseOf = (contract: Contract, { operation, status, reply }: Interaction) => {
  const { definition, reply: place } = contract.operation(operation);
  const described = definition.responses[status] ?? definition.responses.default;
  return { status, ...messageOf(contract, place(status), described, reply) };
};

const exampleOf = ({ name, example, examples }: ContractOperation['parameters'][number]) =>
  [name, example ?? valueAt(Object.values(Object(examples)), 0, 'value')] as const;

/** A client of the token endpoint that sends no id in the body sends it by HTTP Basic. */
const authorizationOf = (contract: Contract, call: Interaction): { readonly Authorization?: string } => {
  const { definition, body, security } = contract.operation(call.operation);
  const takes = (scheme: string): boolean => security.some((one) => scheme in one);
  if (takes('bearerAuth')) return { Authorization: 'Bearer token' };
  if (!takes('clientBasic') || valueAt(call.body, 'client_id') !== undefined) return {};
  const examples = isUnknown(call) ? [] : examplesOf(definition.requestBody);
  const sent = { client_id: null, client_secret: null };
  const client = Object.values(Object(fill(body, sent, examples)));
  return { Authorization: `Basic ${btoa(client.join(':'))}` };
};

/**
 * A body of this shape, as its media type writes it; `{}` for none.
 * @param described the contract's request body or response
 */
const messageOf = (
  contract: Contract,
  place: Place,
  described: JsonObject | undefined,
  shape: JsonValue,
  isNew = false,
) => {
  const { kind } = mediaOf(described) ?? {};
  if (kind === undefined || shape === null) return {};
  const examples = examplesOf(described).toSorted(
    (one, other) => countShared(shape, other) - countShared(shape, one),
  );
  // for members that the examples of their own operation lack, such as the name of a role
  const others = contract.operations.flatMap(({ definition }) => examplesOf(definition.requestBody));
  const body = fill(place, shape, isNew ? [] : [...examples, ...others]);
  const headers = { 'Content-Type': kind };
  return kind === 'application/x-www-form-urlencoded'
    ? { headers, body: String(new URLSearchParams(body as Record<string, string>)) } // the cast is safe: the members of a form are texts
    : { headers, body, matchingRules: { body: { $: { matchers: [{ match: 'type' }] } } } };
};

const examplesOf = (described: JsonObject | undefined): readonly unknown[] => {
  const [media] = Object.values(Object(described?.content));
  return Object.values(Object(valueAt(media, 'examples'))).map((one) => valueAt(one, 'value'));
};

/** How much of a shape an example has. A deeper member counts more, since it tells more about the kind of the whole. */
const countShared = (shape: JsonValue | undefined, example: unknown, depth = 0): number => {
  if (typeof shape !== 'object' || shape === null) return shape === null || shape === example ? depth : 0;
  const parts = Object.entries(shape).filter(([name]) => Object.hasOwn(Object(example), name));
  return parts.reduce((sum, [name, part]) => sum + countShared(part, valueAt(example, name), depth + 1), 0);
};

/** A value of this shape. Each part comes from the first example that has it. */
const fill = (place: Place | undefined, shape: JsonValue, given: readonly unknown[]): unknown => {
  const examples = given.filter((example) => example !== undefined);
  if (shape === null) return examples[0] ?? (place && sampleOf(place));
  if (typeof shape !== 'object') return shape;
  if (isJsonObject(shape))
    return mapMembers(shape, (part, name) => {
      const ofPart = examples.map((example) => valueAt(example, name));
      return fill(place?.members.get(name), part, ofPart);
    });
  const lists = examples.filter((example) => Array.isArray(example) && example.length > 0);
  if (lists[0] && shape.length > 0 && shape.every((item) => item === null)) return lists[0];
  return shape.map((item) => fill(place?.items, item, lists.flat()));
};

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
