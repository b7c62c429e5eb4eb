/** A test can make environments from its own scenario, given as an object or a file. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectMock, type Mock, type RemoteMock, type ScenarioForm, startMock } from '#mock';
import { temporaryFolder } from '../support/folder.ts';

const files = temporaryFolder();
const write = (name: string, text: string): string => {
  writeFileSync(join(files, name), text);
  return join(files, name);
};

let served: Mock;
let mock: RemoteMock;
beforeAll(async () => {
  served = await startMock({ port: 0, scenario: 'default', log: 'silent', fixtures: files });
  mock = await connectMock(served.url);
});
afterAll(() => served.close());

const ACME: ScenarioForm = {
  environments: { mine: { organizations: [{ id: 'org_1', name: 'acme' }] } },
};
const namesIn = async (env: { state(): unknown }) =>
  ((await env.state()) as { organizations?: { name: string }[] }).organizations?.map(({ name }) => name);

test('an environment starts from a scenario object, and a reset returns to its rows', async () => {
  const env = await mock.createEnvironment({ scenario: ACME });
  await env.patchState({ organizations: [{ name: 'globex' }] });
  expect(await namesIn(env)).toEqual(['acme', 'globex']);
  await env.reset();
  expect(await namesIn(env)).toEqual(['acme']);
});

test('a scenario object can extend other scenarios, and later scenarios override earlier ones', async () => {
  const scenario: ScenarioForm = {
    extends: ['empty', ACME, { environments: { mine: { organizations: [{ name: 'initech' }] } } }],
    environments: { mine: { organizations: [{ id: 'org_1', display_name: 'Acme & Sons' }] } },
  };
  const env = await mock.createEnvironment({ scenario, from: 'mine' });
  expect((await env.state()).organizations).toMatchObject([
    { id: 'org_1', name: 'acme', display_name: 'Acme & Sons' },
    { name: 'initech' },
  ]);
});

test('an environment starts from a scenario file, with everything that the file extends', async () => {
  write('named.yaml', 'environments: { mine: { organizations: [{ name: named }] } }');
  write('base.json', JSON.stringify(ACME));
  const file = write(
    'mine.yaml',
    'extends: [named, ./base.json]\nenvironments: { mine: { organizations: [{ name: own }] } }',
  );
  const env = await mock.createEnvironment({ scenario: file });
  expect(await namesIn(env)).toEqual(['named', 'acme', 'own']);
  await env.reset({ scenario: 'empty' });
  expect(await namesIn(env)).toBeUndefined();
  await env.reset({ scenario: file });
  expect(await namesIn(env)).toEqual(['named', 'acme', 'own']);
});

test('the error for a mistake in a file names its line and column, and for a mistake in an object its path', async () => {
  const make = (scenario: string | ScenarioForm) => mock.createEnvironment({ scenario });
  const file = write('wrong.yaml', 'environments:\n  mine:\n    organizations:\n      - { nam: acme }\n');
  await expect(make(file)).rejects.toMatchObject({
    name: 'MockError',
    code: 'INVALID_ARGUMENT',
    message: expect.stringContaining(
      `${file}:4:11: environments.mine.organizations[0].nam: is not a known member`,
    ),
  });
  await expect(make('./missing.yaml')).rejects.toThrow('there is no file missing.yaml');
  const wrong = { environments: { mine: { users: [{ email: 'ada' }] } } };
  await expect(make({ extends: [wrong], ...ACME })).rejects.toThrow(
    'extends[0].environments.mine.users[0].email: is "ada", but must be',
  );
});
