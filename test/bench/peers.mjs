/** The servers that are measured: how to start each, and the work that it can do. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { install, versionOf } from './install.mjs';
import { askOnce } from './machine.mjs';
import { EMULATE_LIST, LIST } from './work.mjs';

const ROOT = new URL('../../', import.meta.url).pathname;

/** This package as users run it: built, started by its command, with all defaults. */
export const ours = (scenario = 'default', options = []) => ({
  name: 'ca-mock',
  version: 'this',
  note: 'request and response validation, journal, coverage, tokens, state',
  works: ['list', 'list, first time', 'filtered', 'filtered, first time', 'auth', 'create', 'verify flow'],
  path: LIST,
  readsContract: true,
  command: (port) => [
    process.execPath,
    join(process.env.CA_MOCK_DIST ?? join(ROOT, 'dist'), 'cli.js'),
    ...['start', '--port', port, '--scenario', scenario, '--log', 'silent', ...options],
  ],
});

const handWritten = (name, group, version, note, file, extra = {}) => ({
  name,
  group,
  version,
  note,
  works: ['list', 'filtered', 'auth', 'create'],
  path: LIST,
  command: (port, { data, contract }, folder) => [
    process.execPath,
    join(folder, 'servers', file),
    port,
    data,
    contract,
  ],
  ...extra,
});

/** A peer that answers from the contract's examples. */
const fromContract = (name, group, packageName, note, args) => ({
  name,
  group,
  version: () => versionOf(group, packageName),
  note,
  works: ['list', 'filtered', 'auth', 'create'],
  path: LIST,
  readsContract: true,
  command: (port, files, folder) => [process.execPath, ...args(port, files, join(folder, 'node_modules'))],
});

const emulate = {
  name: 'emulate',
  group: 'emulate',
  version: () => versionOf('emulate', 'emulate'),
  note: 'no contract; its payments service, ten customers (half the bytes of our list); on Node 24',
  works: ['list'],
  path: EMULATE_LIST,
  workAs: { list: 'list of emulate' },
  command: (port, _files, folder) => {
    writeFileSync(join(folder, 'seed.yaml'), 'stripe: {}\n');
    const modules = join(folder, 'node_modules');
    return [
      join(modules, 'node/bin/node'),
      join(modules, 'emulate/dist/index.js'),
      ...['start', '--service', 'stripe', '--port', port, '--seed', join(folder, 'seed.yaml')],
    ];
  },
  /** Adds customers, since emulate starts with only two. */
  fill: async (port) => {
    for (let nth = 1; nth <= 10; nth += 1) {
      const form = `email=person-${nth}@acme.test&name=Person`;
      await askOnce(
        port,
        `POST /v1/customers HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer dev-token\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\nConnection: close\r\n\r\n${form}`,
      );
    }
  },
};

const PEERS = [
  handWritten('node:http', 'express', process.versions.node, 'replies written beforehand', 'raw.mjs'),
  handWritten(
    'Express 5',
    'express',
    () => versionOf('express', 'express'),
    'no validation, no token',
    'express.mjs',
  ),
  handWritten(
    'Express 5 + EOV',
    'express',
    () => versionOf('express', 'express-openapi-validator'),
    'requests and replies validated, as its README shows it',
    'express-eov.mjs',
    { readsContract: true },
  ),
  handWritten(
    'Fastify 5',
    'fastify',
    () => versionOf('fastify', 'fastify'),
    'requests validated, replies written by schema; three operations only',
    'fastify.mjs',
  ),
  fromContract(
    'Prism',
    'prism',
    '@stoplight/prism-cli',
    'answers from examples; requests validated',
    (port, { contract }, modules) => [
      join(modules, '@stoplight/prism-cli/dist/index.js'),
      ...['mock', contract, '--port', port, '--verboseLevel', 'fatal'],
    ],
  ),
  fromContract(
    'Mockoon',
    'mockoon',
    '@mockoon/cli',
    'three routes in a data file of its own, since its reading of a contract leaves examples out; no validation',
    (port, { mockoon }, modules) => [
      join(modules, '@mockoon/cli/bin/run.js'),
      ...[
        'start',
        '--data',
        mockoon,
        '--port',
        port,
        '--repair',
        '--disable-log-to-file',
        '--disable-admin-api',
      ],
    ],
  ),
  emulate,
];

/**
 * Installs the peers. Returns each installed peer with its folder, and a line about each that could not be installed.
 */
export const installPeers = () => {
  const missing = [];
  const peers = [];
  for (const peer of PEERS) {
    const { folder, problem } = install(peer.group);
    if (folder) {
      const version = typeof peer.version === 'function' ? peer.version() : peer.version;
      peers.push({ ...peer, folder, version });
    } else missing.push(`${peer.name}: ${problem}`);
  }
  return { peers, missing };
};
