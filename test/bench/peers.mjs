/**
 * The servers that are measured: how to start each, and the work that it can do. Peers are installed on demand in a
 * scratch folder: the package does not depend on them.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const SCRATCH = process.env.CA_MOCK_BENCH ?? join(tmpdir(), 'ca-mock-bench');
const PACKAGES = ['express@5.3.0', 'express-openapi-validator@5.6.2'];
const ROOT = new URL('../../', import.meta.url).pathname;

/** This package as users run it: built, started by its command, with all defaults. */
export const ours = (scenario = 'default') => ({
  name: 'ca-mock',
  works: ['list', 'list, first time', 'auth', 'create', 'verify flow'],
  command: (port) => [
    process.execPath,
    join(process.env.CA_MOCK_DIST ?? join(ROOT, 'dist'), 'cli.js'),
    ...['start', '--port', port, '--scenario', scenario, '--log', 'silent'],
  ],
});

const peer = (name, file) => ({
  name,
  works: ['list', 'auth', 'create'],
  command: (port, { data, contract }) => [
    process.execPath,
    join(SCRATCH, 'servers', file),
    ...[port, data, contract],
  ],
});

/** Installs the peers, and returns them. */
export const installPeers = () => {
  const stamp = join(SCRATCH, 'installed.json');
  mkdirSync(SCRATCH, { recursive: true });
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== JSON.stringify(PACKAGES)) {
    writeFileSync(join(SCRATCH, 'package.json'), '{"private":true}');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...PACKAGES], {
      cwd: SCRATCH,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    writeFileSync(stamp, JSON.stringify(PACKAGES));
  }
  // Modules look for packages from their own folder.
  cpSync(new URL('./servers/', import.meta.url).pathname, join(SCRATCH, 'servers'), { recursive: true });
  return [peer('Express 5', 'express.mjs'), peer('Express 5 + EOV', 'express-eov.mjs')];
};
