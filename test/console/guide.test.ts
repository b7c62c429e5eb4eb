/** The guide as a running mock serves it. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { excerpt, findSections, pattern, stemsOf } from '../../src/console/browser/guide-search.ts';
import { testServer } from '../support/server.ts';

const server = testServer();

const get = (path: string) => server.call('GET', path, { token: null });

const pages = readdirSync('src/guide')
  .filter((file) => file.endsWith('.md') && file !== 'index.md')
  .map((file) => file.replace('.md', ''));

test.each(['', ...pages, 'rules'])('the guide page %s has no inline script or style', async (page) => {
  const { status, headers, text } = await get(`/_mock/guide/${page}`);
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  const policy = headers['content-security-policy'] ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(text).toMatch(/<h1>.+<\/h1>/);
  expect(text).not.toMatch(/<script>|<style|style=/);
});

test('the mock serves every file that a guide page names', async () => {
  const { text } = await get('/_mock/guide/');
  const files = [...text.matchAll(/(?:src|href)="(?:\.\.\/)(assets\/[^"]+)"/g)].map(([, file]) => file);
  expect(files.length).toBeGreaterThan(2);
  for (const file of [...files, 'guide/search.json'])
    expect([file, (await get(`/_mock/${file}`)).status]).toEqual([file, 200]);
});

test('every rule has an anchor in lower case', async () => {
  const rules = [...readFileSync('src/RULES.md', 'utf8').matchAll(/<a id="([A-Z]\d+)">/g)].map(
    ([, rule = '']) => rule,
  );
  const { text } = await get('/_mock/guide/rules');
  expect(rules.length).toBeGreaterThan(50);
  expect(rules.filter((rule) => !text.includes(` id="${rule.toLowerCase()}"`))).toEqual([]);
});

test('the search covers each page, and its results link to existing sections', async () => {
  const { text } = await get('/_mock/guide/search.json');
  const sections: readonly { page: string; href: string }[] = JSON.parse(text);
  expect(new Set(sections.map(({ href }) => href.split('#')[0])).size).toBe(pages.length + 2);
  for (const { href } of sections) {
    const [page, id] = href.split('#');
    const { status, text: html } = await get(`/_mock/guide/${page}`);
    expect([href, status]).toEqual([href, 200]);
    if (id !== undefined) expect(html).toContain(`id="${id}"`);
  }
});

test('the address without its last slash redirects to the guide', async () => {
  const { status, headers } = await get('/_mock/guide');
  expect([status, headers.location]).toEqual([302, '/_mock/guide/']);
});

test("a page's file name redirects to the page, and an unknown page shows a list of all pages", async () => {
  for (const [file, page] of Object.entries({ 'testing.md': 'testing', 'RULES.md': 'rules', 'index.md': '' }))
    expect((await get(`/_mock/guide/${file}`)).headers.location).toBe(`/_mock/guide/${page}`);
  const { status, headers, text } = await get('/_mock/guide/no-such-page');
  expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(text).toContain('href="testing"');
});

test.each([
  ['change a status', 'control-plane#be-the-user-or-the-provider-change-a-status'],
  ['parallel', 'parallel'],
  ['workers', 'processes#when-one-process-per-worker-is-better'],
  ['webhook', 'troubleshooting#no-webhooks-and-pagination'],
  ['paginating', 'troubleshooting#no-webhooks-and-pagination'],
  ['Windows', 'troubleshooting#command-not-found'],
  ['command not found', 'troubleshooting#command-not-found'],
  ['CA_MOCK_COVERAGE', 'flags'],
])('a search for "%s" finds %s first', async (words, href) => {
  const sections = JSON.parse((await get('/_mock/guide/search.json')).text);
  const stems = stemsOf(words);
  const [first] = findSections(sections, stems);
  expect(first?.href).toBe(href);
  expect(excerpt(first?.text ?? '', stems)).toMatch(pattern(stems));
});
