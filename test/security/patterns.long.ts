/**
 * Tries every regular expression of the sources and of `DOCUMENTS` on long hostile texts. An expression whose time is
 * not proportional to the length of the text takes seconds; the others take less than a millisecond.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import ts from 'typescript';
import { parse } from 'yaml';

const ROOT = process.cwd();
const DOCUMENTS = [
  'openapi.yaml',
  'src/engine/control/control.yaml',
  'src/console/console.yaml',
  'fixtures/scenario.schema.json',
];

/** Slow expressions, which read only options of the person who starts the mock. */
const OPERATORS_OWN = new Set(['/\\/+$/']);

/** The sources that read input from strangers: the console's browser code and the conformance suite read none. */
const sources = (): string[] =>
  readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !/generated|browser|conformance/.test(file),
  );

const literalsOf = (file: string): string[] => {
  const text = readFileSync(join(ROOT, 'src', file), 'utf8');
  const found: string[] = [];
  const walk = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text);
    ts.forEachChild(node, walk);
  };
  walk(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  return found;
};

const patternsOf = (file: string): string[] => {
  const found: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      if (name === 'pattern' && typeof member === 'string') found.push(String(new RegExp(member, 'u')));
      walk(member);
    }
  };
  walk(parse(readFileSync(join(ROOT, file), 'utf8')));
  return found;
};

const LENGTH = 30_000;
const UNITS = ['a', '0', ' ', '\n', '/', '"', '\\"', 'a1', ',a=', '{[', '***', '"\\'];

/** Texts that repeat a character of the expression, after likely beginnings, with and without an end that cannot match. */
const hostile = (pattern: string): string[] => {
  const plain = pattern.replace(/\\.(\{[^}]*\})?/g, ' ');
  const named = plain.match(/[\w"'/:;,=@.\- ]/g) ?? [];
  const units = new Set([...named.slice(0, 12), ...UNITS]);
  const words = (plain.match(/[A-Za-z]{3,}/g) ?? []).slice(0, 3);
  for (const word of words) for (const sign of ['', ...'-./']) units.add(sign + word); // such as -eyJ-eyJ
  const prefixes = new Set(['', '"', 'a=', 'https://', 'Bearer ', ...words]);
  return [...units].flatMap((unit) => {
    const body = unit.repeat(LENGTH / unit.length);
    return [...prefixes].flatMap((prefix) => [prefix + body, `${prefix}${body}\u0000`]);
  });
};

/** Milliseconds for all inputs of one expression. A search in linear time needs a fiftieth of this. */
const LIMIT = 2_000;

/** The limit in milliseconds for an expression that is known to be slow. */
const SLOW = 500;

const SEARCH = 'for (at = 0; at < inputs.length; at += 1) inputs[at].replace(expression, "")';

/** The beginning of the input on which the expression takes too long, if any. @param pattern such as `/a+/g` */
const slowInput = (pattern: string, timeout = LIMIT): string | undefined => {
  const end = pattern.lastIndexOf('/');
  const flags = new Set(`g${pattern.slice(end + 1)}`);
  const expression = new RegExp(pattern.slice(1, end), [...flags].join(''));
  const context = { expression, inputs: hostile(pattern), at: 0 };
  try {
    runInNewContext(SEARCH, context, { timeout });
    return undefined;
  } catch {
    return `${context.inputs[context.at]?.slice(0, 20)}...`;
  }
};

test.each([
  '/^(a+)+$/',
  '/\\s+$/',
  '/"(?:[^"\\\\]|\\\\.)*"|[[\\]{}]/gs',
  '/\\/+$/',
  '/(?:a|a)*b/',
  '/[a-z]+=x/',
  '/\\beyJ[\\w-]+\\.[\\w-]+/g',
  '/"(?:[^"\\\\]|\\\\.)*(?:"|$)/gs',
])('this test detects the slow expression %s', (pattern) => {
  expect(slowInput(pattern, SLOW)).toBeDefined();
});

test('no regular expression of the sources is slow on hostile texts', () => {
  const written = new Set(sources().flatMap(literalsOf));
  expect(written.size).toBeGreaterThan(50);
  const slow = [...written].filter(
    (pattern) => !OPERATORS_OWN.has(pattern) && slowInput(pattern) !== undefined,
  );
  expect(slow).toEqual([]);
});

test.each(DOCUMENTS)('no pattern of %s is slow on hostile texts', (file) => {
  const written = new Set(patternsOf(file));
  expect([...written].filter((pattern) => slowInput(pattern) !== undefined)).toEqual([]);
});
