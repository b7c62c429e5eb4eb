/** Deletes declarations of tsc that no entry of the package imports. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const IMPORTED = /(?<=(?:from |import\()['"])\.[^'"]+(?=['"])/g;

const wanted = new Set();
const visit = (file) => {
  if (wanted.has(file)) return;
  wanted.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [name] of text.matchAll(IMPORTED))
    visit(join(dirname(file), name.replace(/[.](m?)ts$/, '.d.$1ts')));
  writeFileSync(
    file,
    text.replaceAll(IMPORTED, (name) => name.replace(/[.](m?)ts$/, '.$1js')), // as resolvers of every kind know it
  );
};
const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
for (const { types } of Object.values(exports)) if (types) visit(join(types));

for (const entry of readdirSync('dist/types', { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name);
  if (entry.isFile() && !wanted.has(file)) rmSync(file);
}
