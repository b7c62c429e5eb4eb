/** The kinds of rows that the console shows: what the service tells of each, and else what follows from its section. */
import { loadControlContract } from '../../engine/control/control-document.ts';
import { notFound } from '../../engine/core/errors.ts';
import { valueAt } from '../../engine/core/object.ts';
import { listNames } from '../../engine/core/text.ts';
import { scenarioSchema } from '../../engine/scenario/schema.ts';
import { readable, type Section } from '../../engine/scenario/section.ts';
import type { RowView } from '../../engine/scenario/view.ts';
import { allSections, type Service } from '../../engine/service.ts';
import type { ConsoleSchemas } from './call-types.ts';

export interface Kind {
  readonly kind: string;
  /** What the page gets of the kind. */
  readonly told: Omit<ConsoleSchemas['Kind'], 'count' | 'members'>;
  readonly view: RowView;
  /** Absent: e-mails, which are in no table. */
  readonly section: Section | undefined;
  /** The section of the rows that have these rows inside, such as users of memberships. */
  readonly owner: Section | undefined;
}

const known = new WeakMap<Service, readonly Kind[]>();

/** The kinds in the order of the navigation. */
export const kindsOf = (service: Service): readonly Kind[] => {
  const told = Object.keys(service.views);
  const names = told.length > 0 ? told : allSections(service).map(({ name }) => name);
  const kinds = known.get(service) ?? names.map((kind) => kindOf(service, kind));
  known.set(service, kinds);
  return kinds;
};

/** @throws Refusal 404 for an unknown name */
export const requireKind = (service: Service, name: string): Kind => {
  const kinds = kindsOf(service);
  const found = kinds.find(({ kind }) => kind === name);
  if (found) return found;
  throw notFound(`kind ${name}`, `The kinds are ${listNames(kinds.map(({ kind }) => kind))}.`);
};

const kindOf = (service: Service, kind: string): Kind => {
  const section = allSections(service).find(({ name }) => name === kind);
  const owner = service.sections.find(({ part }) => part?.section.name === kind);
  const view = service.views[kind] ?? { group: 'Rows' };
  const { name = section?.keys?.[0] ?? section?.idMember ?? 'id' } = view;
  const { label = readable(kind), one = section?.noun ?? kind, columns = [], fields = [] } = view;
  const { about = [], shows = [], group, status, also } = view;
  const told = {
    kind,
    label,
    one,
    name,
    columns,
    fields,
    about,
    shows,
    actions: actionsOf(service, kind),
  };
  const more = { ...(group && { group }), ...(status && { status }), ...(also && { also }) };
  // The cast is safe: the call's types only lack `readonly`.
  return { kind, view, section, owner, told: { ...told, ...more } as Kind['told'] };
};

const actionsOf = ({ actions }: Service, kind: string) =>
  (actions[kind] ?? []).map(({ step: _step, input: _input, ...told }) => told);

const schemas = new WeakMap<Service, object>();

/** The schemas of the members that a scenario can write in a row. */
export const membersOf = (
  service: Service,
  { kind, owner }: Kind,
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
