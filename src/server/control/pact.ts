/**
 * The calls of a run as a Pact, specification V3, which brokers compare with a contract. Made from names that the run used:
 * all values are the contract's examples, so that the same tests write the same bytes and no data leaks.
 */
import { follow, type JsonObject } from '../../contract/document.ts';
import { type Contract, type ContractOperation, loadContract } from '../../contract/load.ts';
import { bodyOf, ITEMS, membersOf, type Place, placeAt, placeOf, stepsOf } from '../../contract/members.ts';
import type { OperationId } from '../../contract/types.ts';
import { valueAt } from '../../core/object.ts';
import type { UsedOperations } from '../../model/environments/used.ts';

const BY_TYPE = { matchers: [{ match: 'type' }] };

/** @param state the name of the scenario, as the provider state of every interaction */
export const writePact = (used: UsedOperations, consumer: string, state: string) => {
  const contract = loadContract();
  return {
    consumer: { name: consumer },
    provider: { name: contract.document.info.title },
    interactions: Object.entries(used).flatMap(([id, names]) =>
      interactionsOf(contract, id as OperationId, names, state),
    ), // the cast is safe: `used` names operations of the contract
    metadata: { pactSpecification: { version: '3.0.0' } },
  };
};

/** One interaction for each status. Leaves out 400, since the service promises nothing to calls that break the contract. */
const interactionsOf = (
  contract: Contract,
  id: OperationId,
  { sends, gets }: UsedOperations[string],
  state: string,
) => {
  const operation = contract.operation(id);
  const request = requestOf(contract, operation, sends);
  return Object.entries(gets)
    .filter(([status]) => status !== '400')
    .map(([status, names]) => {
      const { responses } = operation.definition;
      const description = follow(contract.document, responses[status] ?? responses.default);
      const body = bodyAt(contract, description, names);
      return {
        description: `${id} ${status}`,
        providerStates: [{ name: state }],
        request,
        response: { status: Number(status), ...body },
      };
    });
};

const requestOf = ({ document }: Contract, operation: ContractOperation, sends: readonly string[]) => {
  const { method, path, parameters, definition } = operation;
  const example = ({ name, example, schema }: (typeof parameters)[number], names = sends): string => {
    const listed = names.find((one) => one.startsWith(`${name}=`));
    return listed?.slice(name.length + 1) ?? String(example ?? sampleOf(placeOf(document, schema)));
  };
  const sent = (name: string): boolean => sends.some((one) => one.split('=')[0] === name);
  const query = parameters.filter((one) => one.in === 'query' && sent(one.name));
  const inQuery = new Set(query.map(({ name }) => name));
  const inPath = new Map(
    parameters.filter((one) => one.in === 'path').map((one) => [one.name, example(one, [])]),
  );
  const names = sends.filter((name) => !inQuery.has(name.split('=')[0] ?? ''));
  const isOpen =
    definition.security?.length === 0 || definition.security?.some((one) => Object.keys(one).length === 0);
  const { headers, ...body } = bodyAt({ document }, definition, names);
  return {
    method: method.toUpperCase(),
    path: path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(inPath.get(name) ?? '')),
    ...(query.length > 0 && { query: Object.fromEntries(query.map((one) => [one.name, [example(one)]])) }),
    headers: { ...(!isOpen && { Authorization: 'Bearer token' }), ...headers },
    ...body,
  };
};

/** A body with the members of these names, as its media type writes it; `{}` without members. */
const bodyAt = (
  { document }: Pick<Contract, 'document'>,
  described: JsonObject | ContractOperation['definition'],
  names: readonly string[],
) => {
  const holder = 'content' in described ? { requestBody: described as JsonObject } : described;
  const media = bodyOf(document, holder);
  if (!media || names.length === 0) return { headers: {} };
  const { content } = follow(document, holder.requestBody);
  const examples = Object.values(Object(valueAt(content, media.kind, 'examples'))).map(
    (one) => follow(document, one).value,
  );
  const whole = placeOf(document, media.schema);
  const body: Record<string, unknown> = {};
  for (const name of names) fill(body, whole, name, examples);
  const isForm = media.kind === 'application/x-www-form-urlencoded';
  return {
    headers: { 'Content-Type': media.kind },
    body: isForm ? String(new URLSearchParams(body as Record<string, string>)) : body,
    ...(!isForm && { matchingRules: { body: { $: BY_TYPE } } }),
  };
};

/** Puts the member with this name, such as `roles[].name` or `status=ACTIVE`, into a body. */
const fill = (
  body: Record<string, unknown>,
  whole: Place,
  name: string,
  examples: readonly unknown[],
): void => {
  const [path = '', listed] = name.split(/=(.*)/s);
  const place = placeAt(whole, path);
  if (!place) return;
  const steps = stepsOf(path).map((step) => (step === ITEMS ? 0 : step));
  const found = examples
    .map((one) => valueAt(one, ...steps.map(String)))
    .find((value) => value !== undefined);
  const value = listed ?? found ?? sampleOf(place);
  let holder: unknown = body;
  for (const [nth, step] of steps.entries()) {
    const isLast = nth === steps.length - 1;
    const inside = isLast ? value : (valueAt(holder, String(step)) ?? (steps[nth + 1] === 0 ? [] : {}));
    Reflect.set(Object(holder), step, inside);
    holder = inside;
  }
};

const TEXTS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-15T09:30:00.000Z',
  uri: 'https://example.test/',
  email: 'ada@acme.test',
  phone: '+441632960961',
};

/** A value that the contract allows, for a place without an example. */
const sampleOf = (place: Place): unknown => {
  const { forms, type } = membersOf(place.document, place.schema);
  const said = (keyword: string): unknown => forms.find((form) => keyword in form)?.[keyword];
  const [listed] = place.values;
  if (listed !== undefined) return listed;
  const kind = [type].flat()[0];
  if (kind === 'boolean') return true;
  if (kind === 'integer' || kind === 'number') return said('minimum') ?? 1;
  if (kind === 'array') return place.items ? [sampleOf(place.items)] : [];
  if (kind === 'string')
    return sampleText(String(said('format')), String(said('pattern') ?? ''), Number(said('minLength') ?? 1));
  const required = [...place.members.values()].filter(({ isRequired }) => isRequired);
  return Object.fromEntries(required.map((member) => [stepsOf(member.path).at(-1), sampleOf(member)]));
};

/** A text of the kind that the pattern asks for; if it asks for a beginning such as `^ca_`, with it. */
const sampleText = (format: string, pattern: string, least: number): string => {
  const kind = pattern.includes('://') ? 'uri' : pattern.startsWith('^\\+') ? 'phone' : format;
  return TEXTS[kind] ?? `${/^\^([a-z]+_)/.exec(pattern)?.[1] ?? ''}text`.padEnd(least, '0');
};
