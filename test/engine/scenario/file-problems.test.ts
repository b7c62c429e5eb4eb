/** Mistakes in a scenario file as a whole. In the cases, `»` marks the place that the problem must name. */
import { expect, test } from '@jest/globals';
import { casesOf, load, loadFiles, problemsOf, readMark } from './files.ts';

const CASES = `
an unknown member
  environments:
    test:
      »conections: []
=> environments.test.conections: is not a known member. Did you mean "connections"?

a file without environments
  »description: nothing
=> the scenario needs at least one environment under "environments"

an environment with a name that the control plane reserves
  environments:
    »current: {}
=> environments.current: the key "current" of environments must be a name of up to 63 letters, digits, "-" and "_" that begins with a letter or a digit, and not "current"

more than a million rows in all environments together
  environments:
    one: { users: [{ repeat: 999999, email: 'a{n}@b.test' }] }
    two: { users: [{ email: a@b.test }, { repeat: »2, email: 'b{n}@b.test' }] }
=> environments.two.users[1].repeat: brings the total to more than 1000000 rows

rows at the top level instead of in an environment
  environments: { test: {} }
  »users: []
=> users: users belongs below an environment: write it below environments.development

settings at the top level instead of in an environment
  environments: { test: {} }
  »settings: { strict: true }
=> settings: settings belongs below an environment: write it below environments.development

access tokens at the top level instead of in an environment
  environments: { test: {} }
  »access_tokens: [dev-token]
=> access_tokens: access_tokens belongs below an environment: write it below environments.development

a name that appears twice, as a number and as a text
  environments: { test: { users: [{ email: a@b.test, metadata: { 100: a, »"100": b } }] } }
=> this name appears twice; remove one

behaviour X7: a fault that its operation cannot have
  environments:
    test:
      faults:
        - { operation: createMembership, abort: after, times: 1 }
        - operation: listConnections
          match: { body: »{ a: 1 } }
          status: 503
=> environments.test.faults[1].match.body: Calls of listConnections have no body

a string with {n} that is not quoted
  environments:
    test:
      users: [{ repeat: 2, email: user-»{n}@acme.test }]
=> a string with {...} must be quoted here, for example "user-{n}@acme.test"

behaviour N5: a path with {name} that is not quoted, told once
  environments:
    test:
      stubs:
        - { method: GET, path: /x/»{name}, body: {} }
        - { method: GET, path: /y, body: {} }
=> a string with {...} must be quoted here, for example "user-{n}@acme.test"

behaviour N5: text after a value, over which the parser stumbles several times
  environments: { test: { users: [{ email: "a@b.test" »"b" }], organizations: [{ name: x }] } }
=> Unexpected double-quoted-scalar

an unknown YAML tag
  environments: { a: { clients: »!mine [] } }
=> Unresolved tag: !mine

text that is not YAML
  environments: {
  »
=> Flow map in block collection must be sufficiently indented and end with a }

a second YAML document in the file
  environments: { test: {} }
  »---
  environments: { other: {} }
=> a second document begins here, but a file may hold only one

a YAML alias without an anchor before it
  environments:
    test: »*base
    base: &base {}
=> this alias needs an anchor &base before it

an integer that JavaScript would round
  environments: { a: { custom_providers: [{ metadata: { n: »-12345678901234567890 } }] } }
=> -12345678901234567890 is not kept as a number as it is written; write it in quotes

a number that begins with zeros, such as an external id
  environments: { a: { users: [{ email: a@b.test, external_id: »012345678901234567890 }] } }
=> 012345678901234567890 is not kept as a number as it is written; write it in quotes

a negative number that begins with zeros
  environments: { a: { custom_providers: [{ metadata: { n: »-012 } }] } }
=> -012 is not kept as a number as it is written; write it in quotes

a merge key without a map
  environments: { test: { settings: { <<: »5 } } }
=> the merge key << takes a map, such as the alias *base of an anchor &base, or a list of maps

two environments whose names differ only in case
  environments:
    Dev: {}
    »dev: {}
=> environments.dev: the environment Dev has the same name in another case; each environment needs its own

an empty list where one item is needed
  environments: { test: { stubs: [{ method: GET, path: /a, replies: »[] }] } }
=> environments.test.stubs[0].replies: is a list, but must have at least 1 item

an extended scenario that does not exist
  extends: »nowhere
  environments: { test: {} }
=> extends: there is no scenario "nowhere". The scenarios are agents, default, directory, empty, invitations, large, main, verify-flow. The path of a file begins with ./, / or C:\\.

an extended file that does not exist
  extends:
    - »./gone.yaml
  environments: { test: {} }
=> extends[0]: there is no file gone.yaml
`;

test.each(
  casesOf(CASES),
)('a mistake is reported with its file, line and column: %s', (_, marked, problem) => {
  const { text, place } = readMark(marked);
  expect(problemsOf(() => load(text))).toEqual([expect.stringContaining(`main.yaml:${place}: ${problem}`)]);
});

test('files that extend each other in a circle cause a problem at the name that closes the circle', () => {
  const problems = problemsOf(() =>
    loadFiles({
      'main.yaml': 'extends: ./base.yaml\n',
      'base.yaml': 'description: base\nextends: ./main.yaml\nenvironments: { test: {} }\n',
    }),
  );
  expect(problems).toEqual([
    'base.yaml:2:10: extends: the file extends itself: main.yaml -> base.yaml -> main.yaml',
  ]);
});

test('a problem that only merging reveals names the file that contains the member', () => {
  const base =
    'environments:\n  test:\n    connections: [{ key_id: mail }]\n    connected_accounts: [{ connector: mail, identifier: a, token_expires_at: +1d }]\n';
  const main =
    'extends: ./base.yaml\nenvironments:\n  test:\n    connected_accounts: [{ connector: mail, identifier: a, status: EXPIRED }]\n';
  expect(problemsOf(() => loadFiles({ 'main.yaml': main, 'base.yaml': base }))).toEqual([
    'main.yaml:4:68: environments.test.connected_accounts[0].status: would read ACTIVE after loading, because of other members; write that value, or change those members',
  ]);
});

test('a row that is repeated too often does not hide other mistakes', () => {
  const text =
    'environments: { test: { users: [{ repeat: 100000000, email: "{n}@b.test" }, { emial: a@b.test }] } }';
  expect(problemsOf(() => load(text))).toEqual([
    expect.stringContaining('users[0].repeat: brings the total to more than 1000000 rows'),
    expect.stringContaining('users[1].emial: is not a known member. Did you mean "email"?'),
  ]);
});

test.each(['// why', '/* why */'])('a comment in JSON is reported as a comment: %s', (comment) => {
  const json = `{\n  "description": "a // b", ${comment}\n  "environments": { "test": {} } }`;
  expect(problemsOf(() => loadFiles({ 'main.json': json }, {}, './main.json'))).toEqual([
    'main.json:2:28: JSON has no comments; remove this one, or rename the file to .yaml and begin comments with #',
  ]);
  expect(problemsOf(() => loadFiles({ 'main.json': json.replace(comment, '') }, {}, './main.json'))).toEqual(
    [],
  );
});
