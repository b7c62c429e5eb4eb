/**
 * Deletes declarations of tsc that no entry of the package imports, and writes the texts of --help above options. Fails if
 * one names a package, since installing this package installs no other.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { importSources } from './sources.mjs';

const IMPORTED = /(?<=(?:from |import\()['"])\.[^'"]+(?=['"])/g;

const { exports, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const KNOWN = [...Object.keys(peerDependencies), '@vitest/', 'node:', '.'];
const FOREIGN = /(?:from |import\()'([^']+)'/g;

const wanted = new Set();
const visit = (file) => {
  if (wanted.has(file)) return;
  wanted.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, name] of text.matchAll(FOREIGN))
    if (!KNOWN.some((known) => name.startsWith(known)))
      throw new Error(`The published types name ${name}, in ${file}.`);
  for (const [name] of text.matchAll(IMPORTED))
    visit(join(dirname(file), name.replace(/[.](m?)ts$/, '.d.$1ts')));
  writeFileSync(
    file,
    text.replaceAll(IMPORTED, (name) => name.replace(/[.](m?)ts$/, '.$1js')), // as resolvers of every kind know it
  );
};
for (const { types } of Object.values(exports)) if (types) visit(join(types));

for (const entry of readdirSync('dist/types', { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name);
  if (entry.isFile() && !wanted.has(file)) rmSync(file);
}

const tables = await importSources("export { START_OPTIONS, RUN_OPTIONS } from './src/library/options.ts';");
const path = 'dist/types/library/options.d.ts';
const described = readFileSync(path, 'utf8')
  .split(/(?=declare const )/)
  .map((part) => {
    const table = part.startsWith('declare const R') ? tables.RUN_OPTIONS : tables.START_OPTIONS;
    return part.replaceAll(/^ {4}(\w+): /gm, (member, name) => {
      const { words, fallback } = table[name] ?? {};
      return words
        ? `    /** ${words[0].toUpperCase()}${words.slice(1)}. Default: ${fallback}. */\n${member}`
        : member;
    });
  });
writeFileSync(path, described.join(''));
