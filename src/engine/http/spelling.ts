/**
 * Changes the names in query and body to the contract's spelling before validation, since a client can also send each
 * name in lowerCamelCase (behaviour T2, T3, T5, T7).
 */
import type { Request } from 'express';
import type { ContractOperation } from '../contract/load.ts';
import type { Place, Surface } from '../contract/members.ts';
import { adviceOnName, nounOf, unknownWords } from '../contract/words.ts';
import { type FieldViolation, MOST_VIOLATIONS } from '../core/errors.ts';
import { MASK } from '../core/secrets.ts';
import { cut, otherSpelling } from '../core/text.ts';
import { addField, encodingProblems } from './body.ts';

/** What was found in a query or body so far, and whether the call is in strict mode. */
interface Findings {
  /** Whether unknown names and lowerCamelCase are problems. Otherwise unknown names only cause warnings. */
  readonly isStrict: boolean;
  readonly problems: FieldViolation[];
  /** Sentences that tell which parts of the input were ignored. */
  readonly warnings: string[];
}

/** The part of a URL after the question mark. */
export const rawQuery = ({ url }: Pick<Request, 'url'>): string =>
  url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';

/**
 * Creates a function that reads raw queries of an operation, in which `+` is a space. The result has only parameters of
 * the operation, and no prototype, so that a name such as `constructor` is plain data. Its parameters with an empty
 * value are left out, unless `keepsEmpty` is set.
 */
export const createQueryReader = ({ parameters }: ContractOperation<string>) => {
  const own = parameters.filter((one) => one.in === 'query');
  const types = new Map(own.map(({ name, schema }) => [name, schema?.type]));
  const values = new Map(own.map(({ name, schema }) => [name, [schema?.enum ?? []].flat()]));
  return (
    raw: string,
    { isStrict, keepsEmpty }: { readonly isStrict: boolean; readonly keepsEmpty?: boolean },
  ) => {
    const query: Record<string, string | string[]> = Object.create(null);
    const findings: Findings = { isStrict, problems: encodingProblems(raw), warnings: [] };
    const sent = [...new URLSearchParams(raw)].filter(
      ([name, value]) => value !== '' || keepsEmpty || !types.has(nameOf(types, name)),
    );
    const spellings = sent.map(([spelling]) => spelling);
    const scope = { path: '', kind: 'parameter', names: types, isOpen: false, spellings } as const;
    for (const [spelling, value] of sent) {
      const name = readName(scope, spelling, findings);
      if (name !== spelling && spellings.includes(name)) continue; // the contract's spelling wins (behaviour T3)
      const listed = values.get(name)?.find((each) => String(each).toLowerCase() === value.toLowerCase());
      if (value.includes(' ') && value.includes('@') && raw.includes('+'))
        findings.warnings.push(plusRead(cut(name), cut(value)));
      const problem = types.has(name) && addParameter(query, name, types.get(name), String(listed ?? value));
      if (problem) findings.problems.push(problem);
    }
    return { query, ...findings };
  };
};

const plusRead = (name: string, value: string): string =>
  `${name} was read as "${value}", since + is a space in a query. Write %2B for a +.`;

/** Adds a value to the query. @returns a problem if a number is not written in digits */
const addParameter = (
  query: Record<string, string | string[]>,
  name: string,
  type: unknown,
  text: string,
): FieldViolation | undefined => {
  const problem = numberProblem(name, type, text);
  if (problem) return problem;
  if (type === 'array') query[name] ??= [];
  addField(query, name, type === 'boolean' ? (BOOLEANS[text.toLowerCase()] ?? text) : text);
  return undefined;
};

/** The spellings that JSON-over-gRPC gateways accept (behaviour T3). */
const BOOLEANS: Readonly<Record<string, string>> = {
  ...{ t: 'true', 1: 'true', true: 'true' },
  ...{ f: 'false', 0: 'false', false: 'false' },
};

/** The problem with a parameter that must be a number, if any. The validator would accept `1e1`, `0x5` and `1.0`. */
export const numberProblem = (field: string, type: unknown, text: string): FieldViolation | undefined => {
  if (type !== 'integer' && type !== 'number') return undefined;
  const is = `${field} is ${JSON.stringify(cut(text))}`;
  const description = `${is}, but must be ${nounOf(type)} written in digits.`;
  if (!NUMBER[type].test(text)) return { field, constraint: 'type', description };
  if (Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER) return undefined;
  return {
    field,
    constraint: text.startsWith('-') ? 'minimum' : 'maximum',
    description: `${is}, which is out of range.`,
    advice: 'Send a number nearer to 0.',
  };
};

const NUMBER = { integer: /^-?\d+$/, number: /^-?\d+(?:\.\d+)?$/ } as const;

/**
 * Creates a function that changes the names in a body to the contract's spelling, and removes members whose value means
 * "absent", such as null (behaviour T5). Objects that may have any members (`api_config`, `metadata`) stay as they are.
 */
export const createBodyNamesReader = ({ kind, body: place }: Surface) => {
  // Unknown fields of a form are not reported: extra fields are allowed (behaviour E3).
  const mayHaveOthers = kind === 'application/x-www-form-urlencoded';
  return (value: unknown = {}, { isStrict }: Pick<Findings, 'isStrict'>) => {
    const walk: Walk = { mayHaveOthers, isStrict, problems: [], warnings: [] };
    const body = kind === undefined ? {} : readValue(walk, place, value, '');
    return { body, problems: walk.problems, warnings: walk.warnings };
  };
};

interface Walk extends Findings {
  /** Whether unknown names are allowed everywhere. */
  readonly mayHaveOthers: boolean;
}

/** Changes the names in a value to the schema's spelling, and removes members whose value means "absent". */
const readValue = (walk: Walk, place: Place, value: unknown, path: string): unknown => {
  if (Array.isArray(value)) {
    const { items } = place;
    return items ? value.map((item, index) => readValue(walk, items, item, `${path}[${index}]`)) : value;
  }
  const { members: names, isOpen, type } = place;
  const hasNames = names.size > 0 || (type === 'object' && !isOpen);
  if (typeof value !== 'object' || value === null || !hasNames) return value;
  const sent = Object.entries(value).filter(([spelling, member]) => {
    const known = names.get(nameOf(names, spelling));
    return !known || !countsAsAbsent(known, member);
  });
  const spellings = sent.map(([spelling]) => spelling);
  const placeBelow = (name: string): string | undefined => findBelow(names, name);
  const scope = {
    path,
    kind: 'member',
    names,
    isOpen: isOpen || walk.mayHaveOthers,
    spellings,
    placeBelow,
  } as const;
  // `fromEntries` creates plain members, even for special names such as `constructor` (behaviour T10).
  return Object.fromEntries(
    sent.map(([spelling, member]) => {
      const name = readName(scope, spelling, walk);
      const known = names.get(name);
      return [name, known ? readValue(walk, known, member, join(path, name)) : member];
    }),
  );
};

/**
 * Whether a client that sends this value means that the member is absent: Go without omitempty sends "", and Python
 * sends null for None (behaviour T5).
 */
const countsAsAbsent = ({ type, mayBeEmpty }: Place, value: unknown): boolean =>
  value === null || (value === '' && type === 'string' && !mayBeEmpty);

/** Searches for `spelling` one level deeper than `names`. Returns a path such as `connected_account.api_config`. */
const findBelow = (names: Place['members'], spelling: string) => {
  for (const [owner, { members }] of names) {
    const name = nameOf(members, spelling);
    if (members.has(name)) return join(owner, name);
  }
  return undefined;
};

/** The names allowed at one place: the parameters of an operation, or the members of an object. */
interface NameScope {
  /** The path of the object, such as `connected_account`; "" for the query and for the body itself. */
  readonly path: string;
  readonly kind: 'parameter' | 'member';
  /** The allowed names, in the contract's spelling. */
  readonly names: ReadonlyMap<string, unknown>;
  /** Whether all other names are allowed too, as in `metadata`. */
  readonly isOpen: boolean;
  /** The names in the request, in the client's spelling. */
  readonly spellings: readonly string[];
  placeBelow?(name: string): string | undefined;
}

/** Returns a parameter's or member's name in the contract's spelling. Adds a problem or a warning for a wrong name. */
const readName = (scope: NameScope, spelling: string, findings: Findings): string => {
  const { path, kind, names, isOpen, placeBelow } = scope;
  const { isStrict, problems, warnings } = findings;
  const name = nameOf(names, spelling);
  if (!names.has(name)) {
    if (isOpen || problems.length + warnings.length > MOST_VIOLATIONS) return name;
    const below = placeBelow?.(name);
    const advice = below === undefined ? undefined : `Did you mean "${join(path, below)}"?`;
    const unknown = { ...unknownName(path, name, names.keys(), kind), ...(advice && { advice }) };
    if (isStrict) problems.push(unknown);
    else warnings.push(`${unknown.description} ${unknown.advice}`);
  } else if (name !== spelling) addSpelling(scope, name, spelling, findings);
  return name;
};

/** Adds what is wrong with a name in lowerCamelCase (behaviour T3). */
const addSpelling = (
  { path, kind, spellings }: NameScope,
  name: string,
  spelling: string,
  { isStrict, problems, warnings }: Findings,
): void => {
  const field = join(path, name);
  const alias = join(path, spelling);
  const is = `${alias} is spelled ${field} in the contract, and strict mode accepts no other spelling.`;
  if (isStrict) problems.push(spellingProblem(alias, is, `Write ${field}.`));
  if (!spellings.includes(name)) return;
  const both = `${field} was sent in both spellings, ${field} and ${alias}.`;
  if (kind === 'member') problems.push(spellingProblem(field, both, `Send only ${field}.`));
  else warnings.push(`${both} ${alias} was ignored.`);
};

const spellingProblem = (field: string, description: string, advice: string): FieldViolation => ({
  field,
  constraint: 'spelling',
  rule: 'T3',
  description,
  advice,
});

/** Returns a name in the contract's spelling; unknown names stay as they are. */
const nameOf = (names: ReadonlyMap<string, unknown>, spelling: string): string => {
  if (names.has(spelling)) return spelling;
  const other = otherSpelling(spelling);
  return names.has(other) ? other : spelling;
};

/** A member's path: `connected_account.api_config`. */
const join = (place: string, name: string): string => (place === '' ? name : `${place}.${name}`);

/** The violation to report for an unknown name. @param place the path of the object, such as `connected_account` */
export const unknownName = (
  place: string,
  name: string,
  known: Iterable<string>,
  kind: NameScope['kind'],
): FieldViolation => {
  // A name may contain a credential: a body with the wrong Content-Type can parse as one long name.
  const isSafe = !/["'{}<>=:;]/.test(name);
  const field = cut(join(place, isSafe ? name : MASK)) || '""';
  return {
    field,
    constraint: 'unknown',
    rule: 'T2',
    description: `${field} ${unknownWords(kind)}.`,
    advice: adviceOnName(name, [...known], kind),
  };
};
