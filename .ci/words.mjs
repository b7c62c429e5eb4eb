/**
 * Finds sentences that a reader has to read twice, in comments, messages and pages, by their typical phrases: `node
 * .ci/words.mjs`. Prints each sentence with its place, and fails if there are more than a few.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const MOST = 8;

const SIGNS =
  /\b(?:(?<!there )(?:is|are) no(?= [a-z])(?! (?:longer|more|other))|there (?:is|are) none|(?<!(?:no|new|earlier|names|renames) )one that|that of|those of|of what|(?:it|as) is (?:said|told)|(?:is|are) told|says? nothing of|came about|what is there|is to be|what is [^.,;:]{1,40} is)\b/gi;

const files = execFileSync('git', ['ls-files', 'src', 'test', '*.md', '.ci', 'openapi.yaml'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /[.](?:tsx?|mts|mjs|md|yaml)$/.test(file) && !/^src[/]RULES[.]md$|generated/.test(file));

/** The texts of a file, each with the position where it begins. */
const textsOf = (file, source) => {
  if (file.endsWith('.md')) return [{ start: 0, text: source.replaceAll(/```.*?```|`[^`\n]*`/gs, blank) }];
  if (file.endsWith('.yaml'))
    return [
      ...source.matchAll(/(?:description|summary|x-inferred|x-expected): .*|^ *#.*|^ {6,}[A-Z].*/gm),
    ].map(({ index, 0: text }) => ({ start: index, text: text.replaceAll(/`[^`\n]*`/g, blank) }));
  return proseOf(file, source);
};

const blank = (code) => code.replaceAll(/[^\n]/g, ' ');

/** The comments of a source file, and the string literals with a sentence in them. */
const proseOf = (file, source) => {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, kindOf(file));
  const found = new Map();
  const add = (start, end) =>
    found.set(start, { start, text: source.slice(start, end).replaceAll(/`[^`\n]*`/g, blank) });
  const visit = (node) => {
    for (const comment of [
      ...(ts.getLeadingCommentRanges(source, node.pos) ?? []),
      ...(ts.getTrailingCommentRanges(source, node.end) ?? []),
    ])
      add(comment.pos, comment.end);
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node);
    if (isText && / \S+ /.test(node.text ?? ''))
      found.set(node.pos, { start: node.getStart(tree), text: node.text });
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return [...found.values()];
};

const kindOf = (file) =>
  file.endsWith('x') ? ts.ScriptKind.TSX : file.endsWith('js') ? ts.ScriptKind.JS : ts.ScriptKind.TS;

const lineAt = (source, offset) => source.slice(0, offset).split('\n').length;

let count = 0;
for (const file of files) {
  const source = readFileSync(file, 'utf8');
  for (const { start, text } of textsOf(file, source)) {
    for (const { index, 0: sign } of text.matchAll(SIGNS)) {
      count += 1;
      const around = text.slice(Math.max(0, index - 40), index + 60).replaceAll(/\s+/g, ' ');
      console.log(`${file}:${lineAt(source, start + index)}: "${sign}" in ...${around}...`);
    }
  }
}
console.log(`${count} sentences to write again, ${MOST} at most`);
if (count > MOST) process.exitCode = 1;
