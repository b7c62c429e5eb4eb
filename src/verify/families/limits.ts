/**
 * Cases about every limit of the contract on a request: the service must accept a value at the limit, and refuse a
 * value past it.
 */
import type { Api } from '../api.ts';
import { type Case, test } from '../case.ts';
import { accepts, type Field, keywordOf, refuses } from '../fields.ts';
import { sampleAnswer, sampleCases, UNKNOWN } from '../samples.ts';

type Measure = 'number' | 'characters' | 'items' | 'pairs';

interface Limit {
  readonly field: Field;
  readonly measure: Measure;
  readonly edge: number;
  /** The next value past the limit. Undefined if a call cannot send it. */
  readonly past: number | undefined;
}

const KEYWORDS: readonly (readonly [keyword: string, measure: Measure, step: 1 | -1])[] = [
  ['minimum', 'number', -1],
  ['maximum', 'number', 1],
  ['minLength', 'characters', -1],
  ['maxLength', 'characters', 1],
  ['minItems', 'items', -1],
  ['maxItems', 'items', 1],
  ['maxProperties', 'pairs', 1],
];

const limitsOf = (field: Field): readonly Limit[] => {
  const own = KEYWORDS.flatMap(([keyword, measure, step]) => {
    const edge = keywordOf(field, keyword);
    return typeof edge === 'number' ? [limit(field, measure, edge, step)] : [];
  });
  return [...own, ...patternLimits(field)];
};

const limit = (field: Field, measure: Measure, edge: number, step: 1 | -1): Limit => {
  const next = edge + step;
  // An empty text counts as absent (behaviour T5, T7), and an empty path segment changes the path.
  const isAbsent = measure === 'characters' && next === 0 && !(field.where === 'body' && field.isRequired);
  const isNothing = measure !== 'number' && next < 0;
  return { field, measure, edge, past: isAbsent || isNothing ? undefined : next };
};

/**
 * Matches patterns that limit the length of a text: a prefix and a repeated class of characters, such as
 * `^org_[a-z]{1,28}$`.
 */
const LENGTH = /^\^(\w*)(?:\[[^\]]+\]|\.)(?:\{(\d+),(\d+)\}|\+)\$$/;

const patternLimits = (field: Field): readonly Limit[] => {
  const [, prefix, least = 1, most] = LENGTH.exec(String(keywordOf(field, 'pattern'))) ?? [];
  if (prefix === undefined) return [];
  const shortest = limit(field, 'characters', prefix.length + Number(least), -1);
  if (most === undefined) return [shortest];
  return [shortest, limit(field, 'characters', prefix.length + Number(most), 1)];
};

const sized = ({ field, measure }: Limit, size: number, api: Api): unknown => {
  switch (measure) {
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

const titleOf = ({ field: { operationId, names }, measure, edge, past }: Limit): string => {
  const part = { '[]': 'an item of ', KEY: 'a key of ', VALUE: 'a value of ' }[names.at(-1) ?? ''] ?? '';
  const unit = measure === 'number' ? '' : ` ${edge === 1 ? measure.slice(0, -1) : measure}`;
  const refused = past === undefined ? '' : `, and refuses ${past}`;
  const name = names.filter((each) => !['[]', 'KEY', 'VALUE'].includes(each)).join('.');
  const accepted = measure === 'number' ? `${edge} as ${part}${name}` : `${part}${name} with ${edge}${unit}`;
  return `${operationId} accepts ${accepted}${refused}`;
};

const caseOf = (limited: Limit): readonly Case[] => {
  const { field, edge, past } = limited;
  const { operationId, names } = field;
  const answer = names[0] === 'connection_names' ? { status: 404 } : sampleAnswer(operationId);
  // A case is promised only if a success shows that the service accepted the value.
  const basis = answer.status === 200 ? field.basis : 'inferred';
  const rules = names[0] === 'metadata' ? (['X1'] as const) : field.rules;
  const both = test(titleOf(limited), async (api) => {
    await accepts(api, field, sized(limited, edge, api), answer);
    if (past !== undefined) await refuses(api, field, sized(limited, past, api));
  });
  return sampleCases(operationId, both[basis](...rules));
};

export const limits = (field: Field): readonly Case[] => limitsOf(field).flatMap(caseOf);
