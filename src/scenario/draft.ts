/** Rows on their way from files to tables: what is written, and where each member of it was written. */
import type { SettingsForm } from '../domain/settings-form.ts';
import type { Fault, Path } from './fault.ts';
import { repeater } from './repeat.ts';
import { faultAt, type Source } from './source.ts';
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

/** A fault of a row, at the member that it is about or at the row itself. */
export const draftFault = (draft: Draft<unknown>, member: string | undefined, message: string): Fault => {
  const holders = draft.origins.filter(({ form }) => member === undefined || Object.hasOwn(form, member));
  const origin = holders.at(-1) ?? draft.origins.at(-1);
  if (!origin) return { path: member ?? '', message };
  const path = member !== undefined && holders.length > 0 ? [...origin.path, member] : origin.path;
  return faultAt(origin.source, path, message);
};

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
    access_tokens: form.access_tokens ?? [],
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
