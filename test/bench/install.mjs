/**
 * Installs peers on demand, each in its own scratch folder: the package does not depend on them, and their dependencies
 * conflict.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const SCRATCH = process.env.CA_MOCK_BENCH ?? join(tmpdir(), 'ca-mock-bench');
const SERVERS = new URL('./servers/', import.meta.url).pathname;

const PACKAGES = {
  express: ['express@5.3.0', 'express-openapi-validator@5.6.2'],
  fastify: ['fastify@5.12.8'],
  prism: ['@stoplight/prism-cli@5.14.2'],
  mockoon: ['@mockoon/cli@9.9.0'],
  // emulate needs Node 24; the npm package `node` has it.
  emulate: ['emulate@0.12.2', 'node@24'],
};

/** Installs a group of peers. Returns its folder, or why the installation failed. */
export const install = (group) => {
  const folder = join(SCRATCH, group);
  const wanted = PACKAGES[group];
  const stamp = join(folder, 'installed.json');
  mkdirSync(folder, { recursive: true });
  try {
    if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== JSON.stringify(wanted)) {
      writeFileSync(join(folder, 'package.json'), '{"private":true}');
      execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...wanted], {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      writeFileSync(stamp, JSON.stringify(wanted));
    }
  } catch (error) {
    return {
      problem: String(error.stderr ?? error)
        .trim()
        .split('\n')[0],
    };
  }
  // Modules look for packages from their own folder.
  cpSync(SERVERS, join(folder, 'servers'), { recursive: true });
  return { folder };
};

/** The installed version of a package. */
export const versionOf = (group, name) =>
  JSON.parse(readFileSync(join(SCRATCH, group, 'node_modules', name, 'package.json'), 'utf8')).version;
