/** The guide as a running mock serves it. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { type GuideSection, indexGuide } from '../../src/console/browser/guide-index.ts';
import { testServer } from '../support/server.ts';

const server = testServer();

const get = (path: string) => server.call('GET', `/_mock/guide${path}`, { token: null });

const sections: readonly GuideSection[] = JSON.parse((await get('/search.json')).text);
const search = indexGuide(sections);

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
  for (const { href } of sections) {
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

test('an unknown page of the guide shows a list of all pages', async () => {
  const { status, headers, text } = await get('/no-such-page');
  expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(text).toContain('href="testing"');
});

/** What people type, separated by commas, by the section that they look for. */
const SEARCHES = {
  'control-plane#be-the-user-or-the-provider-change-a-status': 'change a status, sign-in log',
  'ci#workers-one-process-for-each-or-one-shared-mock': 'workers',
  'troubleshooting#no-list-of-users-no-webhooks': 'paginating, list users',
  'troubleshooting#command-not-found': 'command not found, install, ca-mock: command not found',
  'testing#choose-mock-and-environment': 'CA_MOCK_COVERAGE',
  'stubs#let-calls-fail': 'simulate timeout, slow response, network error',
  'scenarios#a-bug-report-as-seed-data': 'bug report, seed data',
  'testing#debug-a-failed-test': 'debug, How Do I Debug',
  'testing#vitest': 'browser mode, vitest',
  'control-plane#serve-many-tests-from-one-back-end':
    'server components, parallel tests, next.js, trace, opentelemetry',
  'testing#junit-go-nodetest-and-other-runners': 'storybook, junit, mocha, unittest, bun, junit nonsenseword',
  'testing#ten-usual-mistakes': 'flaky',
  'testing#the-same-tests-against-staging': 'staging',
  'library#faults': '429',
  'flags#rate-limit': 'rate limit, retry-after',
  'control-plane#travel-in-time': 'expire token, time travel',
  'testing#jest': 'jest',
  'testing#playwright': 'playwright',
  'stubs#stubs': 'stub',
  'flags#strict-mode': '--strict',
  pact: 'pact',
  'troubleshooting#cors-and-proxies': 'cors',
  'control-plane#coverage': 'coverage',
  'control-plane#reset-and-start-over': 'reset',
  'front-end#connect-an-account-popup-redirect-what-comes-back': 'popup, redirect, what comes back, tunnel',
  'front-end#keep-your-sdk': 'sdk',
  'testing#test-each-row-testeach-testfor': 'test each, test.for',
  'troubleshooting#something-expires-or-does-not': 'expired token',
  'stubs#a-lost-reply-and-the-retry': 'retry, lost reply',
  'ci#shards-and-coverage-of-several-jobs': 'shard',
  'stubs#agents-tools-mcp-a-model': 'mcp',
  'control-plane#follow-what-changes-and-webhooks': 'webhook',
  'ci#dockerfile': 'docker',
  'troubleshooting#prism': 'prism',
};

test.each(
  Object.entries(SEARCHES).flatMap(([href, all]) => all.split(', ').map((words) => [words, href])),
)('a search for "%s" finds %s first', (words = '', href) => {
  expect(search(words)[0]?.href).toBe(href);
});
