/** Rows on their way from files to tables: what is written, and where each member of it was written. */
import type { SettingsForm } from '../domain/settings-form.ts';
import { type Fault, formatPath, type Path } from './fault.ts';
import { repeater } from './repeat.ts';
import { faultAt, type Source } from './source.ts';
import { isRead, valueAt } from './unread.ts';
import {
  type EnvironmentForm,
  type MembershipForm,
  SECTION_NAMES,
  type SectionName,
  type Sections,
} from './written.ts';

/** One place where (a part of) a row was written. */
interface Origin {
  readonly source: Source;
  readonly path: Path;
  readonly form: object;
}

/** What is written about one row, by one file or by several that extend each other. */
export interface Draft<Form> {
  readonly form: Form;
  /** In the order they were applied; the last one that has a member is where its value comes from. */
  readonly origins: readonly Origin[];
  /** The rows within a user's row. */
  readonly memberships?: readonly Draft<MembershipForm>[];
}

/** What is written about one environment. */
export interface EnvironmentDraft {
  readonly name: string;
  readonly head: Draft<EnvironmentForm>;
  readonly settings: SettingsForm;
  readonly access_tokens: readonly string[];
  readonly sections: { readonly [Name in SectionName]: readonly Draft<Sections[Name]>[] };
}

/** The member that a fault is about, or a place within it such as `['roles', 1]`. */
export type Member = string | Path;

/** A fault of a row, at the member that it is about or at the row itself, and rather at what somebody wrote. */
export const draftFault = (draft: Draft<unknown>, member: Member | undefined, message: string): Fault => {
  const within = [member ?? []].flat();
  const origin = originOf(draft, within) ?? originOf(draft, within.slice(0, 1));
  const last = draft.origins.at(-1);
  if (origin && (!origin.source.isHeld || last?.source.isHeld))
    return faultAt(origin.source, [...origin.path, ...within], message);
  return last ? faultAt(last.source, last.path, message) : { path: formatPath(within), message };
};

/** Where a member was written last, or something within it. */
const originOf = ({ origins }: Draft<unknown>, path: Path): Origin | undefined =>
  origins.findLast(({ form }) => path.length === 0 || valueAt(form, path) !== undefined);

/**
 * Whether it is known what these members are: not so if one is wrong, or is missing beside a name that nobody knows and
 * that may have been meant for it.
 */
export const isKnown = ({ form, origins }: Draft<object>, ...members: readonly string[]): boolean =>
  origins.every(
    ({ source: { unread }, path }) =>
      !unread || members.every((member) => isRead(unread, path, member, Object.hasOwn(form, member))),
  );

/** Whether somebody wrote what stands under a member; what an environment held may be overtaken by what was written. */
export const isWritten = (draft: Draft<unknown>, member: string): boolean =>
  originOf(draft, [member])?.source.isHeld !== true;

/** An environment as one source writes it, its repeated rows made. @param form stands at `path` of the source */
export const draftEnvironment = (
  source: Source,
  name: string,
  form: EnvironmentForm,
  path: Path,
): EnvironmentDraft => {
  const sections = SECTION_NAMES.map((section) => {
    const rows: readonly Sections[SectionName][] = form[section] ?? [];
    return [section, rows.flatMap((row, index) => draftRows(source, row, [...path, section, index]))];
  });
  return {
    name,
    head: { form, origins: [{ source, path, form }] },
    settings: form.settings ?? {},
    access_tokens: (form.access_tokens ?? []).filter((token) => token !== ''), // one that could not be read
    sections: Object.fromEntries(sections) as EnvironmentDraft['sections'], // a list for every section name
  };
};

const draftRows = <Form extends Sections[SectionName]>(
  source: Source,
  row: Form,
  path: Path,
): Draft<Form>[] => {
  const origins = [{ source, path, form: row }];
  if (row.repeat === undefined) return [draftRow(row, origins)];
  const { repeat, ...template } = row;
  const nth = repeater(template);
  // What is left of the form is the form without `repeat`, which is optional in it.
  return Array.from({ length: repeat }, (_, index) => draftRow(nth(index + 1) as Form, origins));
};

const draftRow = <Form extends object>(form: Form, origins: readonly Origin[]): Draft<Form> => {
  if (!('memberships' in form) || !Array.isArray(form.memberships)) return { form, origins };
  const memberships = form.memberships.map(
    (membership: MembershipForm, index): Draft<MembershipForm> => ({
      form: membership,
      origins: origins.map(({ source, path }) => ({
        source,
        path: [...path, 'memberships', index],
        form: membership,
      })),
    }),
  );
  return { form, origins, memberships };
};
