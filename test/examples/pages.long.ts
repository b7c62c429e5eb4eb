/** Runs every command and program of the README, the skill and the guide as written, and the commands of AGENTS.md. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import {
  ADDRESS,
  type Block,
  createRunner,
  isCommand,
  type Outcome,
  probeOf,
  readBlocks,
  readPages,
} from '../support/pages.ts';

const runner = createRunner();
afterAll(() => runner.remove());

const isHere = (program: string): boolean => spawnSync('sh', ['-c', probeOf(program)]).status === 0;

const TESTED_ELSEWHERE = ['src/guide/testing.md', 'src/guide/grpc.md'];
const pages = readPages().filter(({ file, blocks }) => blocks.length > 0 && !TESTED_ELSEWHERE.includes(file));

const isRun = (block: Block): boolean =>
  isCommand(block) || (block.language === 'js' && block.options.name === undefined);

const declareRun = (block: Block, next: Block | undefined, outcomeOf: () => Outcome | undefined): void => {
  const { language, options, line } = block;
  const check = options.needs === undefined || isHere(options.needs) ? test : test.skip;
  check(`the block at line ${line} does what the page shows`, () => {
    const outcome = outcomeOf();
    expect(outcome).toMatchObject({ code: 0 });
    if (language === 'sh') expect(outcome?.output).not.toMatch(/"(error|code)":/);
    compare(outcome?.output ?? '', next);
  });
};

const declareText = (
  { language, options, line, text }: Block,
  before: Block | undefined,
  later: readonly Block[],
): void => {
  if (['json', 'text'].includes(language) && options.name === undefined)
    test(`the output at line ${line} follows a command or a program`, () => {
      expect(['sh', 'js']).toContain(before?.language);
    });
  else if (language === 'console')
    test(`the block at line ${line} begins with npm, npx or ca-mock`, () => {
      expect(text).toMatch(/^(npm|npx|ca-mock) /);
    });
  else if (language === 'yaml')
    test(`the block at line ${line} is YAML`, () => {
      for (const { errors } of parseAllDocuments(text)) expect(errors).toEqual([]);
    });
  else
    test(`the block at line ${line} is a file, and commands follow it`, () => {
      expect(options.name).toBeDefined();
      expect(later.some((block) => block.language === 'sh')).toBe(true);
    });
};

describe.each(pages.map((page) => [page.file, page] as const))('%s', (_file, page) => {
  let outcomes: ReadonlyMap<Block, Outcome> = new Map();
  beforeAll(async () => {
    outcomes = await runner.run(page);
  });
  for (const [nth, block] of page.blocks.entries()) {
    if (isRun(block)) declareRun(block, page.blocks[nth + 1], () => outcomes.get(block));
    else declareText(block, page.blocks[nth - 1], page.blocks.slice(nth + 1));
  }
});

/** Compares the output with the block below the command, if that block shows output. */
const compare = (output: string, shown: Block | undefined): void => {
  if (shown === undefined || shown.options.name !== undefined) return;
  if (shown.language === 'json') expect(readAnswers(output)).toMatchObject(readAnswers(shown.text));
  if (shown.language === 'text') expect(comparable(output)).toBe(comparable(shown.text));
};

/** Parses each line as JSON, without what differs from run to run. */
const readAnswers = (text: string): readonly object[] =>
  comparable(text)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const comparable = (text: string): string =>
  text
    .replace(/[\w-]{30,}(\.[\w-]+)*/g, 'TOKEN')
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, ADDRESS)
    .trim();

/** The steps `types` and `lint` of CI check this. */
const CHECKED_BY_CI = /^npx (?:tsc --noEmit|biome check --log-level=error \.)\n/gm;

const commands = readBlocks(readFileSync('AGENTS.md', 'utf8')).filter(({ language }) => language === 'sh');

test.each(commands)('the commands of AGENTS.md at line $line succeed', ({ text }) => {
  const { PATH, HOME, BUILT_MOCK } = process.env; // the run of tests around this one has variables of its own
  const built = text
    .replaceAll(CHECKED_BY_CI, '')
    .replace('npm run --silent build\n', '')
    .replaceAll('dist/', `${BUILT_MOCK}/`);
  const { status, stdout, stderr } = spawnSync('bash', ['-euc', built], {
    encoding: 'utf8',
    env: { PATH, HOME },
  });
  expect([status, stdout, stderr]).toEqual([0, expect.any(String), expect.any(String)]);
});
