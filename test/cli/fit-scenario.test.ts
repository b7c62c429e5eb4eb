/** What `init --from` leaves out of a scenario that the mock refuses. */
import { expect, test } from '@jest/globals';
import { fitScenario } from '../../src/cli/fit-scenario.ts';
import { ScenarioError } from '../../src/model/scenario/source.ts';

/** What is left of two users, and what the report says, if each load refuses these members of users. */
const fitted = (...rounds: readonly (readonly string[])[]) => {
  const users = [
    { id: 'usr_1', email: 'a@b.test', name: 'a', metadata: {} },
    { id: 'usr_2', email: 'c@d.test' },
  ];
  const scenario = { environments: { development: { users } } };
  const left = rounds[Symbol.iterator]();
  const report = fitScenario(scenario, () => {
    const { value: members = [], done } = left.next();
    const problems = members.map((member) => ({
      path: `environments.development.users${member}`,
      message: `no ${member}`,
    }));
    if (!done) throw new ScenarioError(problems);
  });
  return { report, users: scenario.environments.development.users.map((row) => Object.keys(row).join()) };
};

test.each([
  [
    'members of one round',
    [['[0].name', '[0].metadata']],
    'users usr_1, name, metadata',
    ['id,email', 'id,email'],
  ],
  [
    'a member after another',
    [['[0].name'], ['[0].metadata']],
    'users usr_1, name, metadata',
    ['id,email', 'id,email'],
  ],
  ['a row whose member is missing', [['[1].name']], 'users usr_2', ['id,email,name,metadata']],
  ['a row without what it lost before', [['[0].name'], ['[0].name']], 'users usr_1', ['id,email']],
  [
    'a row that has one of two members',
    [['[1].email', '[1].name']],
    'users usr_2',
    ['id,email,name,metadata'],
  ],
])('%s is left out and listed', (_what, rounds, what, users) => {
  const reason = `no ${rounds[0]?.[0]}`;
  expect(fitted(...rounds)).toMatchObject({ report: [{ what, reason }], users });
});

test('a problem that belongs to no row is thrown', () => {
  expect(() => fitted(['[7].name'])).toThrow(ScenarioError);
});
