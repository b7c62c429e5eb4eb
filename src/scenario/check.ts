/** Holds a scenario against its JSON schema and says what is wrong in words (behaviour X1, X3). */
import type { ErrorObject } from 'ajv';
import { isJsonObject } from '../contract/document.ts';
import { isPrebuiltContract, loadContract } from '../contract/load.ts';
import type { Faults, Path } from './fault.ts';
import { describeProblem } from './messages.ts';
import { PREBUILT_VALIDATORS } from './prebuilt-validators.ts';
import { withExamplesOfRepeats } from './repeat.ts';
import { scenarioSchema } from './schema.ts';
import { faultAt, type Source } from './source.ts';
import { compileValidators, type Validators } from './validators.ts';

let compiled: Validators | undefined;

/** Those of the build, if the contract is the one it knew; else compiled at first use, once per process. */
const validators = (): Validators => {
  compiled ??= (isPrebuiltContract() && PREBUILT_VALIDATORS) || compileAll();
  return compiled;
};

const compileAll = (): Validators => compileValidators(scenarioSchema(loadContract().document));

/**
 * Adds a fault for everything in a source that its schema does not allow.
 * @param kind whether the source is a whole scenario, or what stands under `environments.NAME`
 * @returns whether there was none, so that the value is what the forms in written.ts describe
 */
export const checkSource = (source: Source, kind: keyof Validators, faults: Faults): boolean => {
  const validate = validators()[kind];
  let isValid = true;
  for (const value of withExamplesOfRepeats(source.value, kind)) {
    if (validate(value)) continue;
    isValid = false;
    for (const error of relevant(validate.errors ?? [])) report(source, error, faults);
  }
  return isValid;
};

/** A name that breaks a rule is reported twice by the validator; the one that says why is enough. */
const relevant = (errors: readonly ErrorObject[]): readonly ErrorObject[] =>
  errors.filter(({ keyword }) => keyword !== 'propertyNames');

const report = (source: Source, error: ErrorObject, faults: Faults): void => {
  const path = readPointer(source.value, error.instancePath);
  const named = namedMember(error);
  const isKey = named !== undefined && error.keyword !== 'required';
  const at = named === undefined || !isKey ? path : [...path, named];
  faults.add(faultAt(source, at, describeProblem(error, path), isKey ? 'key' : 'value'));
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
