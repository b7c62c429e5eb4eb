/** How the rows of two files become one list (interface.md, `extends`): by id or natural key, member by member. */
import { type Draft, draftFault } from './draft.ts';
import type { Faults } from './fault.ts';
import type { MembershipForm } from './written.ts';

/** What a row is found by: its id and its natural key, each with its kind, such as `id:org_1` and `name:acme`. */
export type KeysOf<Form> = (form: Form) => readonly string[];

/** A row that can be joined with another. */
type Joinable = { readonly remove?: boolean };

/**
 * `added` put on top of `base`: rows that are there already take the members written anew, others are appended,
 * and a row with `remove: true` goes. Neither list is changed.
 */
export const joinRows = <Form extends Joinable>(
  base: readonly Draft<Form>[],
  added: readonly Draft<Form>[],
  keysOf: KeysOf<Form>,
  faults: Faults,
  merge: (under: Draft<Form>, over: Draft<Form>) => Draft<Form> = mergeRows,
): readonly Draft<Form>[] => {
  if (added.length === 0) return base;
  if (base.length === 0 && !added.some(({ form }) => form.remove)) return added;
  const joined: (Draft<Form> | undefined)[] = [...base];
  const places = new Map(base.flatMap(({ form }, index) => keysOf(form).map((key) => [key, index] as const)));
  const touched = new Set<number>();
  for (const draft of added) {
    const found = new Set(keysOf(draft.form).flatMap((key) => places.get(key) ?? []));
    const [place] = found;
    if (found.size > 1)
      faults.add(draftFault(draft, undefined, 'its id and its natural key belong to two rows'));
    else if (place === undefined && draft.form.remove)
      faults.add(draftFault(draft, 'remove', 'there is no such row to remove'));
    else if (place === undefined) joined.push(draft);
    else if (touched.has(place))
      faults.add(draftFault(draft, undefined, 'this row stands twice; leave one out'));
    else {
      const under = joined[place];
      joined[place] = draft.form.remove || !under ? undefined : merge(under, draft);
      touched.add(place);
    }
  }
  return joined.filter((draft) => draft !== undefined);
};

const mergeRows = <Form extends object>(under: Draft<Form>, over: Draft<Form>): Draft<Form> => ({
  form: { ...under.form, ...over.form },
  origins: [...under.origins, ...over.origins],
});

/** A membership's invite is joined member by member too. */
export const mergeMemberships = (
  under: Draft<MembershipForm>,
  over: Draft<MembershipForm>,
): Draft<MembershipForm> => {
  const merged = mergeRows(under, over);
  const invite = mergeParts(under.form.invite, over.form.invite);
  return invite === undefined ? merged : { ...merged, form: { ...merged.form, invite } };
};

/** Two writings of a part that can be absent: `undefined` says nothing, `null` says that there is none. */
export const mergeParts = <Part extends object>(
  under: Part | null | undefined,
  over: Part | null | undefined,
): Part | null | undefined => {
  if (over === undefined) return under;
  return over === null || !under ? over : { ...under, ...over };
};
