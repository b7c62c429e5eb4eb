/**
 * Behaviour N1: each name that README and guide show is misspelt by one letter where it is used, and the refusal or warning
 * names the right one. The names are taken from code spans and blocks:
 * - flags and commands of `ca-mock`, `CA_MOCK_` variables, the mock's own headers;
 * - paths, parameters and JSON bodies of `curl` commands, and paths in spans (`POST .../reset`);
 * - members of scenarios in YAML;
 * - options, filters, settings and operations in JavaScript and TypeScript.
 * Not taken: names of methods, which the runtime itself refuses; headers of HTTP such as `Authorization`, which no server can
 * know to be meant; free-form members (`metadata`, `body` of a stub), names of environments, and programs in Python, Go
 * and Java, which would need a parser for each. Single words in spans are names of the schemas, all of which
 * test/library/misspelt.test.ts misspells.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import ts from 'typescript';
import { parseAllDocuments } from 'yaml';
import { connectMock, createMock } from '#mock';
import { readArguments } from '../../src/cli/arguments.ts';
import { COMMAND_NAMES, COMMANDS } from '../../src/cli/commands.ts';
import { runProgram } from '../../src/cli/program.ts';
import { loadContract, operationsAt } from '../../src/contract/load.ts';
import { packageRoot } from '../../src/contract/package-root.ts';
import { flagName } from '../../src/library/option.ts';
import { requireOptions } from '../../src/library/options.ts';
import { RUN_OPTIONS } from '../../src/library/run-options.ts';
import { matchers } from '../../src/library/runners/matchers.ts';
import { createTestEnvironments } from '../../src/library/runners/test-environments.ts';
import { unknownVariables } from '../../src/library/variables.ts';
import { loadScenario } from '../../src/model/scenario/load-scenario.ts';
import { loadControlContract } from '../../src/server/control/control-document.ts';
import { misspell, silentOnes, told } from '../support/misspelt.ts';
import { readPages } from '../support/pages.ts';
import { testServer } from '../support/server.ts';

const server = testServer();
const pages = readPages().map(({ file, blocks }) => ({
  file,
  blocks,
  text: readFileSync(join(packageRoot(), file), 'utf8'),
}));
const everything = pages.map(({ text }) => text).join('\n');
const spans = pages.flatMap(({ text }) =>
  [...text.replaceAll(/^```.*?^```$/gms, '').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) =>
    span.replaceAll('\\|', '|'),
  ),
);
const blocksOf = (...languages: readonly string[]) =>
  pages.flatMap(({ file, blocks }) =>
    blocks.flatMap(({ language, text, line }) =>
      languages.includes(language) ? [{ text, at: `${file}:${line}` }] : [],
    ),
  );

/** `ca-mock` with its command and its own flags, wherever it stands. */
const programs = [...everything.matchAll(/\bca-mock(?: (\w+))?((?: [^\s|;&`"')\]]+)*)/g)].map(
  ([, word = '', rest = '']) => {
    const isCommand = COMMAND_NAMES.includes(word);
    const [own = ''] = ` ${isCommand ? '' : word}${rest}`.split(' -- ');
    return { command: isCommand ? word : '', flags: own.match(/(?<= )--[a-z][a-z-]+/g) ?? [] };
  },
);

test('commands', async () => {
  const say = async (wrong: string): Promise<string> => {
    let said = '';
    const stream = { write: (more: string) => (said += more) };
    await runProgram([wrong], { env: {}, stdout: stream, stderr: stream, once: () => {}, cwd: () => '.' });
    return said;
  };
  const shown = new Set(programs.flatMap(({ command }) => (command === '' ? [] : [command])));
  expect(shown.size).toBeGreaterThan(6);
  expect(await silentOnes(shown, say)).toEqual([]);
});

/** Flags in spans of their own that belong to other programs. */
const OF_OTHERS = new Set(['--dynamic', '--errors', '--include-imports', '--test']);

test('flags', async () => {
  const silent: string[] = [];
  const check = async (flag: string, name: string): Promise<void> => {
    const { options, operands } = COMMANDS.get(name) ?? { options: {}, operands: '' };
    const say = (wrong: string) => told(() => readArguments([wrong, '--', 'x'], options, {}, operands));
    silent.push(...(await silentOnes([flag], say)).map((each) => `${name}: ${each}`));
  };
  const used = new Set(
    programs.flatMap(({ command, flags }) => flags.map((flag) => `${command || 'start'} ${flag}`)),
  );
  expect(used.size).toBeGreaterThan(20);
  for (const each of used) {
    const [command = '', flag = ''] = each.split(' ');
    if (flag !== '--help' && flag !== '--version') await check(flag, command);
  }
  const alone = new Set(spans.flatMap((span) => /^--[a-z-]+/.exec(span)?.[0] ?? []));
  for (const flag of alone) {
    const owner = [...COMMANDS].find(([, { options }]) => Object.keys(options).map(flagName).includes(flag));
    if (owner) await check(flag, owner[0]);
    else if (!OF_OTHERS.has(flag)) silent.push(`${flag} is a flag of no command`);
  }
  expect(silent).toEqual([]);
});

test('variables', async () => {
  const shown = new Set(everything.match(/CA_MOCK_[A-Z]+(?:_[A-Z]+)*/g));
  shown.delete('CA_MOCK_SCENARO'); // an example of a misspelt one
  expect(shown.size).toBeGreaterThan(25);
  expect(await silentOnes(shown, (wrong) => unknownVariables({ [wrong]: '1' }).join('\n'))).toEqual([]);
});

test('headers of the mock', async () => {
  const env = await server.isolated();
  const say = (toHeaders: (wrong: string) => Record<string, string>) => async (wrong: string) => {
    await env.control('DELETE', '/requests');
    await env.api('GET', '/api/v1/connections', undefined, toHeaders(wrong));
    return (await env.control('GET', '/requests')).body.requests[0].warnings.join(' ').toLowerCase();
  };
  const shown = new Set((everything.match(/x-mock-[a-z]+/gi) ?? []).map((name) => name.toLowerCase()));
  shown.delete(misspell('x-mock-strict'));
  expect(
    await silentOnes(
      shown,
      say((wrong) => ({ [wrong]: '1' })),
    ),
  ).toEqual([]);
  expect(everything).toContain('baggage: mock-environment=');
  expect(
    await silentOnes(
      ['mock-environment'],
      say((wrong) => ({ baggage: `${wrong}=x` })),
    ),
  ).toEqual([]);
  expect(
    await silentOnes(
      ['code'],
      say((wrong) => ({ prefer: `${wrong}=404` })),
    ),
  ).toEqual([]);
});

/** Members whose content the contract leaves open. */
const FREE = new Set([
  'api_config',
  'metadata',
  'details',
  'query',
  'body',
  'headers',
  'environments',
  'proxy_url',
]);

type Tell = (value: unknown) => Promise<string>;

/** Whether a page shows a name as an example of a wrong one. */
const isExample = (said: string, name: string): boolean =>
  new RegExp(`\\b${name}:? is not a known`).test(said);

/** The members of a value, at any depth, of which a misspelt one is not told. */
const silentMembers = async (
  value: unknown,
  tell: Tell,
  whole: unknown = value,
  path: readonly string[] = [],
  said: string | Promise<string> = tell(value),
): Promise<string[]> => {
  if (typeof value !== 'object' || value === null) return [];
  const silent: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    const at = [...path, name];
    const isName = !Array.isArray(value) && !FREE.has(path.at(-1) ?? '');
    if (isName) {
      if (isExample(await said, name)) continue;
      const say = (wrong: string) => tell(withRenamed(whole, at, wrong));
      silent.push(...(await silentOnes([name], say)).map((each) => `${at.join('.')}: ${each}`));
    }
    if (!FREE.has(name) || name === 'environments')
      silent.push(...(await silentMembers(member, tell, whole, at, said)));
  }
  return silent;
};

const withRenamed = (value: unknown, [step = '', ...rest]: readonly string[], wrong: string): unknown => {
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === step ? withRenamed(item, rest, wrong) : item));
  return Object.fromEntries(
    Object.entries(Object(value)).map(([name, member]) => {
      if (name !== step) return [name, member];
      return rest.length === 0 ? [wrong, member] : [name, withRenamed(member, rest, wrong)];
    }),
  );
};

const scenarios = blocksOf('yaml').flatMap(({ text, at }) =>
  parseAllDocuments(text)
    .map((document): unknown => document.toJS())
    .filter(
      (form) => typeof form === 'object' && form !== null && ('environments' in form || 'extends' in form),
    )
    .map((form) => ({ form, at })),
);

test('members of scenarios in YAML', async () => {
  const places = { fixturesDir: join(packageRoot(), 'fixtures'), workingDirectory: packageRoot() };
  const tell: Tell = (form) => told(() => loadScenario(form as object, places));
  const silent: string[] = [];
  for (const { form, at } of scenarios)
    silent.push(...(await silentMembers(form, tell)).map((each) => `${at} ${each}`));
  expect(scenarios.length).toBeGreaterThan(3);
  expect(silent).toEqual([]);
});

interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body?: unknown;
}

const control = loadControlContract();
const isOperation = (path: string): boolean =>
  path.startsWith('/_mock')
    ? operationsAt(control, path.replace(/^\/_mock/, '')).length > 0
    : operationsAt(loadContract(), path).length > 0;

/** The values of variables in the commands of the pages, such as `MEMBER=organizations/...`. */
const variables = new Map(
  blocksOf('sh').flatMap(({ text }) =>
    [...text.matchAll(/^([A-Z_]+)=([\w/.-]+)$/gm)].map(([, name = '', value = '']) => [name, value] as const),
  ),
);

const toCall = (method: string, url: string, data?: string): Call[] => {
  const [path = '', query = ''] = url
    .replace(/^\.\.\.\/\{env\}/, '/_mock/environments/{env}')
    .replace(/^\.\.\.\//, '/_mock/environments/{env}/')
    .replaceAll(/\{env\}|NAME/g, 'development')
    .replaceAll(/\{(?:action|decision)\}/g, 'expire')
    .replaceAll(/\$(\w+)/g, (_, name: string) => variables.get(name) ?? 'x')
    .replaceAll(/\{\w+\}/g, 'x')
    .split('?');
  if (!isOperation(path)) return []; // a page of the mock, a stub, or a path of another server
  const json = data?.startsWith('{') ? JSON.parse(data.replaceAll(/'"?\$\w+"?'/g, 'x')) : undefined;
  return [{ method, path: path.replace(/[.,;:]$/, ''), query, ...(json && { body: json }) }];
};

const curls = blocksOf('sh').flatMap(({ text }) =>
  [...text.replaceAll('\\\n', ' ').matchAll(/\bcurl\b((?:'[^']*'|"[^"]*"|\$\([^)]*\)|[^\n|;&])*)/g)].flatMap(
    ([, given = '']) => {
      const [, url = ''] =
        /(?:\$\w+|http:\/\/127\.0\.0\.1:4720)(\/[^\s"']*)/.exec(
          given.replaceAll(/-H (?:'[^']*'|"[^"]*")/g, ''),
        ) ?? [];
      const [, data] = /(?:-d|--data) '((?:[^']|'"?\$\w+"?')*)'/.exec(given) ?? [];
      const [, method = data === undefined ? 'GET' : 'POST'] = /-X (\w+)/.exec(given) ?? [];
      return toCall(method, url, data);
    },
  ),
);
const named = spans.flatMap((span) => {
  const [, method = '', url = ''] = /^(GET|POST|PUT|PATCH|DELETE) (\S+)$/.exec(span) ?? [];
  return toCall(method, url);
});
const calls = [...curls, ...named];
const { name: isolated } = await server.isolated();
const ask = async ({ method, path, query, body }: Call): Promise<string> => {
  const headers = { 'x-mock-strict': '1' };
  const token = path.startsWith('/_mock') ? null : 'dev-token';
  const at = path.replace('/environments/development', `/environments/${isolated}`);
  const answer = await server.call(method, query === '' ? at : `${at}?${query}`, { body, headers, token });
  const { message = '', error } = answer.body;
  return typeof error === 'object' ? `${error.message} ${error.hint}` : message;
};

test('paths', async () => {
  const shown = new Map(calls.map((call) => [`${call.method} ${call.path}`, call]));
  expect(shown.size).toBeGreaterThan(40);
  const silent: string[] = [];
  for (const call of shown.values()) {
    const segments = call.path.split('/');
    const name =
      segments.findLast((segment) => !/^(x|development|expire)$|@|%|_\d/.test(segment) && segment !== '') ??
      '';
    const say = (wrong: string) =>
      ask({ ...call, path: segments.map((one) => (one === name ? wrong : one)).join('/') });
    silent.push(...(await silentOnes([name], say)).map((each) => `${call.method} ${call.path}: ${each}`));
  }
  expect(silent).toEqual([]);
});

test('parameters and bodies of calls', async () => {
  const silent: string[] = [];
  const seen = new Set<string>();
  for (const call of calls) {
    const key = JSON.stringify(call);
    if (seen.has(key) || call.path === '/oauth/token') continue; // RFC 6749: other fields are ignored there (behaviour E3)
    seen.add(key);
    if (call.query === '' && call.body === undefined) continue;
    const original = await ask(call);
    const names = [...new URLSearchParams(call.query).keys()].filter((name) => !isExample(original, name));
    const say = (wrong: string) => ask({ ...call, query: `${wrong}=x` });
    const found = [
      ...(await silentOnes(names, say)),
      ...(await silentMembers(call.body, (body) => ask({ ...call, body }))),
    ];
    silent.push(...found.map((each) => `${call.method} ${call.path} ${each}`));
  }
  expect(silent).toEqual([]);
});

const env = await server.mock.environment();
const waits = { timeout: 1 };

/** What a function of the library says about its options. */
const DOORS: Readonly<Record<string, (options: never) => unknown>> = {
  startMock: (options) => requireOptions(options, RUN_OPTIONS),
  createMock: (options) => createMock(options),
  setupMock: (options) => requireOptions(options, RUN_OPTIONS),
  mock: (options) => requireOptions(options, RUN_OPTIONS), // the plugin for Vitest
  createEnvironment: (options) => server.mock.createEnvironment(options),
  createTest: async (options) => {
    const { per, ...others } = Object(options);
    createTestEnvironments(options, 'jest');
    await server.mock.createEnvironment(others);
    return per;
  },
  connectMock: (options) => connectMock('http://127.0.0.1:9', options),
  add: (fault) => env.faults.add(fault),
  requests: (filter) => env.requests(filter),
  outbox: (filter) => env.outbox(filter),
  waitForRequest: (filter) => env.waitForRequest({ ...Object(filter), ...waits }),
  waitForEmail: (filter) => env.waitForEmail({ ...Object(filter), ...waits }),
  waitForStatus: (options) => env.waitForStatus('mail/a', 'ACTIVE', options),
  toHaveReceived: (expected) => matchers.toHaveReceived(env, 'getKeys', expected),
  toHaveSent: (expected) => matchers.toHaveSent(env, expected),
  reset: (options) => env.reset(options),
  patchState: (rows) => env.patchState(rows),
  setState: (state) => env.setState(state),
  patchSettings: (settings) => env.patchSettings(settings),
  setClock: (clock) => env.setClock(clock),
  signIn: (signIn) => env.signIn(signIn),
  approve: (decision) => env.links.approve('x', decision),
  deny: (decision) => env.links.deny('x', decision),
};

/** The value of a literal; anything else becomes 1. */
const literalOf = (node: ts.Expression): unknown => {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (ts.isArrayLiteralExpression(node)) return node.elements.map(literalOf);
  if (!ts.isObjectLiteralExpression(node)) return 1;
  return Object.fromEntries(
    node.properties.flatMap((member): [string, unknown][] => {
      if (!member.name || !(ts.isIdentifier(member.name) || ts.isStringLiteral(member.name))) return [];
      return [[member.name.text, ts.isPropertyAssignment(member) ? literalOf(member.initializer) : 1]];
    }),
  );
};

const operations: readonly string[] = loadContract().operations.map(({ operationId }) => operationId);

const inCode = () => {
  const used: { door: string; options: object; at: string }[] = [];
  const shown = new Set<string>();
  const visit = (node: ts.Node, at: string): void => {
    if (ts.isStringLiteralLike(node) && operations.includes(node.text)) shown.add(node.text);
    if (ts.isCallExpression(node)) {
      const { expression: callee } = node;
      const door = ts.isPropertyAccessExpression(callee) ? callee.name.text : callee.getText();
      const options = node.arguments.findLast(ts.isObjectLiteralExpression);
      if (options && Object.hasOwn(DOORS, door)) used.push({ door, options: Object(literalOf(options)), at });
    }
    ts.forEachChild(node, (child) => visit(child, at));
  };
  const parts = [
    ...blocksOf('js', 'ts', 'jsx'),
    ...spans
      .filter((span) => span.includes('('))
      .map((span) => ({ text: span.replace(/^\./, 'x.'), at: span })),
  ];
  for (const { text, at } of parts)
    visit(ts.createSourceFile('x.tsx', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX), at);
  return { used, shown };
};

test('options and operations in JavaScript and TypeScript', async () => {
  const { used, shown } = inCode();
  expect(used.length).toBeGreaterThan(30);
  const silent: string[] = [];
  const seen = new Set<string>();
  for (const { door, options, at } of used) {
    const key = door + JSON.stringify(options);
    if (seen.has(key)) continue;
    seen.add(key);
    const found = await silentMembers(options, (value) => told(() => DOORS[door]?.(value as never)));
    silent.push(...found.map((each) => `${at} ${door} ${each}`));
  }
  const fault = (wrong: string) => told(() => env.faults.add({ operation: wrong as 'getKeys', status: 500 }));
  expect([...silent, ...(await silentOnes(shown, fault))]).toEqual([]);
});
