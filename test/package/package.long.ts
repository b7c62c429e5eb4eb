/** The package as users get it: packed (unless `ARCHIVE` is the package), installed into an empty project, and used there. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { afterAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { Option } from '../../src/library/option.ts';
import { RUN_OPTIONS, START_OPTIONS } from '../../src/library/options.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const NAME = 'connected-accounts-mock';

/** Runs a program to its end. @throws Error with the output of a program that fails */
const run = promisify(execFile);

/** Code that calls a mock in every way. The functions of the package must be imported before it. */
const WALK = `
  const mock = await startMock({ port: 0 });
  const { credentials } = await mock.createEnvironment();
  const headers = { authorization: 'Bearer ' + credentials.accessToken };
  const over = await fetch(mock.url + '/api/v1/connected_accounts', { headers });
  const within = await mock.fetch('/api/v1/connected_accounts', { headers });
  const remote = await connectMock(mock.url);
  await (await remote.environment()).reset();
  console.log(over.status, (await within.json()).total_size, createMock().url);
  await mock.close();
`;

/** The path of a file of a development dependency. */
const tool = (name: string): string => join(ROOT, 'node_modules', name);

const project = mkdtempSync(join(tmpdir(), 'ca mock é-'));
const INSTALLED = join(project, 'node_modules', NAME);
afterAll(() => rmSync(project, { recursive: true, force: true }));

const install = (folder: string, name: string, ...flags: readonly string[]) =>
  run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefix', folder, ...flags, name]);

const pack = () => run('npm', ['pack', '--silent', '--pack-destination', project], { cwd: ROOT });
const archive = process.env.ARCHIVE ?? join(project, (await pack()).stdout.trim());

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

const write = (file: string, text: string): void => writeFileSync(join(project, file), text);
write('package.json', '{}');
await install(project, archive, '--offline'); // since the package has no dependencies

/** Runs Node. Rejects with the output of a program that fails. */
const node = (...given: string[]) =>
  run(process.execPath, given, { cwd: project }).catch(({ stdout, stderr }) => {
    throw new Error(`${stdout}${stderr}`);
  });

const NAMES = '{ connectMock, createMock, startMock }';
const PROGRAMS = {
  'module.mjs': `import ${NAMES} from '${NAME}';${WALK}`,
  'program.cjs': `const ${NAMES} = require('${NAME}'); (async () => {${WALK}})();`,
};
for (const [file, text] of Object.entries(PROGRAMS)) write(file, text);

test.each(
  Object.keys(PROGRAMS),
)('%s can load the package, and the program ends after close()', async (file) => {
  expect((await node(file)).stdout).toBe('200 12 http://mock.local\n');
});

/** The npm package of each runtime that we name, its program in there, and the flags before a script. */
const RUNTIMES: readonly (readonly [name: string, command: string, ...flags: string[]])[] = [
  ...['20', '22', '24', '26'].map((release) => [`node@${release}`, 'node'] as const),
  ['bun@1', 'bun'],
  ['deno@2', 'deno', 'run', '--allow-all'],
];

/** Starts a mock, and ends it after a use of its address. @returns its exit code and signal */
const serve = async (
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  use: (url: string) => Promise<unknown>,
) => {
  const child = spawn(program, args, {
    cwd: project,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      await use(JSON.parse(line).url);
      child.kill();
      return await ended;
    }
    throw new Error('The mock ended without an address.');
  } finally {
    child.kill();
  }
};

const walk = async (url: string): Promise<void> => {
  const form = { grant_type: 'client_credentials', client_id: 'dev-client', client_secret: 'dev-secret' };
  const issued = await fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
  const { access_token } = (await issued.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
  const ask = (path: string, options = {}) => fetch(url + path, { headers, ...options });
  for (const [path, status] of [
    ['/api/v1/connected_accounts', 200],
    ['/api/v1/nothing', 404],
    ['/api/v1/connected_accounts?page_size=x', 400],
    ['/_mock/docs', 200],
  ] as const)
    expect([path, (await ask(path)).status]).toEqual([path, status]);
  const own = '/_mock/environments/development';
  expect((await ask(`${own}/clock/advance`, { method: 'POST', body: '{"by":"15d"}' })).status).toBe(200);
  const events = await ask(`${own}/events`, { headers: { accept: 'text/event-stream' } });
  expect(events.headers.get('content-type')).toMatch(/^text\/event-stream/);
  await events.body?.cancel();
};

test.each(RUNTIMES)('%s imports and requires the package, and serves', async (name, command, ...flags) => {
  const home = join(project, name);
  const failure = await install(home, name).then(() => '', String);
  if (failure) return console.log(`skipped ${name}: ${failure}`);
  const program = join(home, 'node_modules/.bin', command);
  for (const file of Object.keys(PROGRAMS)) {
    const { stdout, stderr } = await run(program, [...flags, file], { cwd: project });
    expect(stdout).toBe('200 12 http://mock.local\n');
    expect(stderr).not.toContain('Warning');
  }
  const cli = join(INSTALLED, 'dist/cli.js');
  const end = await serve(program, [...flags, cli, '--port', '0', '--log', 'json'], {}, walk);
  expect(end).toEqual([0, null]);
});

test('an open call in process keeps the program running; a mock and cancelled calls do not', async () => {
  write(
    'delay.mjs',
    `import { createMock } from '${NAME}';
    const mock = createMock();
    const { accessToken } = (await mock.environment()).credentials;
    const headers = { authorization: 'Bearer ' + accessToken };
    await (await mock.environment()).faults.add({ operation: 'listConnections', delay_ms: 50, times: 1 });
    console.log((await mock.fetch('/api/v1/connections', { headers })).status);
    await (await mock.environment()).faults.add({ operation: 'listConnections', delay_ms: 600_000 });
    const call = mock.fetch('/api/v1/connections', { headers, signal: AbortSignal.timeout(50) });
    console.log(await call.catch(({ name }) => name));`,
  );
  expect((await node('delay.mjs')).stdout).toBe('200\nTimeoutError\n');
});

test('an uncaught error prints a short message, without code of the package', async () => {
  write('uncaught.mjs', `import { createMock } from '${NAME}'; createMock({ port: 1 });`);
  const stderr = await node('uncaught.mjs').catch(String);
  expect(stderr).toContain('There is no option port.');
  expect(String(stderr).length).toBeLessThan(3_000);
});

test('the archive lists its packages for auditors, with their licences, and asks npm for none', async () => {
  const { dependencies } = readJson(join(ROOT, 'package.json'));
  const manifest = readJson(join(INSTALLED, 'package.json'));
  for (const member of ['dependencies', 'devDependencies', 'scripts', 'jest', 'knip'])
    expect(manifest[member]).toBeUndefined();
  const sbom = readFileSync(join(INSTALLED, 'dist/sbom.cdx.json'), 'utf8');
  expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(sbom)).toBeNull();
  const { components } = JSON.parse(sbom);
  const listed = components.map(({ name, version }: Record<string, string>) => `${name} ${version}`);
  const direct = Object.entries(dependencies).map(([name, version]) => `${name} ${version}`);
  expect(direct.filter((one) => !listed.includes(one))).toEqual([]);
  const licences = ['dist', 'src/console/public/assets']
    .map((one) => readFileSync(join(INSTALLED, one, 'LICENSES.txt'), 'utf8'))
    .flatMap((text) => text.split(/^==== (?=\S)/m).slice(1));
  const named = licences.map((one) => one.split(' (')[0]);
  expect(listed.toSorted()).toEqual([...new Set(named)].toSorted());
  expect(licences.filter((one) => !/copyright/i.test(one))).toEqual([]);
  const patched = components.filter(({ pedigree }: { pedigree?: object }) => pedigree);
  expect(patched.map(({ name }: { name: string }) => name)).toEqual(['express-openapi-validator']);
});

test('above each option, an editor shows what --help says', () => {
  const file = join(INSTALLED, 'dist/types/library/options.d.ts');
  const [start = '', run = ''] = readFileSync(file, 'utf8').split('const RUN_OPTIONS: ');
  for (const [text, table] of [
    [start, START_OPTIONS],
    [run, RUN_OPTIONS],
  ] as const)
    for (const [name, { words, fallback }] of Object.entries<Option<unknown>>(table)) {
      const [, shown] = new RegExp(`/\\*\\* (.*) \\*/\\n    ${name}: `).exec(text) ?? [];
      expect(shown).toBe(`${words[0]?.toUpperCase()}${words.slice(1)}. Default: ${fallback}.`);
    }
});

test('npm refuses to publish this folder, and names the archive to publish', async () => {
  const failure = await run('npm', ['run', 'prepublishOnly'], { cwd: ROOT }).catch(String);
  expect(failure).toContain(`npm pack && npm publish ${NAME}-`);
});

test('import and require load the same code', async () => {
  write(
    'same.mjs',
    `import { createRequire } from 'node:module';
    import * as imported from '${NAME}';
    const required = createRequire(import.meta.url)('${NAME}');
    console.log(Object.keys(required).sort().join(), imported.MockError === required.MockError);`,
  );
  expect((await node('same.mjs')).stdout).toBe('MockError,connectMock,createMock,startMock true\n');
});

/** What npm does with a dependency from git, but that it would first install the tools, as the step `install` of CI does. */
test('the package can be installed from git: a clone is prepared, packed and installed', async () => {
  const home = mkdtempSync(join(tmpdir(), 'ca-mock-git-'));
  try {
    const clone = join(home, 'clone');
    await run('git', ['clone', '--quiet', '--local', ROOT, clone]);
    await run('cp', ['-al', tool(''), join(clone, 'node_modules')]);
    const { stdout: packed } = await run('npm', ['pack', '--silent'], { cwd: clone });
    await install(home, join(clone, packed.trim()), '--offline');
    copyFileSync(join(project, 'module.mjs'), join(home, 'module.mjs'));
    const { stdout } = await run(process.execPath, ['module.mjs'], { cwd: home });
    expect(stdout).toBe('200 12 http://mock.local\n');
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

test('the entry `client` loads little code, and no HTTP server', async () => {
  write(
    'client.cjs',
    `const { connectMock } = require('${NAME}/client');
    const { statSync } = require('node:fs');
    const bytes = Object.keys(require.cache).reduce((sum, file) => sum + statSync(file).size, 0);
    console.log(typeof connectMock, bytes < 60_000, process.moduleLoadList.includes('NativeModule http'));`,
  );
  expect((await node('client.cjs')).stdout).toBe('function true false\n');
});

test('setup entries need no test runner, and the other entries for a runner fail with its name if it is missing', async () => {
  write(
    'entries.mjs',
    `import { createRequire } from 'node:module';
    const require = createRequire(import.meta.url);
    for (const entry of ['jest/setup', 'jest/teardown', 'playwright/setup'])
      if (typeof require('${NAME}/' + entry).default !== 'function') throw new Error(entry);
    const { default: setup } = await import('${NAME}/vitest/setup');
    const end = await setup();
    console.log(process.env.CA_MOCK_ACCESS_TOKEN);
    await end();
    console.log(process.env.CA_MOCK_URL);
    for (const entry of ['jest', 'playwright', 'vitest'])
      await import('${NAME}/' + entry).catch(({ message }) => console.log(/'(@?[a-z/]+)'/.exec(message)[1]));`,
  );
  const { stdout, stderr } = await node('entries.mjs');
  expect(stdout).toBe('dev-token\nundefined\n@jest/globals\n@playwright/test\nvitest\n');
  expect(stderr).toContain('Coverage of the contract by this run: 0%');
});

const TYPED = `
  const use = async (): Promise<string> => {
    await using mock: Mock = await startMock({ port: 0, scenario: { environments: {} } });
    await using env: MockEnvironment = await mock.createEnvironment({ settings: { hosted: 'approve' } });
    await env.faults.add({ operation: 'listConnections', status: 429 });
    // @ts-expect-error: no such operation
    await env.faults.add({ operation: 'listConection', status: 429 });
    // @ts-expect-error: no such option
    await startMock({ prot: 0 });
    const remote = await connectMock(mock.url, { controlToken: 't' });
    const status: string = (await (await remote.environment()).accounts.expire('ca_1')).status;
    return status + (await env.advance('15d')).now;
  };
  void use;
`;

const IMPORTS = `
  import { connectMock } from '${NAME}/client';
  import { startMock, type Mock, type MockEnvironment } from '${NAME}';
  import endJest from '${NAME}/jest/teardown';
  import { setupMock } from '${NAME}/jest/setup';
  import setupPlaywright from '${NAME}/playwright/setup';
  import type setupVitest from '${NAME}/vitest/setup';
  void [endJest, setupMock({ port: 0 }), setupPlaywright, {} as typeof setupVitest];`;

const compile = (options: string, ...files: readonly string[]) =>
  node(tool('typescript/bin/tsc'), '--noEmit', '--strict', ...options.split(' '), ...files);

const NODE_TYPES = ['--types', 'node', '--typeRoots', tool('@types')];

test.each([
  ['es2018', 'node16', 'node16'],
  ['es2020', 'nodenext', 'nodenext'],
  ['es2018', 'esnext', 'bundler'],
  ['es2020', 'commonjs', 'node'],
])('the types of the package can be checked with target %s, module %s, moduleResolution %s', async (target, module, resolution) => {
  write('types.mts', IMPORTS + TYPED);
  write('types.ts', IMPORTS.replace(/.*vitest.*|, \{\} as.*(?=\])/g, '') + TYPED); // without "type" in package.json, CommonJS
  const strict = '--exactOptionalPropertyTypes --noUncheckedIndexedAccess --skipLibCheck false';
  const kind = `--module ${module} --moduleResolution ${resolution} --target ${target} --lib ${target}`;
  await compile(`${strict} ${kind}`, ...NODE_TYPES, 'types.mts', 'types.ts');
});

test('the types of the package do not need the types of node', async () => {
  write('alone.mts', IMPORTS + TYPED);
  await compile('--skipLibCheck false --module nodenext --target es2022', 'alone.mts');
});

test('the types of the package work with Jest and Playwright', async () => {
  for (const name of ['@jest/globals', '@playwright/test']) {
    mkdirSync(join(project, 'node_modules', dirname(name)), { recursive: true });
    symlinkSync(tool(name), join(project, 'node_modules', name));
  }
  for (const runner of ['jest', 'playwright'])
    write(
      `${runner}.mts`,
      `import { expect, test } from '${NAME}/${runner}';
      test('own', async ({ env }) => {
        await expect(env).toHaveReceived('getKeys', { times: 1 });
        await expect(env).not.toHaveSent();
        expect(env.name).toBe('development');
        expect(JSON.parse('{}')).toEqual({});
        // @ts-expect-error: no environment
        await expect('development').toHaveSent();
      });`,
    );
  await compile('--skipLibCheck --module nodenext', ...NODE_TYPES, 'jest.mts', 'playwright.mts');
});

test('publint and arethetypeswrong find nothing wrong with the package', async () => {
  await node(tool('publint/src/cli.js'), archive, '--strict');
  // CommonJS cannot require Vitest, so it cannot require our entries for Vitest.
  const others = ['openapi.yaml', 'fixtures/*', 'vitest', 'vitest/plugin', 'vitest/setup', 'jest-preset'];
  const options = ['--profile', 'node16', '--exclude-entrypoints', ...others.map((name) => `./${name}`)];
  // Every runner looks for a default export, as an ES module has.
  options.push('--ignore-rules', 'false-export-default');
  await node(tool('@arethetypeswrong/cli/dist/index.js'), archive, ...options);
});

/** The arguments of every instruction of the Dockerfile that starts with `word`. */
const dockerSteps = (word: string): readonly string[] => {
  const dockerfile = readFileSync(join(ROOT, '.github/Dockerfile'), 'utf8');
  const lines = dockerfile.replaceAll(/\\\n\s*/g, '').split('\n');
  return lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
};

test('the GitHub action runs a command with a mock, and fails if the command fails', async () => {
  const action = parse(readFileSync(join(ROOT, '.github/actions/mock/action.yml'), 'utf8'));
  const [step] = action.runs.steps;
  expect(Object.keys(step.env)).toEqual(['COMMAND', 'FLAGS']);
  const act = (COMMAND: string) =>
    run('bash', ['-c', step.run], {
      cwd: project,
      env: { ...process.env, COMMAND, FLAGS: action.inputs.flags.default },
    });
  expect((await act('curl --fail --silent $CA_MOCK_URL/keys')).stdout).toContain('"keys":[');
  await expect(act('exit 7')).rejects.toMatchObject({ code: 7 });
});

test('the steps of the Dockerfile work, and its health check fails when the mock has stopped', async () => {
  const home = join(project, 'image');
  mkdirSync(home);
  copyFileSync(archive, join(home, basename(archive)));
  writeFileSync(join(home, 'package.json'), '{}'); // otherwise npm would install into a parent folder that has a package.json
  for (const step of dockerSteps('RUN')) await run('sh', ['-c', step], { cwd: home });
  const variables = dockerSteps('ENV').flatMap((line) => line.split(' ').map((pair) => pair.split('=')));
  const [entry = ''] = dockerSteps('ENTRYPOINT').map((line) => join(home, JSON.parse(line)[0]));
  const env = { ...Object.fromEntries(variables), CA_MOCK_CONTROL_TOKEN: 'secret', CA_MOCK_PORT: '0' };
  let port = '';
  const check = () => {
    const [line = ''] = dockerSteps('HEALTHCHECK').map((step) => step.replace(/^.*CMD /, ''));
    const [program = '', ...args] = JSON.parse(line.replaceAll('4720', port));
    return run(program, args);
  };
  await serve(entry, [], env, async (url) => {
    ({ port } = new URL(url));
    await check();
  });
  await expect(check()).rejects.toMatchObject({ code: 1 });
});

test('the package has the files that it needs, no sources, tests or scripts, and at most 1.5 MB to download', () => {
  expect(statSync(archive).size).toBeLessThan(1_500_000);
  const files = readdirSync(INSTALLED, { recursive: true }).map(String);
  const sizes = files.map((file) => statSync(join(INSTALLED, file)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(6_000_000);
  const needed = ['README.md', 'LICENSE', 'CHANGELOG.md', 'openapi.yaml', 'fixtures/scenario.schema.json'];
  expect(files).toEqual(expect.arrayContaining(needed));
  expect(files.filter((file) => /(^test|[^d]\.tsx?$)/.test(file))).toEqual([]);
});
