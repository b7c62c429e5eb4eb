import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildProgram, type Program, type Running } from '../support/program.ts';
import { type Block, readBlocks, readReadme } from '../support/readme.ts';

const ADDRESS = 'http://127.0.0.1:4720';
const blocks = readBlocks(readReadme());
const commands = blocks.filter(({ language }) => language === 'sh');

let program: Program;
let mock: Running;
let folder: string;

beforeAll(async () => {
  program = buildProgram();
  mock = await program.serve(['--port', '0', '--log', 'silent']);
  folder = mkdtempSync(join(tmpdir(), 'ca-mock-'));
  runAll();
}, 120_000);
afterAll(async () => {
  await program.remove();
  rmSync(folder, { recursive: true });
});

/** Runs the blocks one after the other in one shell, as a reader does; output and exit code go to files. */
const runAll = (): void => {
  const parts = commands.map(
    ({ text }, index) =>
      `{\n${text.replaceAll(ADDRESS, mock.url)}} > ${index}.out 2>&1\necho $? > ${index}.code\n`,
  );
  const command = `ca-mock() { node '${join(program.folder, 'cli.js')}' "$@"; }\n`;
  writeFileSync(join(folder, 'readme.sh'), command + parts.join(''));
  spawnSync('bash', ['readme.sh'], { cwd: folder, timeout: 60_000 });
};

const resultOf = (block: Block): { code: string; output: string } => {
  const read = (kind: string) => readFileSync(join(folder, `${commands.indexOf(block)}.${kind}`), 'utf8');
  return { code: read('code').trim(), output: read('out').replaceAll(mock.url, ADDRESS) };
};

test.each(
  commands.map((block) => [block.line, block] as const),
)('the commands at line %i do what the README shows', (_line, block) => {
  const { code, output } = resultOf(block);
  expect(output).not.toMatch(/"(error|code)":/);
  expect({ code, output }).toEqual({ code: '0', output });
  const shown = blocks[blocks.indexOf(block) + 1];
  if (shown?.language === 'json') expect(readAnswers(output)).toMatchObject(readAnswers(shown.text));
  if (shown?.language === 'text') expect(withoutTokens(output)).toBe(withoutTokens(shown.text));
});

/** JSON texts, a line each; what differs from run to run is made equal. */
const readAnswers = (text: string): readonly object[] =>
  withoutTokens(text)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const withoutTokens = (text: string): string => text.replace(/[\w-]{30,}(\.[\w-]+)*/g, 'TOKEN');
