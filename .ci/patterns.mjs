/**
 * Checks by `recheck` that the time of no regular expression in the sources and documents grows faster than its text:
 * `node .ci/patterns.mjs FOLDER`, where recheck is installed in FOLDER. The page of the console and the conformance
 * suite read nothing from strangers.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { parse } from 'yaml';

const { check } = createRequire(join(process.argv[2], 'package.json'))('recheck');

const DOCUMENTS = [
  'openapi.yaml',
  'src/engine/control/control.yaml',
  'src/console/console.yaml',
  'fixtures/scenario.schema.json',
];

/** Slow expressions, which read only options of the person who starts the mock. */
const OPERATORS_OWN = new Set(['/\\/+$/']);

const expressionsIn = (file) => {
  const found = [];
  const walk = (node) => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text);
    ts.forEachChild(node, walk);
  };
  walk(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest));
  return found;
};

const patternsIn = (file) => {
  const found = [];
  parse(readFileSync(file, 'utf8'), (name, value) => {
    if (name === 'pattern' && typeof value === 'string') found.push(`/${value}/u`);
    return value;
  });
  return found;
};

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.m?tsx?$/.test(file) && !/generated|browser|conformance/.test(file))
  .map((file) => join('src', file));
const written = new Set([...sources.flatMap(expressionsIn), ...DOCUMENTS.flatMap(patternsIn)]);
let faults = 0;
for (const expression of written) {
  const end = expression.lastIndexOf('/');
  const { status, complexity } = await check(expression.slice(1, end), expression.slice(end + 1));
  if (status === 'safe' || OPERATORS_OWN.has(expression)) continue;
  faults += 1;
  console.log(`${expression} is ${status}: ${complexity?.summary ?? 'the check ran out of time'}`);
}
console.log(`${written.size} regular expressions, ${faults} slow`);
process.exitCode = faults === 0 && written.size > 50 ? 0 : 1;
