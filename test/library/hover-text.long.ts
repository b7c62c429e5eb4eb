/** Editors show a text for every public member of the package when the mouse rests on its name. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import ts from 'typescript';

/** Files whose names need a text. The excluded files get theirs from the contracts and the tables of settings and options. */
const OWN = /\/src\/(?!engine\/(?:contract\/|settings)|service\/(?:generated|settings)|library\/options)/;

/** Names that the package exports, and members of their types, that are declared without a text in such a file. */
const withoutText = (): readonly string[] => {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
  const entries = Object.values<{ types?: string }>(exports).flatMap(({ types }) =>
    types === undefined ? [] : [types.replace('./dist/types/', 'src/').replace(/\.d\.(m?ts)$/, '.$1')],
  );
  const config = ts.readConfigFile('tsconfig.json', ts.sys.readFile).config;
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.');
  const program = ts.createProgram([...entries, 'src/library/runners/vitest.d.ts'], options);
  const checker = program.getTypeChecker();
  const missing = new Set<string>();
  const seen = new Set<ts.Symbol>();
  const isOwn = ({ declarations = [], name }: ts.Symbol): boolean =>
    !name.includes('#') && declarations.some((declaration) => OWN.test(declaration.getSourceFile().fileName));
  const visit = (symbol: ts.Symbol, name: string): void => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    if (seen.has(target) || !isOwn(target)) return;
    seen.add(target);
    if (![symbol, target].some((one) => hasText(checker, one))) missing.add(name);
    for (const member of membersOf(checker, target)) visit(member, `${name}.${member.name}`);
  };
  for (const entry of entries) {
    const file = program.getSourceFile(entry);
    const module = file && checker.getSymbolAtLocation(file);
    for (const symbol of module ? checker.getExportsOfModule(module) : []) visit(symbol, symbol.name);
  }
  return [...missing].sort();
};

/** Whether a name has a text: a comment, or the tag in which the generated types have a document's description. */
const hasText = (checker: ts.TypeChecker, symbol: ts.Symbol): boolean =>
  symbol.getDocumentationComment(checker).length > 0 ||
  symbol.getJsDocTags(checker).some((tag) => tag.name === 'description');

/** The public members of a type, or of a value's type. */
const membersOf = (checker: ts.TypeChecker, symbol: ts.Symbol): readonly ts.Symbol[] => {
  const isType = symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias);
  const type = isType ? checker.getDeclaredTypeOfSymbol(symbol) : checker.getTypeOfSymbol(symbol);
  return (type.isUnion() ? type.types : [type])
    .flatMap((part) => part.getProperties())
    .filter((member) => !member.getJsDocTags(checker).some((tag) => tag.name === 'internal'));
};

test('every public member has a text that editors show', () => {
  expect(withoutText()).toEqual([]);
});
