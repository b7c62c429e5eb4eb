import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { createMock } from '#mock';
import { COMMAND_NAMES, COMMANDS } from '../../src/cli/commands.ts';
import { lookUpReference } from '../../src/engine/contract/document.ts';
import type { ContractOperation } from '../../src/engine/contract/load.ts';
import { loadControlContract } from '../../src/engine/control/control-document.ts';
import { isJsonObject, valueAt } from '../../src/engine/core/object.ts';
import type { Section } from '../../src/engine/scenario/section.ts';
import { flagName, type Option, variableName } from '../../src/library/option.ts';
import { START_OPTIONS, unknownVariables } from '../../src/library/options.ts';
import { loadContract } from '../../src/service/document.ts';
import { REFERENCES, sections } from '../../src/service/sections.ts';
import { settings } from '../../src/service/settings.ts';
import { loadScenario } from '../engine/scenario/files.ts';
import { readBlocks, readPages } from '../support/pages.ts';

const scenarioSchema = JSON.parse(readFileSync('fixtures/scenario.schema.json', 'utf8'));
const readme = readFileSync('README.md', 'utf8');
const guide = (name: string): string => readFileSync(`src/guide/${name}.md`, 'utf8');

/** The text between `<!-- name -->` and `<!-- /name -->`. */
const readMarked = (markdown: string, name: string): string | undefined =>
  new RegExp(`<!-- ${name} -->\n(.*?)<!-- /${name} -->`, 's').exec(markdown)?.[1];

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');

const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

const flagTable = (): string =>
  table(
    ['flag', 'variable', 'default', ''],
    Object.entries(START_OPTIONS).map(([name, option]: [string, Option<unknown>]) => [
      [flagName(name), option.short && `-${option.short}`, option.placeholder]
        .flatMap((part) => (part === undefined ? [] : code(part)))
        .join(' '),
      code(variableName(name)),
      option.fallback,
      option.words,
    ]),
  );

const operationTable = (): string =>
  table(
    ['operation', 'what the mock does', 'what the description leaves open', 'rules'],
    loadContract().operations.map((operation) => {
      const words = (operation.definition.description ?? '').trim().replaceAll(/\s+/g, ' ');
      const rules = [...words.matchAll(RULES)].flatMap(([, names = '']) => names.split(', '));
      return [
        `${code(operation.operationId)} ${code(`${operation.method.toUpperCase()} ${operation.path}`)}`,
        words.replaceAll(RULES, ''),
        whatIsInferred(operation),
        [...new Set(rules)].join(' '),
      ];
    }),
  );

/** The rules that a description cites: ` (A5, A6)`. */
const RULES = / \(([A-Z]\d+(?:, [A-Z]\d+)*)\)/g;

/** Statuses that are inferred in every operation. The guide says so once, so the table leaves them out. */
const INFERRED_EVERYWHERE = ['413', 'default'];

const whatIsInferred = ({ definition, parameters }: ContractOperation): string => {
  if ('x-inferred' in definition) return 'all of it';
  const names = parameters.filter(isInferred).map(({ name }) => code(name));
  const statuses = Object.entries(definition.responses ?? {})
    .filter(([status, response]) => !INFERRED_EVERYWHERE.includes(status) && isInferred(response))
    .map(([status]) => status);
  return [
    ...(names.length > 0 ? [`names ${names.join(' ')}`] : []),
    ...(statuses.length > 0 ? [`answers ${statuses.join(' ')}`] : []),
  ].join('; ');
};

/** Whether the contract marks a part, or the part that it refers to, as inferred. */
const isInferred = (part: unknown): boolean => {
  if (!isJsonObject(part)) return false;
  if ('x-inferred' in part) return true;
  const { $ref: reference } = part;
  return typeof reference === 'string' && isInferred(lookUpReference(loadContract().document, reference));
};

const settingTable = (): string => {
  const { Settings } = loadControlContract().document.components.schemas;
  const words = (name: string) => String(valueAt(Settings, 'properties', name, 'description'));
  return table(
    ['setting', 'default', ''],
    Object.entries(settings.write(settings.defaults)).map(([name, value]) => [
      code(name),
      code(String(value)),
      words(name),
    ]),
  );
};

test.each([
  ['flags lists the flags of the command line', 'flags', 'flags', flagTable],
  ['operations says what the contract says and marks', 'operations', 'operations', operationTable],
  ['settings agrees with the code', 'flags', 'settings', settingTable],
] as const)('the table of %s', (_what, page, mark, expected) => {
  expect(readMarked(guide(page), mark)).toBe(expected());
});

test.each([
  ['README.md', readme],
  ['src/guide/scenarios.md', guide('scenarios')],
])('the first scenario in %s can be loaded', (_file, text) => {
  const [example] = readBlocks(text).filter(({ language }) => language === 'yaml');
  const folder = { fixturesDir: 'fixtures', workingDirectory: '.' };
  const { environments } = loadScenario(parse(example?.text ?? ''), folder);
  const [development] = environments;
  expect(development?.state.connected_accounts.rows.size).toBe(51);
  expect(development?.settings.hosted).toBe('approve');
});

test('the README is short, and names the two commands for contributors', () => {
  expect(readme.split('\n').length - 1).toBeLessThanOrEqual(170);
  expect(readme).toContain('npm ci && npm start');
  expect(readme).toContain('npm ci && npm test');
});

test('the front matter of the skill has its name and a description', () => {
  const skill = readFileSync('skills/ca-mock/SKILL.md', 'utf8');
  expect(skill).toMatch(/^---\nname: ca-mock\ndescription: .{50,1000}\n---\n/);
});

test('every script and command that the pages name exists', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  for (const { file } of PAGES) {
    const text = readFileSync(file, 'utf8');
    const namesAfter = (words: RegExp) => Array.from(text.matchAll(words), ([, name = '']) => name);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(namesAfter(/`npm run ([\w:]+)/g)));
    expect(COMMAND_NAMES).toEqual(expect.arrayContaining(namesAfter(/`ca-mock ([a-z]+)/g)));
  }
});

/** Flags of other programs. */
const OF_OTHERS = ['--dynamic', '--errors', '--include-imports', '--test'];

test('every flag and variable that the guide names exists', () => {
  const own = [...COMMANDS.values()].flatMap(({ options }) => Object.keys(options).map(flagName));
  const known = [...own, ...OF_OTHERS, '--help', '--version'];
  for (const { file } of readPages()) {
    const text = readFileSync(file, 'utf8');
    const flags = [...text.matchAll(/(?:`|ca-mock.* )(--[a-z][a-z-]+)/g)].map(([, flag = '']) => flag);
    expect([file, flags.filter((flag) => !known.includes(flag))]).toEqual([file, []]);
    const variables = text.match(/CA_MOCK_(?!SCENARO)[A-Z_]+[A-Z]/g) ?? []; // SCENARO shows a misspelt one
    const unknown = unknownVariables(Object.fromEntries(variables.map((name) => [name, '1'])));
    expect([file, unknown]).toEqual([file, []]);
  }
});

test('the library page has an example of every method of an environment', async () => {
  const examples = readBlocks(guide('library'))
    .filter(({ language }) => language === 'js')
    .map(({ text }) => text)
    .join('');
  await using mock = createMock({ log: 'silent' });
  const env = await mock.environment();
  const { faults, accounts, links, memberships } = env;
  const names = Object.entries({ faults, accounts, links, memberships }).flatMap(([name, group]) =>
    Object.keys(group).map((own) => `${name}.${own}`),
  );
  for (const [name, value] of Object.entries(env))
    if (typeof value === 'function' && name !== 'ask') names.push(name);
  names.push('waitForRequest', 'waitForEmail', 'waitForStatus', 'save', 'delete');
  expect(names.filter((name) => !examples.includes(`.${name}(`))).toEqual([]);
});

test('the pipelines run the command that the page explains', () => {
  const blocks = readBlocks(guide('ci'));
  const [command] = blocks.filter(({ language }) => language === 'sh');
  const steps = blocks.filter(({ options }) => /^\.git(hub|lab)/.test(options.name ?? ''));
  expect(steps).toHaveLength(2);
  for (const step of steps) expect(step.text).toContain(command?.text.trim());
});

interface RowSchema {
  readonly properties: Readonly<Record<string, { readonly items?: RowSchema }>>;
}

/** The members of a list's rows that name other rows, in the order of the schema. */
const referring = ({ references, anyName = [] }: Section, { properties }: RowSchema): readonly string[] => {
  const names = [...Object.keys({ ...REFERENCES, ...references }), ...anyName];
  return Object.keys(properties).filter((name) => names.includes(name));
};

/** List, names and references of each kind of row, as the schema and the sections have them. */
const listColumns = (): readonly (readonly string[])[] =>
  Object.entries<{ type?: string }>(scenarioSchema.$defs.Environment.properties)
    .filter(([, { type }]) => type === 'array')
    .map(([name]) => {
      const section = sections.find((each) => each.name === name);
      if (!section) return [code(name), '', ''];
      const schema: RowSchema = scenarioSchema.$defs[name];
      const { part, idMember = 'id', keys = [] } = section;
      const own = [idMember, ...keys].filter((member) => member in schema.properties).map(code);
      if (name === 'connected_accounts') own.push(['connector', 'identifier'].map(code).join(' + '));
      const { items } = schema.properties[part?.section.name ?? ''] ?? {};
      const inner = part && items ? referring(part.section, items) : [];
      return [
        code(name),
        own.join(', '),
        [...referring(section, schema), ...inner.map((member) => `${part?.section.name}.${member}`)]
          .map(code)
          .join(', '),
      ];
    });

test('the page on rows of a scenario has every list, with its names and references', async () => {
  const rows = (readMarked(guide('scenario-rows'), 'lists') ?? '').trim().split('\n').slice(2);
  const cells = rows.map((row) => row.slice(2, -2).split(' | '));
  expect(cells.map((columns) => columns.slice(0, 3))).toEqual(listColumns());
  const lists = cells.map(
    ([name = '', , , row = '']) => [name.slice(1, -1), parse(row.slice(1, -1))] as const,
  );
  const development = Object.fromEntries(lists.map(([name, row]) => [name, [row]]));
  await using mock = createMock({
    scenario: { extends: 'empty', environments: { development } },
    log: 'silent',
  });
  const state: Record<string, unknown> = { ...(await (await mock.environment('development')).state()) };
  for (const [name] of lists)
    expect([name, state[name]]).toEqual([name, expect.arrayContaining([expect.anything()])]);
  expect(lists.length).toBeGreaterThan(10);
});

test.each([
  ['front-end', 'vite.config.js', 'test/examples/vite/vite.config.js'],
  ['ci', 'Dockerfile', '.github/Dockerfile'],
])('the page %s shows %s as it is in %s', (page, name, file) => {
  const [shown] = readBlocks(guide(page)).filter(({ options }) => options.name === name);
  expect(shown?.text).toBe(readFileSync(file, 'utf8'));
});

test('the guide stays short: 15 pages, 14,000 words, and 900 on each of the first three', () => {
  const pages = readPages().filter(({ file }) => file.startsWith('src/guide/'));
  const words = Object.fromEntries(
    pages.map(({ file }) => [file.slice('src/guide/'.length, -'.md'.length), wordsOf(file)]),
  );
  expect(pages.length).toBeLessThanOrEqual(15);
  expect(Object.values(words).reduce((sum, count) => sum + count)).toBeLessThanOrEqual(14_000);
  for (const page of ['front-end', 'testing', 'scenarios']) expect(words[page]).toBeLessThanOrEqual(900);
});

test('no sentence of README and guide stands on two pages', () => {
  const told = new Map<string, string>();
  const twice: string[] = [];
  for (const { file } of readPages().filter((page) => !page.file.startsWith('skills/')))
    for (const sentence of sentencesOf(file)) {
      const other = told.get(sentence);
      if (other !== undefined && other !== file) twice.push(`${other}, ${file}: ${sentence}`);
      told.set(sentence, file);
    }
  expect(twice).toEqual([]);
});

const wordsOf = (file: string): number => readFileSync(file, 'utf8').trim().split(/\s+/).length;

/** The sentences of a page that have eight words or more, without code. */
const sentencesOf = (file: string): readonly string[] =>
  readFileSync(file, 'utf8')
    .replaceAll(/^```.*?^```$/gms, '')
    .replaceAll(/\s+/g, ' ')
    .split(/(?<=[.:;|]) /)
    .filter((sentence) => sentence.split(' ').length >= 8);

const PAGES = [
  ...readPages().map(({ file }) => ({ file })),
  { file: 'CONTRIBUTING.md' },
  { file: 'AGENTS.md' },
  { file: 'SECURITY.md' },
];

/** The files that a page links to, as it names them. */
const linksIn = (file: string): readonly string[] =>
  Array.from(
    readFileSync(file, 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g),
    ([, path = '']) => path,
  );

test.each(PAGES)('every file that $file links to exists', ({ file }) => {
  const paths = linksIn(file).map((path) => join(dirname(file), path));
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

test('the package has every file that the README links to', () => {
  const { files } = JSON.parse(readFileSync('package.json', 'utf8'));
  const shipped = [...files, 'README.md', 'LICENSE'];
  expect(linksIn('README.md').filter((path) => !shipped.some((one: string) => path.startsWith(one)))).toEqual(
    [],
  );
});

test('every page shows the programs of the example projects unchanged', () => {
  const shown = readPages()
    .filter(({ file }) => file.startsWith('src/guide/'))
    .flatMap(({ blocks }) => blocks.filter(({ options }) => options.name !== undefined))
    .filter(({ options }) => existsSync(join('test/examples', options.name ?? '')));
  for (const { options, text } of shown)
    expect(readFileSync(join('test/examples', options.name ?? ''), 'utf8')).toContain(text);
  expect(new Set(shown.map(({ options }) => options.name)).size).toBeGreaterThan(10);
});

test('every program on the page about tests is part of an example project', () => {
  const named = readBlocks(guide('testing')).flatMap(({ options }) => options.name ?? []);
  expect(named.filter((name) => !existsSync(join('test/examples', name)))).toEqual(['failure']);
});
