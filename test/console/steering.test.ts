/** What the console does for a user: moves of rows, faults, the clock, environments. Each sends the call that it names. */
import { expect, test } from '@jest/globals';
import { loadContract } from '../../src/engine/contract/load.ts';
import { valueAt } from '../../src/engine/core/object.ts';
import { connectorKind } from '../../src/service/connections/rules.ts';
import type { Part } from '../support/document.ts';
import { openPage } from '../support/page.ts';
import { listeningServer } from '../support/server.ts';

const server = await listeningServer();
const own = await server.isolated({ name: 'own', clock: '2026-03-01T12:00:00Z' });
await own.control('POST', '/links', { id: 'ca_100000000000000003' });
const [{ token }] = (await own.control('GET', '/resources/authorization_links')).body.rows;
const page = await openPage(`${server.mock.url}/_mock/#/own`);
const sent = () => page.sent().map((call) => call.replace('environments/own/', ''));
const account = (number: number): string => `ca_10000000000000000${number}`;
const member = (organization: number, user: number): string =>
  `org_10000000000000000${organization}%2Fusr_10000000000000000${user}`;

/** What a panel offers: its buttons, then the items of its menu. An exclamation mark stands for danger. */
const offered = async (view: string): Promise<string> => {
  await page.go(`#/own/${view}`);
  const isButton = ({ attributes }: Part): boolean => /^small/.test(attributes.class ?? '');
  const label = ({ attributes, text, childNodes: [first] }: Part): string =>
    `${attributes.role ? first?.text : text}${/danger/.test(attributes.class ?? '') ? '!' : ''}`;
  const buttons = page.root.all.filter(isButton).map(label);
  const menu = page.root.all.findLast(({ attributes }) => /^More: /.test(attributes['aria-label'] ?? ''));
  menu?.fire('toggle', { newState: 'open' });
  await page.settle();
  const items = page.root.all.filter(({ attributes }) => attributes.role === 'menuitem').map(label);
  return [...buttons.filter((text) => !['', 'More', 'Copy JSON'].includes(text)), '|', ...items].join(' ');
};

test.each([
  [
    `connected_accounts/${account(1)}`,
    'Expire Disconnect! Edit | Authorize… Approve Back to pending Revoke refresh Delete!',
  ],
  [
    `connected_accounts/${account(2)}`,
    'Authorize… Approve Edit | Back to pending Grant refresh Disconnect! Delete!',
  ],
  [`connected_accounts/${account(3)}`, 'Authorize… Approve Edit | Expire Revoke refresh Disconnect! Delete!'],
  [
    `connected_accounts/${account(5)}`,
    'Authorize… Approve Edit | Expire Back to pending Revoke refresh Delete!',
  ],
  [`connected_accounts/${account(8)}`, 'Expire Disconnect! Edit | Revoke refresh Delete!'],
  [`memberships/${member(1, 1)}`, 'Deactivate! Edit | Back to pending Delete!'],
  [`memberships/${member(1, 2)}`, 'Resend invitation Accept Expire Edit | Deactivate! Delete!'],
  [`memberships/${member(1, 3)}`, 'Resend invitation Activate Deactivate! Edit | Back to pending Delete!'],
  [`memberships/${member(1, 4)}`, 'Activate Edit | Back to pending Delete!'],
  ['connections/conn_100000000000000001', 'Disable Edit | DRAFT IN_PROGRESS Delete!'],
  [`authorization_links/${token}`, 'Approve Deny |'],
  ['stubs/GET%20%2Fnothing', '|'],
])('the panel of %s offers what its status allows: %s', async (view, expected) => {
  expect(await offered(view)).toBe(expected);
});

test('the page offers to authorize exactly the accounts whose type of connection has a page', async () => {
  const path = '../../src/console/browser/views/moves.ts'; // a variable, since the sources of the browser have types of their own
  const { hasPage } = await import(path);
  const types = valueAt(loadContract().document, 'components', 'schemas', 'ConnectionType', 'enum');
  const kinds = (types as Parameters<typeof connectorKind>[0]['type'][]).flatMap(
    (type) => connectorKind({ type }) ?? [],
  );
  expect(kinds.map(hasPage)).toEqual(kinds.map(({ page }) => page !== undefined));
});

test.each([
  [
    `connected_accounts/${account(1)}`,
    'ada@acme.test',
    [
      ['Expire', `connected_accounts/${account(1)}/expire`],
      ['Grant refresh', `connected_accounts/${account(1)}/grant`],
      ['Revoke refresh', `connected_accounts/${account(1)}/revoke`],
      ['Back to pending', `connected_accounts/${account(1)}/pend`],
      ['Disconnect', `connected_accounts/${account(1)}/disconnect`],
    ],
  ],
  [
    `memberships/${member(1, 2)}`,
    'grace@acme.test',
    [
      ['Expire', `memberships/${member(1, 2).replace('%2F', '/')}/expire`],
      ['Back to pending', `memberships/${member(1, 2).replace('%2F', '/')}/invite`],
      ['Accept', `memberships/${member(1, 2).replace('%2F', '/')}/accept`],
      ['Deactivate', `memberships/${member(1, 2).replace('%2F', '/')}/deactivate`],
      ['Activate', `memberships/${member(1, 2).replace('%2F', '/')}/activate`],
    ],
  ],
  [`authorization_links/${token}`, 'ada@acme.test', [['Deny', `links/${token}/deny`]]],
] as const)('each move of %s makes its call', async (view, who, moves) => {
  await page.go(`#/own/${view}`);
  page.sent();
  for (const [label, path] of moves) {
    await offered(view);
    await page.press(label);
    expect(sent()).toEqual([`POST ${path}`]);
    expect(page.notices()).toContain(`${label}: done for ${who}.`);
  }
});

test('an account is authorized on a page in another tab, or approved by a link of its own', async () => {
  await page.go(`#/own/connected_accounts/${account(4)}`);
  for (const [label, status] of Object.entries({ 'Authorize…': 'OPEN', Approve: 'USED' })) {
    page.opened.length = 0;
    await page.press(label);
    const { rows } = (await own.control('GET', '/resources/authorization_links?query=grace')).body;
    const [{ link, token: made }] = rows;
    const [post, ...decided] = sent();
    expect(post).toBe(`POST links {"id":"${account(4)}"}`);
    expect([rows.at(-1).status, decided.length]).toEqual([status, status === 'USED' ? 1 : 0]);
    if (status === 'OPEN')
      expect([page.opened, link]).toEqual([[link], `${server.mock.url}/magicLink/${made}`]);
  }
});

test('an invitation is sent again, and its e-mail can be read with its link', async () => {
  await own.control('POST', '/memberships/acme/ada@acme.test/invite');
  await page.go('#/own/outbox');
  await page.press('Resend invitation to ada@acme.test');
  expect(sent()).toEqual(['POST invitations/org_100000000000000001/usr_100000000000000001']);
  expect(page.notices()).toContain('An e-mail to ada@acme.test is in the outbox.');
  const [{ link }] = (await own.control('GET', '/outbox')).body.emails;
  expect(page.textOf('main').replaceAll(link, 'LINK')).toBe(
    'Outbox 1 Clear Reminder: you are invited to join Acme Corporation From Connected Accounts To ada@acme.test ' +
      'Date Sun, 01 Mar 2026 12:00:00 GMT ( now ) Hello, Reminder: you are invited to join Acme Corporation . ' +
      'Accept the invitation Or open this address: LINK Copy link reminder Open invitations ' +
      'ada@acme.test Acme Corporation Resend invitation noprofile@acme.test Acme Corporation Resend invitation',
  );
  expect(page.find('Accept the invitation for ada@acme.test').attributes.href).toBe(link);
});

test('a connection is switched off and on, and its setup status changes', async () => {
  await page.go('#/own/connections/conn_100000000000000001');
  const change = (members: string) =>
    `PATCH state {"connections":[{"id":"conn_100000000000000001",${members}}]}`;
  await page.press('Disable');
  expect(sent()).toEqual([change('"enabled":false')]);
  await page.press('Enable');
  await page.choose('More: mail', 'DRAFT');
  expect(sent()).toEqual([change('"enabled":true'), change('"status":"DRAFT"')]);
});

test('a ready-made fault is for the chosen operation and one call, a used one can be added again, and each deleted', async () => {
  await page.go('#/own/faults');
  const of = (rule: string, operation = '*') => `POST faults {"operation":"${operation}","times":1,${rule}}`;
  for (const [label, rule] of Object.entries({
    500: '"status":500',
    503: '"status":503,"retry_after":1',
    429: '"status":429,"retry_after":2',
    401: '"status":401',
    'Cut connection': '"abort":true',
    'Broken JSON': String.raw`"body":"{\"connected_accounts\": ["`,
    'Slow, 2 s': '"delay_ms":2000',
    'Wait 10 s': '"delay_ms":10000',
  })) {
    await page.press(label);
    expect([sent(), page.notices()]).toEqual([
      [of(rule)],
      expect.stringMatching(`Fault added for the next call: ${label}\\.$`),
    ]);
  }
  expect([page.textOf('h1'), page.find('8 faults').attributes.href]).toEqual(['Faults 8', '#/own/faults']);
  await page.press('Delete all');
  expect([sent(), page.textOf('h1')]).toEqual([['DELETE faults'], 'Faults 0']);
  await page.write('Operation', 'listConnections', 'change');
  await page.press('503');
  expect(sent()).toEqual([of('"status":503,"retry_after":1', 'listConnections')]);
  expect(page.notices()).toMatch(/Fault added for the next listConnections call: 503\.$/);
  expect(page.textOf('main')).toMatch(
    /Add fault listConnections Times 1 Status 503 Retry after 1 Took effect on 0 of 0 calls\. Delete$/,
  );
  await own.api('GET', '/api/v1/connections');
  await own.api('GET', '/api/v1/connections');
  await page.settle();
  expect(page.textOf('main')).toMatch(
    /Add fault listConnections used up .* Took effect on 1 of 2 calls\. Add again Delete$/,
  );
  const fault = (await own.control('GET', '/faults')).body.faults[0].id;
  await page.press(`Add again ${fault}`);
  expect(sent()).toEqual([of('"status":503,"retry_after":1', 'listConnections')]);
  await page.press(`Delete ${fault}`);
  expect(sent()).toEqual([`DELETE faults?id=${fault}`]);
});

test('the clock is moved, stopped, started again and set to the present', async () => {
  const menu = (): string =>
    page.root.all.findLast(({ attributes }) => /^Clock: /.test(attributes['aria-label'] ?? ''))?.attributes[
      'aria-label'
    ] ?? '';
  const isNow = expect.stringMatching(/^PUT clock \{"mode":"\w+","now":"2026-03-02T12:15:0.*Z"\}$/);
  for (const [item, call, done, shown] of [
    [
      '+15 min',
      'POST clock/advance {"by":"15m"}',
      'Clock advanced by 15m.',
      'Clock: 2026-03-01 12:15:00 frozen',
    ],
    [
      '+1 day',
      'POST clock/advance {"by":"1d"}',
      'Clock advanced by 1d.',
      'Clock: 2026-03-02 12:15:00 frozen',
    ],
    ['Unfreeze', isNow, 'Clock running.', expect.stringMatching(/UTC$/)],
    ['Freeze', isNow, 'Clock frozen.', expect.stringMatching(/frozen$/)],
    [
      'Use real time',
      expect.stringMatching(/^PUT clock \{"mode":"running","now":"20/),
      'Clock set to real time.',
      expect.stringMatching(/UTC$/),
    ],
  ] as const) {
    await page.choose(menu(), item);
    expect([sent(), page.notices().endsWith(done), menu()]).toEqual([[call], true, shown]);
  }
});

test('the bar counts a fault until a call has used it up', async () => {
  await page.go('#/own/users');
  await own.control('DELETE', '/faults'); // of the tests above
  const isCounted = (): boolean => / 1 fault /.test(page.root.text);
  await own.control('POST', '/faults', { operation: 'listConnections', status: 503, times: 1 });
  await page.settle();
  const before = isCounted();
  await own.api('GET', '/api/v1/connections');
  await page.settle();
  expect([before, isCounted()]).toEqual([true, false]);
});

test('another environment opens in the same view, without the row and the search of this one', async () => {
  await page.go(`#/own/connected_accounts/${account(1)}?query=ada`);
  await page.choose('Environment: own', 'production');
  expect(page.location.hash).toBe('#/production/connected_accounts');
  await page.go('#/own/faults');
});

test('an environment is made, copied with its rows and clock, found and deleted', async () => {
  await page.choose('Environment: own', 'New environment');
  expect(sent()).toEqual(['POST environments {}']);
  const [, made = ''] = /Environment (development-\w{6}) created\./.exec(page.notices()) ?? [];
  expect(page.location.hash).toBe(`#/${made}/faults`);
  await server.control('DELETE', `/environments/${made}`); // its random name could match the searches below
  await own.control('PUT', '/clock', { mode: 'frozen', now: '2026-03-01T12:00:00Z' });
  await page.go('#/own/environments?query=OW');
  expect(page.textOf('main')).toMatch(
    /^Environments 1 of 3 Search .* Create environment own current scenario default · clock frozen · Open Duplicate Delete$/,
  );
  await page.press('Duplicate own');
  const [, copy = ''] = /Environment (own-\w{6}) created\. Open$/.exec(page.notices()) ?? [];
  expect((await server.control('GET', `/environments/${copy}/resources`)).body).toEqual(
    (await own.control('GET', '/resources')).body,
  );
  expect((await server.control('GET', `/environments/${copy}/clock`)).body.now).toBe(
    '2026-03-01T12:00:00.000Z',
  );
  await page.write('Search environments', 'production');
  await page.press('Duplicate production');
  const [, other = ''] = /Environment (production-\w{6}) created\. Open$/.exec(page.notices()) ?? [];
  expect((await server.control('GET', `/environments/${other}/clock`)).body.mode).toBe('running');
  await server.control('DELETE', `/environments/${other}`);
  await page.write('Search environments', copy);
  expect(page.location.hash).toBe(`#/own/environments?query=${copy}`);
  page.sent();
  expect(await page.declining(() => page.press(`Delete ${copy}`))).toEqual([]);
  page.asked.length = 0;
  await page.press(`Delete ${copy}`);
  expect([page.asked, page.sent()]).toEqual([
    [`Delete the environment ${copy} and everything in it?`],
    [`DELETE environments/${copy}`],
  ]);
  expect(page.textOf('main')).toMatch(/^Environments 0 of 3 .* Create environment No environments match\.$/);
});
