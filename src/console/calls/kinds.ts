/** The kinds of rows that the console shows: what the service tells of each, and else what follows from its section. */
import { loadControlContract } from '../../engine/control/control-document.ts';
import { notFound } from '../../engine/core/errors.ts';
import { valueAt } from '../../engine/core/object.ts';
import { listNames } from '../../engine/core/text.ts';
import { scenarioSchema } from '../../engine/scenario/schema.ts';
import { readable, type Section } from '../../engine/scenario/section.ts';
import type { RowView } from '../../engine/scenario/view.ts';
import { type AnyAction, allSections, type Service } from '../../engine/service.ts';

export interface RowKind {
  readonly kind: string;
  readonly view: RowView & Required<Pick<RowView, 'label' | 'one' | 'name' | keyof typeof PLAIN>>;
  /** What can be done to the rows, without how. */
  readonly actions: readonly Pick<AnyAction, 'name' | 'label' | 'hint' | 'danger' | 'opens' | 'when'>[];
  /** Absent: e-mails, which are in no table. */
  readonly section: Section | undefined;
  /** The section of the rows that have these rows inside, such as users of memberships. */
  readonly owner: Section | undefined;
}

/** A view that says nothing. */
const PLAIN = { about: [], columns: [], shows: [], fields: [], tones: {} };

const known = new WeakMap<Service, readonly RowKind[]>();

/** The kinds in the order of the navigation. */
export const kindsOf = (service: Service): readonly RowKind[] => {
  const told = Object.keys(service.views);
  const names = told.length > 0 ? told : allSections(service).map(({ name }) => name);
  const kinds = known.get(service) ?? names.map((kind) => kindOf(service, kind));
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

const kindOf = (service: Service, kind: string): RowKind => {
  const section = allSections(service).find(({ name }) => name === kind);
  const names = { name: section?.keys?.[0] ?? section?.idMember ?? 'id', label: readable(kind) };
  return {
    kind,
    view: { ...PLAIN, ...names, one: section?.noun ?? kind, ...(service.views[kind] ?? { group: 'Rows' }) },
    actions: (service.actions[kind] ?? []).map(({ step: _step, input: _input, ...told }) => told),
    section,
    owner: service.sections.find(({ part }) => part?.section.name === kind),
  };
};

const schemas = new WeakMap<Service, object>();

/** The schemas of the members that a scenario can write in a row. */
export const membersOf = (
  service: Service,
  { kind, owner }: RowKind,
): Readonly<Record<string, { type?: unknown }>> => {
  const schema = schemas.get(service) ?? scenarioSchema(service, loadControlContract().document);
  schemas.set(service, schema);
  const path = owner ? [owner.name, 'properties', kind, 'items'] : [kind];
  const {
    repeat: _repeat,
    remove: _remove,
    ...members
  } = Object(valueAt(schema, '$defs', ...path, 'properties'));
  return members;
};
