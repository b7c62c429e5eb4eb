/** How the rows of two files become one list (interface.md, `extends`): by id or natural key, member by member. */
import { type Draft, draftFault, isKnown } from './draft.ts';
import type { Faults } from './fault.ts';
import type { InviteForm, MembershipForm, SectionName } from './written.ts';

/** What a row is found by: its id and its natural key, each with its kind, such as `id:org_1` and `name:acme`. */
export type KeysOf<Form> = (form: Form) => readonly string[];

/** A row that can be joined with another. */
type Joinable = { readonly remove?: boolean };

/** How the rows of one list are joined. */
export interface Joining<Form> {
  /** Where the list stands, or the rows that hold it. */
  readonly section: SectionName;
  readonly keysOf: KeysOf<Form>;
  readonly faults: Faults;
  /** Default: member by member. */
  readonly merge?: (under: Draft<Form>, over: Draft<Form>) => Draft<Form>;
}

/**
 * `added` put on top of `base`: rows that are there already take the members written anew, others are appended,
 * and a row with `remove: true` goes. Neither list is changed.
 */
export const joinRows = <Form extends Joinable>(
  base: readonly Draft<Form>[],
  added: readonly Draft<Form>[],
  joining: Joining<Form>,
): readonly Draft<Form>[] => {
  if (added.length === 0) return base;
  if (base.length === 0 && !added.some(({ form }) => form.remove)) return added;
  const joined: (Draft<Form> | undefined)[] = [...base];
  const { merge = mergeRows } = joining;
  const find = finder(base, joining);
  for (const draft of added) {
    const place = find(draft);
    if (place === undefined) continue;
    const under = joined[place];
    if (!under) joined.push(draft);
    else joined[place] = draft.form.remove ? undefined : merge(under, draft);
  }
  return joined.filter((draft) => draft !== undefined);
};

const APPEND = -1;

/** Tells which row of `base` an added one is about, or APPEND; undefined, with a fault, where that makes no sense. */
const finder = <Form extends Joinable>(
  base: readonly Draft<Form>[],
  { section, keysOf, faults }: Joining<Form>,
): ((draft: Draft<Form>) => number | undefined) => {
  const places = new Map(base.flatMap(({ form }, index) => keysOf(form).map((key) => [key, index] as const)));
  const touched = new Set<number>();
  const refuse = (draft: Draft<Form>, member: string | undefined, message: string): undefined =>
    faults.add(draftFault(draft, member, message));
  const refuseRemoval = (draft: Draft<Form>): undefined => {
    const mayBeThere = keysOf(draft.form).some((key) => faults.lost.has(section, key.replace(/^\w+:/, '')));
    if (!mayBeThere && isKnown(draft, 'id')) refuse(draft, 'remove', 'there is no such row to remove');
  };
  return (draft) => {
    const [place, ...others] = new Set(keysOf(draft.form).flatMap((key) => places.get(key) ?? []));
    if (others.length > 0) return refuse(draft, undefined, 'its id and its natural key belong to two rows');
    if (place === undefined) return draft.form.remove ? refuseRemoval(draft) : APPEND;
    if (touched.has(place)) return refuse(draft, undefined, 'this row stands twice; leave one out');
    touched.add(place);
    return place;
  };
};

/** Member by member. */
export const mergeRows = <Form extends object>(under: Draft<Form>, over: Draft<Form>): Draft<Form> => ({
  form: { ...under.form, ...over.form },
  origins: [...under.origins, ...over.origins],
});

/** A membership's invite is joined member by member too. What both can say is said by whoever said it last. */
export const mergeMemberships = (
  under: Draft<MembershipForm>,
  over: Draft<MembershipForm>,
): Draft<MembershipForm> => {
  const invite = mergeParts(under.form.invite && overtaken(under.form.invite, over.form), over.form.invite);
  const { inviter_email, ...rest } = under.form;
  const below = over.form.invite?.inviter_email === undefined ? under : { ...under, form: rest };
  const merged = mergeRows(below, over);
  return invite === undefined ? merged : { ...merged, form: { ...merged.form, invite } };
};

/** An invite without what a later writing of its membership says otherwise. */
const overtaken = (invite: InviteForm, { expires_at, membership_status }: MembershipForm): InviteForm => {
  const { expires_at: end, status, ...rest } = invite;
  const isSaid = membership_status !== undefined;
  const staysRevoked = status === 'revoked' && membership_status !== 'PENDING_INVITE';
  return {
    ...rest,
    ...(end !== undefined && expires_at === undefined && { expires_at: end }),
    ...(status !== undefined && (!isSaid || staysRevoked) && { status }),
  };
};

/** Two writings of a part that can be absent: `undefined` says nothing, `null` says that there is none. */
export const mergeParts = <Part extends object>(
  under: Part | null | undefined,
  over: Part | null | undefined,
): Part | null | undefined => {
  if (over === undefined) return under;
  return over === null || !under ? over : { ...under, ...over };
};
