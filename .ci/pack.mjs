/**
 * Runs after npm packed this folder. Replaces the archive by one whose package.json has no parts for development, and no
 * `dependencies`, since the code of these packages is in the bundle. npm packs only the package.json that is on disk, and
 * we do not change that one, even for a moment.
 *
 * `node .ci/pack.mjs refuse` runs before npm publishes this folder: only such an archive may be published.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { argv, env } from 'node:process';

const { scripts, devDependencies, dependencies, overrides, allowScripts, imports, jest, knip, ...manifest } =
  JSON.parse(readFileSync('package.json', 'utf8'));
/** TypeScript with `moduleResolution: node` finds the types of an entry here, since it does not read `exports`. */
const typed = Object.entries(manifest.exports).filter(([entry, { types }]) => types && entry !== '.');
const typesVersions = {
  '*': Object.fromEntries(typed.map(([entry, { types }]) => [entry.slice(2), [types]])),
};
const name = `${manifest.name}-${manifest.version}.tgz`;

const repack = (archive) => {
  const folder = mkdtempSync(join(tmpdir(), 'pack-'));
  try {
    execFileSync('tar', ['-xf', archive, '-C', folder]);
    writeFileSync(
      join(folder, 'package/package.json'),
      `${JSON.stringify({ ...manifest, typesVersions }, null, 2)}\n`,
    );
    const flags = ['--silent', '--ignore-scripts', '--pack-destination', dirname(archive)];
    execFileSync(process.execPath, [env.npm_execpath, 'pack', join(folder, 'package'), ...flags], {
      stdio: 'ignore',
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

if (argv[2] === 'refuse') {
  console.error(`Publish the archive: npm pack && npm publish ${name}`);
  process.exitCode = 1;
} else {
  const archive = resolve(env.npm_config_pack_destination ?? '.', name);
  if (existsSync(archive)) repack(archive); // `npm pack --dry-run` writes none
}
