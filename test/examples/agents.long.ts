/**
 * Runs the commands of AGENTS.md in this repository, with the build of the tests in place of `dist`. The commands of the skill
 * run with the pages of the guide.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { readBlocks } from '../support/pages.ts';

/** The steps `types` and `lint` of CI check this. */
const CHECKED_BY_CI = /^npx (?:tsc --noEmit|biome check --log-level=error \.)\n/gm;

const blocks = readBlocks(readFileSync('AGENTS.md', 'utf8'))
  .filter(({ language }) => language === 'sh')
  .map(({ line, text }) => ({ line, text: text.replaceAll(CHECKED_BY_CI, '') }));

test.each(blocks)('the commands of AGENTS.md at line $line succeed', ({ text }) => {
  const { PATH, HOME } = process.env; // the run of tests around this one has variables of its own
  const built = text
    .replace('npm run --silent build\n', '')
    .replaceAll('dist/', `${process.env.BUILT_MOCK}/`);
  const { status, stdout, stderr } = spawnSync('bash', ['-euc', built], {
    encoding: 'utf8',
    env: { PATH, HOME },
  });
  expect([status, stdout, stderr]).toEqual([0, expect.any(String), expect.any(String)]);
});

test('the front matter of the skill has its name and a description', () => {
  const [, matter = ''] = /^---\n(.*?)\n---\n/s.exec(readFileSync('skills/ca-mock/SKILL.md', 'utf8')) ?? [];
  expect(matter).toMatch(/^name: ca-mock\ndescription: .{50,1000}$/);
});
