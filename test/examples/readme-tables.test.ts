import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { COMMANDS } from '../../src/cli/commands.ts';
import { loadScenario } from '../../src/scenario/scenario.ts';
import {
  flagTable,
  operationTable,
  readBlocks,
  readMarked,
  readReadme,
  settingTable,
} from '../support/readme.ts';

const readme = readReadme();

test('the table of flags is that of the command line', () => {
  expect(readMarked(readme, 'flags')).toBe(flagTable());
});

test('the table of operations says what the contract marks as inferred', () => {
  expect(readMarked(readme, 'operations')).toBe(operationTable());
});

test('the table of settings is that of the code', () => {
  expect(readMarked(readme, 'settings')).toBe(settingTable());
});

test('the scenario is one that loads', () => {
  const [example] = readBlocks(readme).filter(({ language }) => language === 'yaml');
  const folder = { fixturesDir: 'fixtures', workingDirectory: '.' };
  const { environments } = loadScenario(parse(example?.text ?? ''), folder);
  const [development] = environments;
  expect(development?.state.connected_accounts.rows.size).toBe(51);
  expect(development?.settings.hosted).toBe('approve');
});

test('the two commands are scripts of the package, and the commands it names exist', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(Object.keys(scripts)).toEqual(
    expect.arrayContaining(['start', 'test', 'lint', 'typecheck', 'lint:contract']),
  );
  for (const [, name = ''] of readme.matchAll(/`ca-mock (\w+)`/g))
    expect([...COMMANDS.keys()]).toContain(name);
});

test('every file it links to is there', () => {
  const links = [...(readMarked(readme, 'settings') ?? '').matchAll(/\]\(([^)#]+)\)/g)].map(
    ([, file = '']) => file,
  );
  expect(links.filter((file) => !existsSync(file))).toEqual([]);
});
