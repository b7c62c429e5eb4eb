import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';

const ROOT = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(ROOT, 'node_modules', '.prebuilt-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The two modules as the build fills them, as a module of their own. */
const buildPrebuilt = async () => {
  const script = `
    import { build } from 'esbuild';
    import { prebuilt } from './.ci/prebuild.mjs';
    await build({
      stdin: {
        contents: "export { prebuiltValue } from './src/openapi/prebuilt.ts'; export { PREBUILT_VALIDATORS } from './src/scenario/prebuilt-validators.ts';",
        resolveDir: '.',
      },
      bundle: true, format: 'esm', platform: 'node', outfile: ${JSON.stringify(join(folder, 'prebuilt.mjs'))},
      plugins: [await prebuilt()],
      banner: { js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);" },
    });`;
  execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT });
  return import(join(folder, 'prebuilt.mjs'));
};
const built = await buildPrebuilt();

test.each([
  'openapi.yaml',
  'src/control/control.yaml',
  'fixtures/default.yaml',
  'fixtures/large.yaml',
])('the build knows the value of %s as reading it gives it, and of no other text', (file) => {
  const text = readFileSync(join(ROOT, file), 'utf8');
  expect(built.prebuiltValue(text)).toEqual(parse(text));
  expect(built.prebuiltValue(`${text}\n`)).toBeUndefined();
});

test('the scenario validators of the build let a good scenario pass and name what is wrong with a bad one', () => {
  const { scenario, environment } = built.PREBUILT_VALIDATORS;
  expect(scenario({ environments: { development: { users: [{ email: 'ada@acme.test' }] } } })).toBe(true);
  expect(scenario({ environments: { development: { users: [{ email: 'nobody' }] } } })).toBe(false);
  expect(scenario.errors).toContainEqual(
    expect.objectContaining({ keyword: 'format', instancePath: '/environments/development/users/0/email' }),
  );
  expect(environment({ connections: [{ key_id: 'mail', created_at: 'yesterday' }] })).toBe(false);
});
