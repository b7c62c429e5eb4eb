import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { packageRoot } from '../../src/openapi/package-root.ts';

test('the package root is the folder of this package', () => {
  const { name } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  expect(name).toBe('connected-accounts-mock');
});
