/**
 * Cases about every limit of the contract on a request: the service must accept a value at the limit, and refuse a
 * value past it.
 */
import type { Api } from '../api.ts';
import { type Case, test } from '../case.ts';
import { accepts, type Field, keywordOf, refuses } from '../fields.ts';
import { sampleAnswer, sampleCases, UNKNOWN } from '../samples.ts';

/** What each keyword limits, and the step past the limit. */
const KEYWORDS = {
  minimum: ['number', -1],
  maximum: ['number', 1],
  minLength: ['characters', -1],
  maxLength: ['characters', 1],
  minItems: ['items', -1],
  maxItems: ['items', 1],
  maxProperties: ['pairs', 1],
} as const;

type Limit = readonly [keyword: keyof typeof KEYWORDS, edge: number];

/** Patterns that limit the length of a text: a prefix and a repeated class, such as `^org_[a-z]{1,28}$`. */
const LENGTH = /^\^(\w*)(?:\[[^\]]+\]|\.)(?:\{(\d+),(\d+)\}|\+)\$$/;

const limitsOf = (field: Field): readonly Limit[] => {
  const keywords = Object.keys(KEYWORDS) as Limit[0][]; // the type lists exactly these keys
  const own = keywords.flatMap((keyword): Limit[] => {
    const edge = keywordOf(field, keyword);
    return typeof edge === 'number' ? [[keyword, edge]] : [];
  });
  const [, prefix, least = 1, most] = LENGTH.exec(String(keywordOf(field, 'pattern'))) ?? [];
  if (prefix !== undefined) own.push(['minLength', prefix.length + Number(least)]);
  if (prefix !== undefined && most !== undefined) own.push(['maxLength', prefix.length + Number(most)]);
  return own;
};

/** The next value past a limit. Undefined if a call cannot send it. */
const pastOf = ({ where, isRequired }: Field, [keyword, edge]: Limit): number | undefined => {
  const [measure, step] = KEYWORDS[keyword];
  const past = edge + step;
  // An empty text counts as absent (behaviour T5, T7), and an empty path segment changes the path.
  const isAbsent = measure === 'characters' && past === 0 && !(where === 'body' && isRequired);
  return isAbsent || (measure !== 'number' && past < 0) ? undefined : past;
};

const sized = (field: Field, [keyword]: Limit, size: number, api: Api): unknown => {
  switch (KEYWORDS[keyword][0]) {
    case 'number':
      return size;
    case 'characters':
      return textOf(field, size, api);
    case 'items':
      return Array(size).fill(field.names[0] === 'auth_patterns' ? { type: 'OAUTH' } : UNKNOWN.connector);
    case 'pairs':
      return Object.fromEntries(Array.from({ length: size }, (_, n) => [`key-${n}`, 'value']));
  }
};

const textOf = (field: Field, length: number, { unique }: Api): string => {
  const [name = ''] = field.names;
  // No two providers may have the same display name.
  if (name === 'display_name') return unique.padStart(length, 'x').slice(-length);
  if (name === 'inviter_email') return `x@${'x.'.repeat(length).slice(0, length - 3)}x`;
  if (/_ur[il]$|_src$/.test(name)) return 'https://client.test/'.padEnd(length, 'x');
  const [prefix = ''] = /(?<=^\^)\w+/.exec(String(keywordOf(field, 'pattern'))) ?? [];
  return prefix.padEnd(length, 'x').slice(0, length);
};

const caseOf = (field: Field, limit: Limit): readonly Case[] => {
  const { operationId, names } = field;
  const [keyword, edge] = limit;
  const past = pastOf(field, limit);
  const answer = names[0] === 'connection_names' ? { status: 404 } : sampleAnswer(operationId);
  // A case is promised only if a success shows that the service accepted the value.
  const basis = answer.status === 200 ? field.basis : 'inferred';
  const rules = names[0] === 'metadata' ? (['X1'] as const) : field.rules;
  const refused = past === undefined ? '' : `, and refuses ${past}`;
  const name = names.join('.').replaceAll('.[]', '[]');
  const accepted = KEYWORDS[keyword][0] === 'number' ? `${edge} as ${name}` : `${name} of length ${edge}`;
  const title = `${operationId} accepts ${accepted}${refused}`;
  const both = test(title, async (api) => {
    await accepts(api, field, sized(field, limit, edge, api), answer);
    if (past !== undefined) await refuses(api, field, sized(field, limit, past, api));
  });
  return sampleCases(operationId, both[basis](...rules));
};

export const limits = (field: Field): readonly Case[] =>
  limitsOf(field).flatMap((limit) => caseOf(field, limit));
