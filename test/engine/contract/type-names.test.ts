/** One name, one meaning: an exported type has a name that no other file exports for another type. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { packageRoot } from '../../../src/engine/contract/package-root.ts';

const src = join(packageRoot(), 'src');
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !file.endsWith('generated.ts'),
);

test('no two files export different types of one name', () => {
  const filesOf = new Map<string, string[]>();
  for (const file of files)
    for (const [, name = ''] of readFileSync(join(src, file), 'utf8').matchAll(
      /^export (?:declare )?(?:abstract )?(?:type|interface|class|enum) (\w+)/gm,
    ))
      filesOf.set(name, [...(filesOf.get(name) ?? []), file]);
  expect(filesOf.size).toBeGreaterThan(200);
  expect([...filesOf].filter(([, places]) => places.length > 1)).toEqual([]);
});
