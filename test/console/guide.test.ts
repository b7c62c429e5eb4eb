/** The guide as a running mock serves it. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { excerpt, type GuideSection, indexGuide } from '../../src/console/browser/guide-index.ts';
import { testServer } from '../support/server.ts';

const server = testServer();

const get = (path: string) => server.call('GET', `/_mock/guide${path}`, { token: null });

const readSections = async (): Promise<readonly GuideSection[]> =>
  JSON.parse((await get('/search.json')).text);

test('every rule has an anchor in lower case', async () => {
  const rules = [...readFileSync('src/RULES.md', 'utf8').matchAll(/<a id="([A-Z]\d+)">/g)].map(
    ([, rule = '']) => rule,
  );
  const { text } = await get('/rules');
  expect(rules.length).toBeGreaterThan(50);
  expect(rules.filter((rule) => !text.includes(` id="${rule.toLowerCase()}"`))).toEqual([]);
});

test('the search covers every page, and its results link to sections that exist', async () => {
  const { text: home } = await get('/');
  const found = new Set<string | undefined>();
  for (const { href } of await readSections()) {
    const [page, id] = href.split('#');
    found.add(page);
    const { status, text } = await get(`/${page}`);
    expect([href, status]).toEqual([href, 200]);
    if (id !== undefined) expect(text).toContain(`id="${id}"`);
  }
  const [, navigation = ''] = /<nav class="side"(.*?)<\/nav>/s.exec(home) ?? [];
  expect(found.size).toBe(navigation.match(/href=/g)?.length);
});

test('llms.txt lists every page as plain Markdown, whose links lead to such pages', async () => {
  const { text: home } = await get('/llms.txt');
  const pages = [...home.matchAll(/\]\(([\w-]+\.txt)\)/g)].map(([, page = '']) => page);
  expect(pages.length).toBeGreaterThanOrEqual(15);
  for (const page of pages) {
    const { headers, text } = await get(`/${page}`);
    expect([page, headers['content-type']]).toEqual([page, 'text/plain; charset=utf-8']);
    const linked = [...text.matchAll(/\]\(([\w-]+\.(?:md|txt))/g)].map(([, other]) => other);
    expect(linked.filter((other) => other !== undefined && ![...pages, 'llms.txt'].includes(other))).toEqual(
      [],
    );
  }
});

test("a page's file name redirects to the page, and an unknown page shows a list of all pages", async () => {
  for (const [file, page] of Object.entries({ 'testing.md': 'testing', 'RULES.md': 'rules', 'index.md': '' }))
    expect((await get(`/${file}`)).headers.location).toBe(`/_mock/guide/${page}`);
  const { status, headers, text } = await get('/no-such-page');
  expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(text).toContain('href="testing"');
});

test.each([
  ['change a status', 'control-plane#be-the-user-or-the-provider-change-a-status'],
  ['workers', 'ci#workers-one-process-for-each-or-one-shared-mock'],
  ['paginating', 'troubleshooting#no-list-of-users-no-webhooks'],
  ['command not found', 'troubleshooting#command-not-found'],
  ['CA_MOCK_COVERAGE', 'testing#choose-mock-and-environment'],
  ['simulate timeout', 'stubs#let-calls-fail'],
  ['slow response', 'stubs#let-calls-fail'],
  ['network error', 'stubs#let-calls-fail'],
  ['bug report', 'scenarios#a-bug-report-as-seed-data'],
  ['seed data', 'scenarios#a-bug-report-as-seed-data'],
  ['install', 'troubleshooting#command-not-found'],
  ['debug', 'testing#debug-a-failed-test'],
  ['browser mode', 'testing#vitest'],
  ['server components', 'control-plane#serve-many-tests-from-one-back-end'],
  ['storybook', 'testing#junit-go-nodetest-and-other-runners'],
  ['junit', 'testing#junit-go-nodetest-and-other-runners'],
  ['mocha', 'testing#junit-go-nodetest-and-other-runners'],
  ['unittest', 'testing#junit-go-nodetest-and-other-runners'],
  ['bun', 'testing#junit-go-nodetest-and-other-runners'],
  ['flaky', 'testing#ten-usual-mistakes'],
  ['staging', 'testing#the-same-tests-against-staging'],
  ['429', 'library#faults'],
  ['rate limit', 'flags#rate-limit'],
  ['expire token', 'control-plane#travel-in-time'],
  ['time travel', 'control-plane#travel-in-time'],
  ['parallel tests', 'control-plane#serve-many-tests-from-one-back-end'],
  ['jest', 'testing#jest'],
  ['vitest', 'testing#vitest'],
  ['playwright', 'testing#playwright'],
  ['stub', 'stubs#stubs'],
  ['retry-after', 'flags#rate-limit'],
  ['--strict', 'flags#strict-mode'],
  ['pact', 'pact'],
  ['cors', 'troubleshooting#cors-and-proxies'],
  ['coverage', 'control-plane#coverage'],
  ['reset', 'control-plane#reset-and-start-over'],
  ['next.js', 'control-plane#serve-many-tests-from-one-back-end'],
  ['ca-mock: command not found', 'troubleshooting#command-not-found'],
  ['How Do I Debug', 'testing#debug-a-failed-test'],
  ['junit nonsenseword', 'testing#junit-go-nodetest-and-other-runners'],
  ['popup', 'front-end#connect-an-account-popup-redirect-what-comes-back'],
  ['redirect', 'front-end#connect-an-account-popup-redirect-what-comes-back'],
  ['what comes back', 'front-end#connect-an-account-popup-redirect-what-comes-back'],
  ['tunnel', 'front-end#connect-an-account-popup-redirect-what-comes-back'],
  ['sdk', 'front-end#keep-your-sdk'],
  ['test each', 'testing#test-each-row-testeach-testfor'],
  ['test.for', 'testing#test-each-row-testeach-testfor'],
  ['list users', 'troubleshooting#no-list-of-users-no-webhooks'],
  ['expired token', 'troubleshooting#something-expires-or-does-not'],
  ['retry', 'stubs#a-lost-reply-and-the-retry'],
  ['lost reply', 'stubs#a-lost-reply-and-the-retry'],
  ['trace', 'control-plane#serve-many-tests-from-one-back-end'],
  ['opentelemetry', 'control-plane#serve-many-tests-from-one-back-end'],
  ['shard', 'ci#shards-and-coverage-of-several-jobs'],
  ['mcp', 'stubs#agents-tools-mcp-a-model'],
  ['webhook', 'control-plane#follow-what-changes-and-webhooks'],
  ['sign-in log', 'control-plane#be-the-user-or-the-provider-change-a-status'],
  ['docker', 'ci#dockerfile'],
  ['prism', 'troubleshooting#prism'],
])('a search for "%s" finds %s first', async (words, href) => {
  const [first] = indexGuide(await readSections())(words);
  expect(first?.href).toBe(href);
});

test('the line below a result starts near the match, and a word with a hyphen is marked as a whole', async () => {
  const found = indexGuide(await readSections())('retry-after');
  const limit = found.find(({ href }) => href === 'flags#rate-limit');
  if (!limit) throw new Error('The search does not find the rate limit.');
  expect(excerpt(limit).split(limit.matched)[1]).toBe('Retry-After');
  const around = (text: string) => excerpt({ page: 'a', heading: 'b', href: 'c', text, matched: /found/ });
  expect(around('Here it is found at once.')).toBe('Here it is found at');
  expect(around(`${'word '.repeat(20)}found ${'rest '.repeat(40)}`)).toMatch(
    /^(word ){5}found (rest )+rest$/,
  );
});
