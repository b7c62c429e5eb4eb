/** The suite behind `ca-mock verify`, run against ourselves over HTTP: everything that it can say holds. */
import { beforeAll, expect, test } from '@jest/globals';
import { isJsonObject, type JsonObject, lookUpReference } from '../../src/openapi/document.ts';
import { type ContractOperation, loadContract } from '../../src/openapi/load.ts';
import { type Outcome, type Report, runSuite } from '../../src/verify/run.ts';
import { DEFAULT_DATA } from '../../src/verify/samples.ts';
import type { Exchange } from '../../src/verify/session.ts';
import { SUITE } from '../../src/verify/suite.ts';
import { listeningServer } from '../support/server.ts';

const CASES = SUITE.flatMap(({ cases }) => cases);
const { document, operations } = loadContract();

const server = await listeningServer();
let report: Report;
const exchanges: Exchange[] = [];

beforeAll(async () => {
  report = await runSuite({
    baseUrl: server.mock.url,
    ...server.mock.environment('development').credentials,
    ...DEFAULT_DATA,
    write: true,
    inferred: true,
    onExchange: (exchange) => exchanges.push(exchange),
  });
}, 120_000);

const withResult = (...results: readonly string[]): readonly string[] =>
  report.outcomes
    .filter(({ result }) => results.includes(result))
    .map(({ case: { name }, messages }: Outcome) => `${name}: ${messages.join('; ')}`);

test('every case passes against this mock, promised or inferred', () => {
  expect(withResult('failed', 'warned')).toEqual([]);
});

test('no case is skipped where there is a control plane', () => {
  expect(withResult('skipped')).toEqual([]);
  expect(report.totals.passed).toBe(CASES.length);
});

test('every case says something about a reply or about rows of a scenario', () => {
  const silent = report.outcomes.filter(({ case: { rules }, observed }) => {
    const isAboutRows = rules.includes('X3') || rules.includes('E5');
    return observed.length === 0 && !isAboutRows;
  });
  expect(silent.map((outcome) => outcome.case.name)).toEqual([]);
});

test('a run leaves nothing behind', async () => {
  const accounts = await server.call('GET', '/api/v1/connected_accounts?page_size=100');
  expect(accounts.body.total_size).toBe(12);
  const environments = await server.call('GET', '/_mock/environments');
  expect(environments.body.environments).toHaveLength(2);
});

test('there are 592 cases or more, each with a name of its own', () => {
  const names = CASES.map(({ name }) => name);
  expect(names.length).toBeGreaterThanOrEqual(592);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

const repliesOf = ({ operationId }: ContractOperation) =>
  exchanges.filter((exchange) => exchange.operationId === operationId).map(({ reply }) => reply);

test('every status that the contract has for an operation is seen', () => {
  const unseen = operations.flatMap((operation) => {
    const seen = new Set(repliesOf(operation).map(({ status }) => String(status)));
    return Object.keys(operation.definition.responses)
      .filter((status) => status !== 'default' && !seen.has(status))
      .map((status) => `${operation.operationId} ${status}`);
  });
  expect(unseen).toEqual([]);
});

/** What the contract names, and what of it was seen: `Connection.domains`, `ConnectionStatus=DRAFT`. */
const named = new Set<string>();
const seen = new Set<string>();

/** Goes down a schema with all values that stand there. @param place the component that the schema is in */
const walk = (schema: unknown, values: readonly unknown[], place: string): void => {
  if (!isJsonObject(schema)) return;
  if (typeof schema.$ref === 'string') {
    walk(lookUpReference(document, schema.$ref), values, schema.$ref.replace(/.*\//, ''));
    return;
  }
  const objects = values.filter(isJsonObject);
  const unpromised = new Set(listOf(schema['x-inferred-values']));
  for (const value of listOf(schema.enum)) {
    if (!unpromised.has(value)) named.add(`${place}=${value}`);
    if (values.includes(value)) seen.add(`${place}=${value}`);
  }
  for (const part of listOf(schema.allOf)) walk(part, values, place);
  walk(schema.items, values.flat(), `${place}[]`);
  for (const [name, member] of Object.entries(Object(schema.properties))) {
    const inside = objects.flatMap((value) => (Object.hasOwn(value, name) ? [value[name]] : []));
    named.add(`${place}.${name}`);
    if (inside.length > 0) seen.add(`${place}.${name}`);
    walk(member, inside, `${place}.${name}`);
  }
};

const listOf = (value: JsonObject[string] | undefined) => (Array.isArray(value) ? value : []);

/** What the contract describes and this mock never sends. */
const NEVER_SENT = [
  /^AuthorizationType=(BASIC_AUTH|CUSTOM)$/, // no type of connection leads to them (behaviour A5)
  /help_info$|^Help|tool_error_info$|^ToolErrorInfo/, // optional, and described for completeness (behaviour R1)
  /^ResourceInfo.(owner|required_permissions|user)$/, // optional; the name alone is sent
];

test('every member and every value that the contract names is sent, or seen in a reply', () => {
  for (const operation of operations) {
    const { definition, operationId, parameters } = operation;
    const calls = exchanges.filter((one) => one.operationId === operationId).map(({ call }) => call);
    for (const { name, schema } of parameters)
      walk(
        schema,
        calls.flatMap(({ query }) => query?.[name]),
        `${operationId}.${name}`,
      );
    for (const media of Object.values(Object(definition.requestBody?.content)))
      walk(
        Object(media).schema,
        calls.map(({ body, form }) => body ?? form),
        operationId,
      );
    for (const [status, given] of Object.entries(definition.responses)) {
      const response = '$ref' in given ? lookUpReference(document, String(given.$ref)) : given;
      const schema = lookUpReference(response, '#/content/application~1json/schema');
      const replies = repliesOf(operation).filter((reply) => String(reply.status) === status);
      walk(
        schema,
        replies.map(({ body }) => body),
        operationId,
      );
    }
  }
  const unseen = [...named].filter((name) => !seen.has(name));
  expect(unseen.filter((name) => !NEVER_SENT.some((one) => one.test(name)))).toEqual([]);
});
