/**
 * Changes the names in query and body to the contract's spelling before validation, since a client can also send each
 * name in lowerCamelCase (behaviour T2, T3, T5, T7).
 */
import type { Request } from 'express';
import type { ContractOperation } from '../contract/load.ts';
import type { Place } from '../contract/members.ts';
import { adviceOnName, type NameKind, nounOf, unknownWords } from '../contract/words.ts';
import { type FieldViolation, MOST_VIOLATIONS } from '../core/errors.ts';
import { MASK } from '../core/secrets.ts';
import { cut, otherSpelling } from '../core/text.ts';
import { encodingProblems } from './body.ts';

/** What was found in a query or body so far, and whether the call is in strict mode. */
interface Findings {
  /** Whether unknown names and lowerCamelCase are problems. Otherwise unknown names only cause warnings. */
  readonly isStrict: boolean;
  readonly problems: FieldViolation[];
  /** Sentences that tell which parts of the input were ignored. */
  readonly warnings: string[];
}

type SentQuery = Record<string, string | string[]>;

/** The part of a URL after the question mark. */
export const rawQuery = ({ url }: Pick<Request, 'url'>): string =>
  url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';

/**
 * Reads the parameters of the operation from the raw query of a call, in which `+` is a space. The result has no prototype,
 * so that a name such as `constructor` is plain data. An empty value is left out, unless `keepsEmpty` is set.
 */
export const readQuery = (
  { query: { members: names } }: ContractOperation<string>,
  raw: string,
  { isStrict, keepsEmpty }: { readonly isStrict: boolean; readonly keepsEmpty?: boolean },
) => {
  const query: SentQuery = Object.create(null);
  const findings: Findings = { isStrict, problems: encodingProblems(raw), warnings: [] };
  const sent = [...new URLSearchParams(raw)].filter(
    ([name, value]) => value !== '' || keepsEmpty || !names.has(nameOf(names, name)),
  );
  const spellings = sent.map(([spelling]) => spelling);
  const scope: NameScope = { findings, path: '', kind: 'parameter', names, isOpen: false, spellings };
  for (const [spelling, text] of sent) {
    const name = readName(scope, spelling);
    const place = names.get(name);
    if (!place || (name !== spelling && spellings.includes(name))) continue; // the contract's spelling wins (behaviour T3)
    if (text.includes(' ') && text.includes('@') && raw.includes('+'))
      findings.warnings.push(
        `${name} was read as "${cut(text)}", since + is a space in a query. Write %2B for a +.`,
      );
    const type = place.forms[0]?.type; // its own: of alternatives, each has another one
    const problem = numberProblem(name, type, text);
    if (problem) findings.problems.push(problem);
    else addValue(query, name, toContractValue(place, text), type === 'array');
  }
  return { query, ...findings };
};

const addValue = (query: SentQuery, name: string, value: string, isList: boolean): void => {
  const before = query[name];
  if (Array.isArray(before)) before.push(value);
  else query[name] = before === undefined && !isList ? value : [before ?? [], value].flat();
};

/** A value as the contract writes it: clients may use any case, and JSON-over-gRPC gateways other booleans (behaviour T3). */
const toContractValue = ({ type, values }: Place, text: string): string => {
  if (type === 'boolean') return text.replace(/^(?:t|1|true)$/i, 'true').replace(/^(?:f|0|false)$/i, 'false');
  const lower = text.toLowerCase();
  return String([...values].find((value) => String(value).toLowerCase() === lower) ?? text);
};

/** The problem with a parameter that must be a number, if any. The validator would accept `1e1`, `0x5` and `1.0`. */
export const numberProblem = (field: string, type: unknown, text: string): FieldViolation | undefined => {
  if (type !== 'integer' && type !== 'number') return undefined;
  const is = `${field} is ${JSON.stringify(cut(text))}`;
  const description = `${is}, but must be ${nounOf(type)} written in digits.`;
  if (!NUMBER[type].test(text)) return { field, constraint: 'type', description };
  if (Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER) return undefined;
  const constraint = text.startsWith('-') ? 'minimum' : 'maximum';
  const advice = 'Send a number nearer to 0.';
  return { field, constraint, description: `${is}, which is out of range.`, advice };
};

const NUMBER = { integer: /^-?\d+$/, number: /^-?\d+(?:\.\d+)?$/ } as const;

/**
 * Changes the names in a body to the contract's spelling, and removes members whose value means "absent", such as null
 * (behaviour T5). Objects that may have any members (`api_config`, `metadata`) stay as they are.
 */
export const readBodyNames = (
  { kind, body: place }: ContractOperation<string>,
  value: unknown = {},
  isStrict = false,
) => {
  // Unknown fields of a form are not reported: extra fields are allowed (behaviour E3).
  const isOpen = place.isOpen || kind === 'application/x-www-form-urlencoded';
  const findings: Findings = { isStrict, problems: [], warnings: [] };
  const body = kind === undefined ? {} : readValue(findings, place, value, '', isOpen);
  return { body, problems: findings.problems, warnings: findings.warnings };
};

const readValue = (
  findings: Findings,
  place: Place,
  value: unknown,
  path: string,
  isOpen = place.isOpen,
): unknown => {
  const { members: names, items, type } = place;
  if (Array.isArray(value))
    return items ? value.map((item, index) => readValue(findings, items, item, `${path}[${index}]`)) : value;
  const hasNames = names.size > 0 || (type === 'object' && !isOpen);
  if (typeof value !== 'object' || value === null || !hasNames) return value;
  const sent = Object.entries(value).filter(([spelling, member]) => {
    const known = names.get(nameOf(names, spelling));
    return !known || !countsAsAbsent(known, member);
  });
  const spellings = sent.map(([spelling]) => spelling);
  const scope: NameScope = { findings, kind: 'member', isOpen, path, names, spellings };
  // `fromEntries` creates plain members, even for special names such as `constructor` (behaviour T10).
  return Object.fromEntries(
    sent.map(([spelling, member]) => {
      const name = readName(scope, spelling);
      const known = names.get(name);
      return [name, known ? readValue(findings, known, member, join(path, name)) : member];
    }),
  );
};

/** Whether the client means that the member is absent: Go without omitempty sends "", Python null for None (behaviour T5). */
const countsAsAbsent = ({ type, mayBeEmpty }: Place, value: unknown): boolean =>
  value === null || (value === '' && type === 'string' && !mayBeEmpty);

/** The names allowed at one place: the parameters of an operation, or the members of an object. */
interface NameScope {
  readonly findings: Findings;
  /** The path of the object, such as `connected_account`; "" for the query and for the body itself. */
  readonly path: string;
  readonly kind: NameKind;
  /** The allowed names, in the contract's spelling. */
  readonly names: Place['members'];
  /** Whether all other names are allowed too, as in `metadata`. */
  readonly isOpen: boolean;
  /** The names in the request, in the client's spelling. */
  readonly spellings: readonly string[];
}

/** A parameter's or member's name in the contract's spelling. Adds a problem or a warning for a wrong name. */
const readName = (scope: NameScope, spelling: string): string => {
  const { path, kind, names, isOpen, findings } = scope;
  const { isStrict, problems, warnings } = findings;
  const name = nameOf(names, spelling);
  if (name !== spelling) addSpelling(scope, name, spelling);
  if (names.has(name) || isOpen || problems.length + warnings.length > MOST_VIOLATIONS) return name;
  const below = Array.from(names.values(), ({ members }) => members.get(nameOf(members, name))).find(Boolean);
  const unknown = unknownName(path, name, names.keys(), kind);
  if (below) unknown.advice = `Did you mean "${below.path}"?`;
  if (isStrict) problems.push(unknown);
  else warnings.push(`${unknown.description} ${unknown.advice}`);
  return name;
};

/** Adds what is wrong with a name in lowerCamelCase (behaviour T3). */
const addSpelling = (scope: NameScope, name: string, spelling: string): void => {
  const { path, kind, spellings, findings } = scope;
  const { isStrict, problems, warnings } = findings;
  const add = (at: string, description: string, advice: string): void =>
    void problems.push({ field: at, constraint: 'spelling', rule: 'T3', description, advice });
  const field = join(path, name);
  const alias = join(path, spelling);
  const is = `${alias} is spelled ${field} in the contract, and strict mode accepts no other spelling.`;
  if (isStrict) add(alias, is, `Write ${field}.`);
  if (!spellings.includes(name)) return;
  const both = `${field} was sent in both spellings, ${field} and ${alias}.`;
  if (kind === 'member') add(field, both, `Send only ${field}.`);
  else warnings.push(`${both} ${alias} was ignored.`);
};

/** A name in the contract's spelling; unknown names stay as they are. */
const nameOf = (names: Place['members'], spelling: string): string => {
  if (names.has(spelling)) return spelling;
  const other = otherSpelling(spelling);
  return names.has(other) ? other : spelling;
};

/** A member's path: `connected_account.api_config`. */
const join = (place: string, name: string): string => (place === '' ? name : `${place}.${name}`);

/** The violation to report for an unknown name. @param place the path of the object, such as `connected_account` */
export const unknownName = (place: string, name: string, known: Iterable<string>, kind: NameKind) => {
  // A name may contain a credential: a body with the wrong Content-Type can parse as one long name.
  const isSafe = !/["'{}<>=:;]/.test(name);
  const field = cut(join(place, isSafe ? name : MASK)) || '""';
  const description = `${field} ${unknownWords(kind)}.`;
  const advice = adviceOnName(name, [...known], kind);
  return { field, constraint: 'unknown', rule: 'T2', description, advice };
};
