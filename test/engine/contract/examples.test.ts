/** The mock accepts the examples in the OpenAPI documents as they are written. */
import { test } from '@jest/globals';
import { loadConsoleContract } from '../../../src/console/calls/console-document.ts';
import { follow, isJsonObject, type OpenApiDocument } from '../../../src/engine/contract/document.ts';
import type { ContractOperation } from '../../../src/engine/contract/load.ts';
import { loadControlContract } from '../../../src/engine/control/control-document.ts';
import { loadContract } from '../../../src/service/document.ts';
import { testServer } from '../../support/server.ts';

const server = testServer();

type Operation = ContractOperation<string>;

/** The example bodies of an operation. */
const bodiesOf = (document: OpenApiDocument, { definition }: Operation): unknown[] => {
  const body = follow(document, definition.requestBody);
  const [media] = isJsonObject(body) && isJsonObject(body.content) ? Object.entries(body.content) : [];
  const [kind, described] = media ?? [];
  const examples = isJsonObject(described) && isJsonObject(described.examples) ? described.examples : {};
  return Object.values(examples).map((example) => {
    const value = isJsonObject(example) && isJsonObject(example.value) ? example.value : {};
    return kind === 'application/json' ? value : new URLSearchParams(Object.entries(value).map(texts));
  });
};

const texts = ([name, value]: [string, unknown]): [string, string] => [name, String(value)];

type Given = readonly (readonly [name: string, example: unknown])[];

/**
 * The example queries of an operation. Examples of several parameters with the same name form one query. Other
 * examples form a query each. Every query has the required parameters.
 */
const queriesOf = ({ parameters }: Operation): string[] => {
  const inQuery = parameters.filter((one) => one.in === 'query');
  const sets = new Map<string, Given>();
  for (const { name, examples = {} } of inQuery)
    for (const [set, { value }] of Object.entries(examples))
      sets.set(set, [...(sets.get(set) ?? []), [name, value]]);
  const alone = inQuery.flatMap(
    ({ name, example }): Given => (example === undefined ? [] : [[name, example]]),
  );
  const isRequired = ([name]: Given[number]): boolean =>
    inQuery.some((one) => one.name === name && one.required);
  const required = alone.filter(isRequired);
  const queries: Given[] =
    sets.size > 0 ? [...sets.values()] : [[], ...alone.filter((one) => !isRequired(one)).map((one) => [one])];
  return queries.map((query) => {
    const pairs = [...required, ...query].flatMap(([name, example]) =>
      [example].flat().map((value) => texts([name, value])),
    );
    return String(new URLSearchParams(pairs));
  });
};

const pathOf = ({ path, parameters }: Operation): string =>
  path.replace(/\{(\w+)\}/g, (_whole, name) =>
    encodeURIComponent(String(parameters.find((one) => one.name === name)?.example)),
  );

const contract = loadContract();
const basic = `Basic ${Buffer.from('dev-client:dev-secret').toString('base64')}`;

test.each(
  contract.operations.map((operation) => [operation.operationId, operation] as const),
)('%s accepts the examples of its bodies and parameters', async (operationId, operation) => {
  const bodies = bodiesOf(contract.document, operation);
  const queries = queriesOf(operation);
  const calls = [...bodies.map((body) => [queries[0], body]), ...queries.map((query) => [query, bodies[0]])];
  for (const [query, body] of calls) {
    await (await server.mock.environment()).reset();
    const headers = operationId === 'issueToken' ? { authorization: basic } : undefined;
    const path = `${pathOf(operation)}?${query}`;
    const given = { body, ...(headers && { headers }) };
    const { status, text } = await server.call(operation.method.toUpperCase(), path, given);
    if (status >= 300) throw new Error(`${path} ${JSON.stringify(body)}: ${text}`);
  }
});

test.each(
  [loadControlContract(), loadConsoleContract()].flatMap(({ document, operations }) =>
    operations.flatMap((operation) =>
      bodiesOf(document, operation).map((body) => [operation.operationId, body, operation] as const),
    ),
  ),
)('the control plane accepts the example body of %s: %j', async (_id, body, { method, path }) => {
  const { name } = await server.isolated();
  const place = path
    .replace('{env}', name)
    .replace('{kind}', 'users')
    .replace(/\{\w+\}/, 'none');
  const { status, text } = await server.control(method.toUpperCase(), place, body);
  // The things that an example names may be missing here.
  if (status >= 300 && status !== 404) throw new Error(text);
});
