/** Reads the fenced blocks of README and guide, and makes their tables from the sources. */
import { readFileSync } from 'node:fs';
import { DEFAULT_SETTINGS, SETTINGS, type Settings, writeSettings } from '../../src/domain/settings.ts';
import { flagName, type Option, variableName } from '../../src/mock/option.ts';
import { START_OPTIONS } from '../../src/mock/options.ts';
import { isJsonObject, lookUpReference } from '../../src/openapi/document.ts';
import { type ContractOperation, loadContract } from '../../src/openapi/load.ts';

export interface Block {
  readonly language: string;
  /** The words after the language: `name=FILE`, `needs=PROGRAM`, `serve`. */
  readonly options: { readonly name?: string; readonly needs?: string; readonly serve?: string };
  readonly text: string;
  /** The line where the block begins, from 1. */
  readonly line: number;
}

export const readReadme = (): string => readFileSync('README.md', 'utf8');

/** Every fenced block, in order. */
export const readBlocks = (markdown: string): readonly Block[] =>
  [...markdown.matchAll(/^```(\w*)([^\n]*)\n(.*?)^```$/gms)].map(
    ({ 1: language = '', 2: options = '', 3: text = '', index }) => ({
      language,
      options: Object.fromEntries(
        options
          .trim()
          .split(' ')
          .filter(Boolean)
          .map((option) => (option.includes('=') ? option.split('=') : [option, 'yes'])),
      ),
      text,
      line: markdown.slice(0, index).split('\n').length,
    }),
  );

/** The text between `<!-- name -->` and `<!-- /name -->`. */
export const readMarked = (markdown: string, name: string): string | undefined =>
  new RegExp(`<!-- ${name} -->\n(.*?)<!-- /${name} -->`, 's').exec(markdown)?.[1];

const table = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');

const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

export const flagTable = (): string =>
  table([
    ['flag', 'variable', 'default', ''],
    ['---', '---', '---', '---'],
    ...Object.entries(START_OPTIONS).map(([name, option]: [string, Option<unknown>]) => [
      [flagName(name), option.short && `-${option.short}`, option.placeholder]
        .flatMap((part) => (part === undefined ? [] : code(part)))
        .join(' '),
      code(variableName(name)),
      option.fallback,
      option.words,
    ]),
  ]);

export const operationTable = (): string =>
  table([
    ['operation', 'request', 'inferred'],
    ['---', '---', '---'],
    ...loadContract().operations.map((operation) => [
      code(operation.operationId),
      code(`${operation.method.toUpperCase()} ${operation.path}`),
      whatIsInferred(operation),
    ]),
  ]);

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

export const settingTable = (): string =>
  table([
    ['setting', 'default', ''],
    ['---', '---', '---'],
    ...Object.entries(writeSettings(DEFAULT_SETTINGS)).map(([name, value]) => [
      code(name),
      code(String(value)),
      SETTINGS[name as keyof Settings].words, // written by the same table
    ]),
  ]);
