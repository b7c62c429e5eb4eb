/** Holds a scenario against its JSON schema and says what is wrong in words (behaviour X1, X3). */
import type { ErrorObject, ValidateFunction } from 'ajv';
import { isJsonObject } from '../openapi/document.ts';
import type { Faults, Path } from './fault.ts';
import { environment, scenario } from './generated.ts';
import { lose } from './lose.ts';
import { describeProblem } from './messages.ts';
import { excessiveRepeats, MOST_REPEATED, withExamplesOfRepeats } from './repeat.ts';
import { faultAt, readOn, type Source } from './source.ts';
import type { Broken } from './unread.ts';

const VALIDATORS = { scenario, environment } as Readonly<Record<Kind, ValidateFunction>>; // what Ajv has written

/** Whether a source is a whole scenario, or what stands under `environments.NAME`. */
type Kind = 'scenario' | 'environment';

/**
 * Adds a fault for everything in a source that its schema does not allow.
 * @returns the source to go on with: one whose value is what the forms in written.ts describe, without what is wrong
 */
export const checkSource = (source: Source, kind: Kind, faults: Faults): Source => {
  const validate = VALIDATORS[kind];
  const unfit = withExamplesOfRepeats(source.value, kind).flatMap((value) =>
    validate(value) ? [] : relevant(validate.errors ?? []).map((error) => report(source, error, faults)),
  );
  const broken = [...unfit, ...refuseExcess(source, kind, faults)];
  if (faults.isFull()) return { ...source, value: {} }; // nothing more will be looked for
  for (const each of broken) lose(source, kind, each, faults.lost);
  return broken.length === 0 ? source : readOn(source, broken);
};

/** Where there would be too many rows none is repeated, so that nobody waits for those that there may be. */
const refuseExcess = (source: Source, kind: Kind, faults: Faults): readonly Broken[] =>
  excessiveRepeats(source.value, kind).map(({ path, isBeyond }) => {
    const message = `makes more than ${MOST_REPEATED} rows, with those repeated before it`;
    if (isBeyond) faults.add(faultAt(source, path, message));
    return { path };
  });

/** The errors that a reader needs: of several about one value the one that says most. */
const relevant = (errors: readonly ErrorObject[]): readonly ErrorObject[] => {
  const best = new Map<string, ErrorObject>();
  for (const error of errors) {
    if (error.keyword === 'propertyNames') continue; // what is wrong with the name is an error of its own
    const about = `${error.instancePath}\0${namedMember(error) ?? ''}`;
    const other = best.get(about);
    if (!other || weight(error) > weight(other)) best.set(about, error);
  }
  return [...best.values()];
};

/** A list of what is allowed says more than a type, and that more than any rule about the text. */
const WEIGHTS: Readonly<Record<string, number>> = { enum: 3, type: 2, minLength: 1, maxLength: 1 };

const weight = ({ keyword }: ErrorObject): number => WEIGHTS[keyword] ?? 0;

const report = (source: Source, error: ErrorObject, faults: Faults): Broken => {
  const path = readPointer(source.value, error.instancePath);
  const named = namedMember(error);
  const isKey = named !== undefined && error.keyword !== 'required';
  const at = named === undefined || !isKey ? path : [...path, named];
  faults.add(faultAt(source, at, describeProblem(error, path), isKey ? 'key' : 'value'));
  return {
    path: at,
    isUnknownName: error.keyword === 'additionalProperties',
    isKept: isReadable(error),
    item: [error.params.type].flat().includes('object') ? {} : '',
  };
};

const LIMITS = new Set(['pattern', 'format', 'minLength', 'maxLength', 'minItems', 'maxProperties']);

/** Whether a value can stay, though it is not allowed: a text that is too long still is the name that others may use. */
const isReadable = ({ keyword, parentSchema, propertyName }: ErrorObject): boolean => {
  if (propertyName !== undefined) return true;
  const format: unknown = parentSchema?.format; // a text that stands for something, such as a time
  return LIMITS.has(keyword) && (format === undefined || format === 'email');
};

/** The member that an error is about, where it is about a name and not about a value. */
const namedMember = (error: ErrorObject): string | undefined => {
  const { additionalProperty } = error.params as Readonly<Record<string, unknown>>; // an object, for every keyword
  return typeof additionalProperty === 'string' ? additionalProperty : error.propertyName;
};

/** The path that a JSON pointer into `root` names; numbers are positions only within arrays. */
const readPointer = (root: unknown, pointer: string): Path => {
  let value = root;
  return pointer
    .split('/')
    .slice(1)
    .map((part) => {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
      const step = Array.isArray(value) ? Number(name) : name;
      value = Array.isArray(value) ? value[Number(name)] : isJsonObject(value) ? value[name] : undefined;
      return step;
    });
};
