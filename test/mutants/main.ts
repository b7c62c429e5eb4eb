/** Lets every mutant loose and prints what caught it; started by run.mjs. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Copy, makeCopy } from './copy.ts';
import { figureTable } from './figures.ts';
import { type Catch, findUnsound, hunt, survives, withoutUnsound } from './hunt.ts';
import type { Mutant } from './mutant.ts';
import { MUTANTS } from './mutants.ts';

/** Mutants at a time; each has a copy, a jest and a server of its own. */
const LANES = 2;

/** @returns the exit code: 0 if every mutant is caught, 1 if one survives or something fails without any, 2 for a wrong use */
export const main = async (argv: readonly string[], root: string): Promise<number> => {
  const { values } = parseArgs({
    args: [...argv],
    options: { only: { type: 'string', multiple: true }, figures: { type: 'boolean' } },
  });
  if (values.figures) return writeFigures(join(root, 'src/guide/proof.md'), root);
  const wanted = values.only?.flatMap((rules) => rules.split(','));
  const mutants = MUTANTS.filter(({ rule }) => !wanted || wanted.includes(rule));
  if (mutants.length === 0) {
    console.error(`--only names no rule that has a mutant: ${wanted?.join(', ')}. Write it as --only A4,V2.`);
    return 2;
  }
  const copies = Array.from({ length: Math.min(LANES, mutants.length) }, () => makeCopy(root));
  try {
    return await judge(copies, mutants);
  } finally {
    for (const copy of copies) copy.remove();
  }
};

/** Brings the table of the guide up to date, and hunts nothing. */
const writeFigures = (file: string, root: string): number => {
  const page = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    page.replace(FIGURES, (_, start, end) => start + figureTable(root) + end),
  );
  return 0;
};

const FIGURES = /(<!-- figures -->\n).*?(<!-- \/figures -->)/s;

const judge = async (copies: readonly Copy[], mutants: readonly Mutant[]): Promise<number> => {
  const catches = await huntAll(copies, mutants);
  const [first] = copies;
  const unsound = first ? await findUnsound(first, catches) : new Set<string>();
  const survivors = catches.map((found) => withoutUnsound(found, unsound)).filter(survives);
  for (const name of unsound) console.log(`fails without any mutant: ${name}`);
  for (const { mutant } of survivors) console.log(`survives: ${mutant.rule}, ${mutant.breaks}`);
  console.log(`${mutants.length - survivors.length} of ${mutants.length} mutants caught`);
  return survivors.length + unsound.size > 0 ? 1 : 0;
};

/** Every copy takes the next mutant when it is done with one. */
const huntAll = async (copies: readonly Copy[], mutants: readonly Mutant[]): Promise<readonly Catch[]> => {
  const waiting = mutants.values();
  const catches: Catch[] = [];
  const lane = async (copy: Copy): Promise<void> => {
    for (const mutant of waiting) {
      const found = await hunt(copy, mutant);
      catches.push(found);
      console.log(describe(found));
    }
  };
  await Promise.all(copies.map(lane));
  return catches;
};

const describe = (found: Catch): string => {
  const { mutant, tests, problem } = found;
  return [
    `${survives(found) ? 'SURVIVES' : 'caught'.padEnd(8)} ${mutant.rule.padEnd(3)} ${mutant.breaks}`,
    `    test: ${told(tests)}`,
    ...(problem === undefined ? [] : [`    problem: ${problem}`]),
  ].join('\n');
};

const told = ([first, ...more]: readonly string[]): string => {
  if (first === undefined) return 'NONE';
  return more.length === 0 ? first : `${first} (and ${more.length} more)`;
};
