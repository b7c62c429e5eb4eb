/** The package as it is installed from a clone of the sources. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { NAME, ROOT, run, WALK } from './support.ts';

jest.setTimeout(600_000);

test('the package can be installed from git', async () => {
  const home = mkdtempSync(join(tmpdir(), 'ca-mock-git-'));
  try {
    writeFileSync(join(home, 'package.json'), '{}');
    await run('npm', ['install', '-D', '--no-audit', '--no-fund', '--prefer-offline', `git+file://${ROOT}`], {
      cwd: home,
    });
    const { stdout } = await run(join(home, 'node_modules/.bin/ca-mock'), ['list'], { cwd: home });
    expect(stdout).toContain('verify-flow');
    expect(readdirSync(join(home, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([NAME]);
    writeFileSync(
      join(home, 'module.mjs'),
      `import { connectMock, createMock, startMock } from '${NAME}';${WALK}`,
    );
    expect((await run(process.execPath, ['module.mjs'], { cwd: home })).stdout).toBe(
      '200 12 http://mock.local\n',
    );
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
