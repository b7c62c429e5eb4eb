/** The kinds of rows that the console shows: what the service tells of each, and else what follows from its section. */
import { loadControlContract } from '../../engine/control/control-document.ts';
import { notFound } from '../../engine/core/errors.ts';
import { valueAt } from '../../engine/core/object.ts';
import { listNames } from '../../engine/core/text.ts';
import { scenarioSchema } from '../../engine/scenario/schema.ts';
import { readable, type Section } from '../../engine/scenario/section.ts';
import type { RowView } from '../../engine/scenario/view.ts';
import { type AnyAction, allSections, type Service } from '../../engine/service.ts';

/** A view that says nothing. */
const PLAIN = { about: [], columns: [], shows: [], fields: [], tones: {} };

type FullView = RowView & Required<Pick<RowView, 'label' | 'one' | 'name' | keyof typeof PLAIN>>;

export interface RowKind extends FullView {
  readonly kind: string;
  /** What can be done to the rows, without how. */
  readonly actions: readonly (Omit<AnyAction, 'step' | 'input'> & { readonly label: string })[];
  /** Absent: e-mails, which are in no table. */
  readonly section: Section | undefined;
  /** The section of the rows that have these rows inside, such as users of memberships. */
  readonly owner: Section | undefined;
  /** The schemas of the members that a scenario can write in a row. */
  readonly members: Readonly<Record<string, { readonly type?: unknown; readonly enum?: readonly string[] }>>;
}

const known = new WeakMap<Service, readonly RowKind[]>();

/** The kinds in the order of the navigation. */
export const kindsOf = (service: Service): readonly RowKind[] => {
  const kinds = known.get(service) ?? readKinds(service);
  known.set(service, kinds);
  return kinds;
};

/** @throws Refusal 404 for an unknown name */
export const requireKind = (service: Service, name: string): RowKind => {
  const kinds = kindsOf(service);
  const found = kinds.find(({ kind }) => kind === name);
  if (found) return found;
  throw notFound(`kind ${name}`, `The kinds are ${listNames(kinds.map(({ kind }) => kind))}.`);
};

const readKinds = (service: Service): readonly RowKind[] => {
  const { views, actions, sections } = service;
  const all = allSections(service);
  const schema = scenarioSchema(service, loadControlContract().document);
  const names = Object.keys(views);
  return (names.length > 0 ? names : all.map(({ name }) => name)).map((kind) => {
    const section = all.find(({ name }) => name === kind);
    const owner = sections.find(({ part }) => part?.section.name === kind);
    const path = owner ? [owner.name, 'properties', kind, 'items'] : [kind];
    const { repeat, remove, ...members } = Object(valueAt(schema, '$defs', ...path, 'properties'));
    return {
      ...PLAIN,
      ...{ kind, section, owner, members, label: readable(kind), one: section?.noun ?? kind },
      name: section?.keys?.[0] ?? section?.idMember ?? 'id',
      actions: (actions[kind] ?? []).map(({ step, input, ...told }) => ({
        label: readable(told.name),
        ...told,
      })),
      ...(views[kind] ?? { group: 'Rows' }),
    };
  });
};
