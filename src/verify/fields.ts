/** The fields of a resource: what each must be like, and the promises that they keep. */
import type { Pattern } from './pattern.ts';
import type { NameIn, PromiseId, Section } from './promises.ts';

export interface Fields {
  /** A promise for each field. */
  readonly cites: readonly PromiseId[];
  /** All of them must be there, and fit. */
  readonly pattern: { readonly [member: string]: Pattern };
}

/** @param members patterns by the names that the section of the ledger has */
export const fieldsOf = <S extends Section>(
  section: S,
  members: { readonly [Name in NameIn<S>]?: Pattern },
): Fields => ({
  // The keys are names of the section, so that each of these is a promise of it.
  cites: Object.keys(members).map((name) => `${section}.${name}` as PromiseId),
  // None is undefined: a member that is left out is no key.
  pattern: members as Fields['pattern'],
});

/** Promises of a section by the values that a field of it can have. */
export const valueCites = (
  section: Section,
  field: string,
  values: readonly string[],
): readonly PromiseId[] => values.map((value) => `${section}.${field}=${value}` as PromiseId);
