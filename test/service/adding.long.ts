/**
 * What src/README.md says of adding: a member of a reply touches `openapi.yaml` and one folder, an operation these two and a
 * row in the table of cases. Both are added to a copy of this repository, which is checked, built, and called.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '../support/folder.ts';

const MEMBER = {
  'openapi.yaml': [
    '        mcp_server_url:\n          type: string\n',
    '        is_connector:\n          type: boolean\n          description: Whether it holds accounts.\n',
  ],
  'src/service/connections.ts': [
    '    ...(organization && { organization_name:',
    '    is_connector: connectorKind(connection) !== undefined,\n',
  ],
} as const;

const OPERATION = {
  'openapi.yaml': [
    '  /api/v1/connections:\n',
    `  /api/v1/connections/{id}:
    get:
      operationId: getConnection
      tags: [connections]
      summary: Get a connection
      description: The connection with this id.
      parameters:
        - { name: id, in: path, required: true, description: Its id., schema: { type: string } }
      responses:
        '200':
          description: The connection.
          content: { application/json: { schema: { $ref: '#/components/schemas/Connection' } } }
        '401': { $ref: '#/components/responses/Unauthenticated' }
        default: { $ref: '#/components/responses/UnexpectedError' }
`,
  ],
  'src/service/connections.ts': [
    '/** Lists the connections',
    `export const getConnection: Operation<'getConnection'> = (state, { path }, env) => ({
  status: 200,
  body: presentConnection(state, requireConnection(state, path.id), env),
});

`,
  ],
  'src/conformance/cases/providers.ts': [
    "  'listConnections',\n",
    `  'getConnection',
  promised('', 'A connection is found by its id, and no other',
    calls.getConnection({ id: '{OAUTH.id}' }, { id: '{OAUTH.id}', is_connector: true }),
    calls.getConnection({ id: 'conn_none' }, 404)),
`,
  ],
} as const;

/** Puts a text before another in each file. */
const add = (folder: string, change: Readonly<Record<string, readonly [before: string, text: string]>>) => {
  for (const [name, [before, text]] of Object.entries(change)) {
    const file = join(folder, name);
    const content = readFileSync(file, 'utf8');
    expect(content.split(before)).toHaveLength(2);
    writeFileSync(file, content.split(before).join(text + before));
  }
};

test('a member of a reply needs openapi.yaml and one folder, an operation also a row in the table of cases', () => {
  const folder = temporaryFolder();
  // Not what the clients install meanwhile, which comes and goes.
  for (const name of [
    ...['src', 'fixtures', '.ci', 'openapi.yaml', 'flows.arazzo.yaml', 'package.json', 'tsconfig.json'],
    ...['README.md', 'CHANGELOG.md', 'skills', 'test'],
  ])
    cpSync(name, join(folder, name), { recursive: true, filter: (path) => basename(path) !== '.work' });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  add(folder, MEMBER);
  add(folder, OPERATION);

  const run = (...[program, ...args]: [string, ...string[]]) =>
    execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  run('npm', 'run', '--silent', 'generate');
  run('npx', 'tsc', '--noEmit');
  run('npm', 'run', '--silent', 'build');
  const verify =
    'node dist/cli.js verify --base-url "$CA_MOCK_URL" --client-id "$CA_MOCK_CLIENT_ID" --client-secret "$CA_MOCK_CLIENT_SECRET" --operation getConnection --json';
  const report = run('node', 'dist/cli.js', 'exec', '--log', 'silent', '--', 'sh', '-c', verify);
  expect(JSON.parse(report)).toMatchObject({
    totals: { failed: 0 },
    cases: expect.arrayContaining([
      expect.objectContaining({ case: 'A connection is found by its id, and no other', result: 'passed' }),
    ]),
  });
});
