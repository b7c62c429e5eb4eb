import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { packageRoot } from '../../../src/engine/contract/package-root.ts';

test('the patch of express-openapi-validator is applied to the installed package', () => {
  const patch = '.ci/patches/express-openapi-validator+5.6.2.patch';
  const takeBack = () =>
    execFileSync('git', ['apply', '--reverse', '--check', patch], { cwd: packageRoot(), stdio: 'pipe' });
  expect(takeBack).not.toThrow();
});
