/** What the page says is what the API says: a walk over every view after calls by chance, and what the page then does. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openPage } from '../support/page.ts';
import { listeningServer } from '../support/server.ts';

const server = await listeningServer();
const own = await server.isolated({ name: 'own', clock: '2026-03-01T12:00:00Z' });
const page = await openPage(`${server.mock.url}/_mock/#/own/calls`);
const sent = (): readonly string[] =>
  page
    .sent()
    .map((call) => call.replace('environments/own/', ''))
    .filter((call) => !call.includes('undo-points'));

interface Call {
  readonly status: number;
  readonly operation?: string;
  readonly request: { readonly method: string; readonly url: string };
  readonly warnings: readonly string[];
  readonly fault?: string;
}

const EMAILS = ['ada@acme.test', 'grace@acme.test', 'nobody@acme.test'];

const ANY_CALL = fc.oneof(
  fc.record({
    method: fc.constant('GET'),
    path: fc.constantFrom('connections', 'connected_accounts?page_sise=5', 'nope'),
  }),
  fc.record({
    method: fc.constant('POST'),
    path: fc.constant('connected_accounts'),
    body: fc.record({
      connector: fc.constantFrom('mail', 'crm', 'none'),
      identifier: fc.constantFrom(...EMAILS),
    }),
  }),
  fc.record({
    method: fc.constant('PATCH'),
    path: fc.constant('invites/organizations/org_100000000000000001/users/usr_100000000000000002/resend'),
  }),
);

test('the list of calls, the chips and the numbers of rows agree with the API, whatever was called', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(ANY_CALL, { minLength: 1, maxLength: 6 }), async (calls) => {
      for (const { method, path, ...more } of calls)
        await own.api(method, `/api/v1/${path}`, 'body' in more ? more.body : undefined);
      await page.go('#/own/calls');
      const { requests } = (await own.control('GET', '/requests')).body as { requests: Call[] };
      const list = page.find('Calls, newest first').childNodes.map(({ text }) => text);
      const told = requests
        .toReversed()
        .slice(0, 60)
        .map(
          ({ operation, request, status }) => ` ${status} ${operation ?? `${request.method} ${request.url}`}`,
        );
      expect(list.map((text, place) => text.includes(told[place] ?? '?'))).toEqual(told.map(() => true));
      const count = (fits: (one: Call) => boolean) => requests.filter(fits).length;
      for (const chip of [
        `All ${requests.length}`,
        `Refused ${count(({ status }) => status >= 400)}`,
        `Ignored parts ${count(({ warnings }) => warnings.length > 0)}`,
        `By a fault ${count(({ fault }) => fault !== undefined)}`,
      ])
        expect(page.textOf('main')).toContain(chip);
      const { kinds } = (await own.control('GET', '/kinds')).body;
      for (const { kind, label, group } of kinds) {
        if (!group) continue;
        await page.go(`#/own/data/${kind}`);
        const { total, rows } = (await own.control('GET', `/rows/${kind}`)).body;
        expect(page.textOf('h1')).toBe(`${label} ${total}`);
        const table = page.root.all.find(({ localName }) => localName === 'tbody')?.text ?? '';
        expect(rows.filter(({ title }: { title: string }) => !table.includes(title))).toEqual([]);
      }
    }),
    { numRuns: 5 },
  );
});

test('every place says what it has, and an unknown one leads to the places', async () => {
  await own.control('POST', '/snapshots', { name: 'kept' });
  for (const [place, told] of Object.entries({
    setup:
      /^Setup Connect .* Scenario In use: default Reset .* kept the clock showed 2026-03-01 12:00:00 .* Environments 3 /,
    reference: /never called .* Coverage \d+% /,
    'reference/listConnections': /List connections .* Send Copy as curl .* Replies /,
    'reference?of=control': /Control plane .* resetEnvironment /,
    nothing: /^There is no view “nothing”/,
    'data/nothing': /There is no kind “nothing”/,
  })) {
    await page.go(`#/own/${place}`);
    expect(page.textOf('main')).toMatch(told);
  }
  await page.go('#/own/reference/addFault?of=control');
  expect(page.find('All operations').attributes.href).toBe('#/own/reference?of=control');
});

test('a ready-made fault is for the chosen operation and one call; it stands in the row that it hit, and can be armed again', async () => {
  await page.go('#/own/calls');
  await page.write('Operation of the next call', 'listConnections', 'change');
  await page.press('503');
  const rule = '{"operation":"listConnections","times":1,"status":503,"retry_after":1}';
  expect(sent()).toEqual([`POST faults ${rule}`]);
  expect(page.textOf('main')).toContain('armed: listConnections 503 · once');
  await own.api('GET', '/api/v1/connections');
  await page.settle();
  expect(page.textOf('main')).not.toContain('armed:');
  expect(page.find('Calls, newest first').firstChild?.text).toMatch(
    / 503 listConnections .* by your fault : 503 · once · arm again$/,
  );
  await page.press('arm again');
  expect(sent()).toEqual([expect.stringMatching(/^POST faults .*"status":503/)]);
  await page.press('Remove the fault listConnections 503 · once');
  expect(page.notices()).toMatch(/Remove the fault listConnections 503 · once: done\. Undo$/);
});

test('arrow keys walk from call to call, and the panel follows', async () => {
  const { requests } = (await own.control('GET', '/requests')).body;
  const last = requests.length;
  await page.go(`#/own/calls/${last}`);
  await page.fire('Calls, newest first', 'keydown', { key: 'ArrowDown', target: { closest: () => null } });
  expect(page.location.hash).toBe(`#/own/calls/${last - 1}`);
  await page.press('Newer call');
  expect([page.location.hash, page.textOf('aside')]).toEqual([
    `#/own/calls/${last}`,
    expect.stringMatching(/^503 list ?Connections by your fault : 503 · once/),
  ]);
  for (let made = last; made < 10; made += 1) await own.api('GET', '/api/v1/connections');
  await page.settle();
  sent();
  for (const sequence of [10, 9]) await page.fire(`Mark call ${sequence}`, 'change');
  expect(sent().at(-1)).toBe('POST tests {"sequences":[9,10]}');
  await page.press('Compare');
  expect(page.textOf('aside')).toMatch(/^Calls 9 and 10 ./);
  await page.press('Unmark');
  expect(page.textOf('aside')).toBe('Mark two calls');
});

test('a call that a fault delays and the API refuses says both', async () => {
  await page.go('#/own/calls');
  await own.control('POST', '/faults', { operation: 'listConnections', delay_ms: 1, times: 1 });
  await own.api('GET', '/api/v1/connections?include=none');
  await page.settle();
  expect(page.find('Calls, newest first').firstChild?.text).toMatch(/ by your fault .* include is "none", /);
});

test('a call that was refused for its token is sent again without a valid token', async () => {
  await own.api('GET', '/api/v1/connections', undefined, {
    authorization: 'Bearer wrong',
    'x-mock-environment': 'own',
  });
  const { requests } = (await own.control('GET', '/requests')).body;
  await page.go(`#/own/calls/${requests.length}`);
  await page.submit('Request');
  expect(page.textOf('form')).toMatch(/401 \d+ ms/);
  const text =
    'post /api/v1/connected_accounts\nX-Mock-Environment: own\nContent-Type:application/json\n\n{\n\n"a": 1 }';
  await page.write('Method and address, headers, an empty line, body', text);
  sent();
  await page.submit('Request');
  expect(sent()).toEqual([`POST ${server.mock.url}/api/v1/connected_accounts {\n\n"a": 1 }`]);
});

test('Clear does not mention dropped calls, and Undo brings them back', async () => {
  await page.go('#/own/calls');
  const { requests } = (await own.control('GET', '/requests')).body;
  await page.press('Clear');
  expect(page.textOf('main')).toMatch(/No calls yet: connect your application/);
  expect(page.textOf('main')).not.toMatch(/no longer kept/);
  await page.press('Undo');
  expect(page.textOf('main')).toContain(`All ${requests.length}`);
});

test('the clock goes where something ends, and back to the environment’s own time', async () => {
  sent();
  await page.press('Clock: 1 Mar 12:00 frozen');
  await page.press('Go there , where invitation of grace@acme.test ends');
  expect(page.notices()).toMatch(/The clock shows 2026-03-13 12:00:00\. Ended so far: [1-9]\d*\. Undo$/);
  expect(page.textOf('ol')).toMatch(/ \+1 h \+1 day \+15 days Unfreeze Back to now /); // no button has moved
  await page.press('Back to now');
  expect(sent().map((call) => JSON.parse(call.replace('PUT clock ', '')).now)).toEqual([
    '2026-03-13T12:00:00.000Z',
    '2026-03-01T12:00:00.000Z',
  ]);
  await own.control('PUT', '/clock', { mode: 'frozen', now: '2026-02-01T12:00:00Z' });
  await page.settle();
  await page.press('Back to now');
  expect(sent()).toEqual([expect.stringContaining('"now":"2026-03-01T12:00:00.000Z"')]);
});

test('Ctrl+K finds labels by words: actions on rows, faults, places; empty it shows the last and likely ones', async () => {
  const options = () =>
    page
      .find('Search or act')
      .parentNode?.all.flatMap(({ localName, text }) => (localName === 'button' ? text : [])) ?? [];
  const search = async (text: string) => {
    await page.fire('Search or act', 'toggle', { newState: 'open' }); // as Ctrl+K does
    await page.write('Search or act', text);
    return options();
  };
  for (const [text, first] of Object.entries({
    'fail listconnections 429': 'Fail next listConnections 429',
    'expire ada · mail': 'Expire ada@acme.test · mail',
    'accept grace': 'Accept grace@acme.test · acme',
    'new user': 'New user',
    reset: 'Reset',
    unfreeze: 'Unfreeze',
    production: 'production Environment',
    roles: 'Roles Data',
    globex: 'margaret@globex.test Users',
    createmagic: 'createMagicLink Operation',
  })) {
    expect([text, (await search(text))[0]]).toEqual([text, expect.stringContaining(first)]);
    await page.fire('Search or act', 'toggle', { newState: 'closed' });
  }
  expect(await search('metadata')).not.toContainEqual(expect.stringContaining('Users'));
  await search('expire ada mail');
  await page.submit('Search or act');
  expect(sent()).toEqual(['POST rows/connected_accounts/ca_100000000000000001/expire']);
  expect((await search(''))[0]).toMatch(/^Undo Expire ada@acme.test/);
  await page.submit('Search or act');
  expect(page.notices()).toMatch(/Undone: Expire ada@acme.test · mail\./);
});

test('a form marks what is missing at its field and sends its YAML as it is, and a changed setting is sent with its type', async () => {
  await page.go('#/own/data/users/new');
  await page.submit('Create user');
  expect(page.find('email').attributes['aria-invalid']).toBe('true');
  expect(page.textOf('aside')).toContain('email is missing.');
  await page.write('email', 'form@acme.test');
  await page.write('All else as YAML', '  metadata:\n    team: core\n  external_id: x-1');
  await page.submit('Create user');
  expect(page.textOf('aside')).toMatch(/^form@acme.test Edit Delete .* External ID x-1 /);
  await page.go('#/own/setup');
  sent();
  await page.write('strict', 'true', 'change');
  await page.write('invite_ttl', '', 'change');
  expect(sent()).toEqual(['PATCH settings {"strict":true}', 'PATCH settings {"invite_ttl":null}']);
});

test('the panel follows a row whose key is edited', async () => {
  await own.control('PATCH', '/state', { stubs: [{ method: 'GET', path: '/api/v1/extra', body: 'x' }] });
  await page.go('#/own/data/stubs/GET%20%2Fapi%2Fv1%2Fextra');
  await page.press('Edit');
  await page.write('method', 'GET');
  await page.write('path', '/api/v1/other');
  await page.submit('Save');
  expect(page.textOf('aside')).toMatch(/^\/api\/v1\/other Edit Delete /);
});

test('an environment is made of a scenario, and deleted after a question', async () => {
  await page.go('#/own/setup');
  await page.write('New environment: name', 'my env');
  await page.submit('New environment: name');
  expect(page.notices()).toMatch(/^name is "my env", but /);
  await page.press('New environment empty');
  expect(page.notices()).toBe(''); // what was wrong before is no longer told
  const made = page.location.hash.split('/')[1] ?? '';
  expect((await server.control('GET', `/environments/${made}`)).body.scenario).toBe('empty');
  await page.go('#/own/setup');
  await page.press(`Delete ${made}`);
  expect(page.asked).toEqual([`Delete the environment ${made} and everything in it? This cannot be undone.`]);
  expect((await server.control('GET', `/environments/${made}`)).status).toBe(404);
});

test('a snapshot is taken without a step to undo, since it changes nothing', async () => {
  await page.go('#/own/setup');
  const { points } = await own.get('/undo-points');
  await page.submit('Take snapshot: name');
  expect(page.notices()).toMatch(/^Take a snapshot: done\./);
  expect((await own.get('/undo-points')).points).toEqual(points);
});
