/** Makes and changes rows: what a form of the console sends is a row as a scenario writes it. */
import { isDeepStrictEqual } from 'node:util';
import type { EnvironmentContext } from '../../engine/control/control-document.ts';
import { actOn, DONE, idOf, merge, runIn } from '../../engine/control/handlers/environments.ts';
import { invalidField, Refusal, refuse } from '../../engine/core/errors.ts';
import { defined, isJsonObject } from '../../engine/core/object.ts';
import { readScenario } from '../../engine/scenario/scenario-text.ts';
import type { AnyRow, Form, WriteRules } from '../../engine/scenario/section.ts';
import type { ConsoleHandlers, ConsoleSchemas } from './console-document.ts';
import { fieldsOf, type RowKind, requireKind, requireRow, writtenForm } from './rows.ts';

export const forms = {
  createRow: ({ path, body }, context) => {
    const kind = requireKind(context, path.kind);
    const form = readForm(kind, body, true);
    const { create, written } = kind;
    const id = create
      ? runIn(context, create, withIds(context, form)).reply.id
      : put(context, kind, [written?.(form) ?? form], { isCreate: true });
    return { status: 201, body: { id } };
  },

  saveRow: ({ path, body }, context) => {
    const { kind, row, key } = requireKey(context, path);
    const form = readForm(kind, body);
    const changed = Object.keys(key).find((name) => !isDeepStrictEqual(form[name], key[name]));
    if (changed !== undefined && !kind.key)
      throw invalidField(
        changed,
        'const',
        `${changed} identifies this ${kind.one}, so it stays ${JSON.stringify(key[changed])}.`,
        `Make another ${kind.one} instead.`,
      );
    const rows = changed === undefined ? [form] : [{ ...key, remove: true }, form];
    return { body: { id: put(context, kind, rows, { whole: [kind.kind] }, row) } };
  },

  deleteRow: ({ path }, context) => {
    const { kind, row, key } = requireKey(context, path);
    put(context, kind, [{ ...key, remove: true }], {}, row);
    return DONE;
  },

  actOnRow: ({ path: { kind, id, action } }, context) => {
    requireRow(context, kind, id);
    const { link } = Object(actOn(context, kind, action, { id: idOf(context, kind, id) }));
    return { body: defined({ link }) };
  },
} satisfies Partial<ConsoleHandlers>;

/** The row, and the members that identify it as a scenario writes them. */
const requireKey = (context: EnvironmentContext, path: { readonly kind: string; readonly id: string }) => {
  const { kind, row } = requireRow(context, path.kind, path.id);
  const form = writtenForm(context, kind, row);
  if (!form) throw new Refusal('FAILED_PRECONDITION', 'An e-mail cannot be changed.', 'Clear the outbox.');
  const names = kind.key ?? [kind.section?.idMember ?? 'id'];
  return { kind, row, key: Object.fromEntries(names.map((name) => [name, form[name]])) };
};

/** Writes rows, and returns the id of the last one. @param row the row before, if there is one */
const put = (
  context: EnvironmentContext,
  { kind, owner }: RowKind,
  rows: readonly Form[],
  rules: WriteRules,
  row: AnyRow = {},
): string => {
  // A row inside another one, such as a membership, is written with its owner.
  const lists = owner
    ? { [owner.name]: [{ id: Object(row)[`${owner.noun}_id`], [kind]: rows }] }
    : { [kind]: rows };
  const ids: Readonly<Record<string, readonly string[]>> = { ...merge(context, lists, rules).body.written };
  return ids[kind]?.at(-1) ?? '';
};

/** Joins the fields of a form and its text. @throws Refusal 400 for a text that cannot be read, or with all that is missing */
const readForm = (kind: RowKind, { fields = {}, text = '' }: ConsoleSchemas['Form'], isNew = false): Form => {
  const form: Record<string, unknown> = text.trim() === '' ? {} : { ...readText(text, 'a row') };
  const wanted = fieldsOf(kind, isNew);
  for (const { name, many } of wanted) {
    const field = fields[name]?.trim() ?? '';
    const values = field.split(',').flatMap((one) => one.trim() || []);
    if (field !== '') form[name] = many ? values : toValue(field, kind.members[name]?.type);
  }
  const missing = wanted.filter(({ name, required }) => required && form[name] === undefined);
  refuse(
    missing.map(({ name, label = name }) => ({
      field: name,
      constraint: 'required',
      description: `${label} is missing.`,
    })),
  );
  return form;
};

/** Reads the text of a form or a file. @param what what it should be: `a row`. @throws Refusal 400 that names its lines */
export const readText = (text: string, what: string): object => {
  const { value, problems } = readScenario(text);
  refuse(
    problems.map(({ line, column, message }) => ({
      field: 'text',
      constraint: 'yaml',
      description: `Line ${line}, column ${column}: ${message}.`,
    })),
  );
  if (isJsonObject(value)) return value;
  throw invalidField('text', 'type', `This text is not ${what}.`, 'Write `member: value`.');
};

/** The value of a field: a number or a truth value where the row's schema has no text. */
const toValue = (text: string, type: unknown): unknown => {
  if (/^(?:true|false)$/.test(text) && type !== 'string') return text === 'true';
  return type === 'integer' && Number.isFinite(Number(text)) ? Number(text) : text;
};

/** A form with ids in place of the names of rows. */
const withIds = (context: EnvironmentContext, form: Form): Form => {
  const toId = (member: string, named: unknown): unknown => {
    if (Array.isArray(named)) return named.map((each) => toId(member, each));
    const { kind } = context.environment.service.references[member] ?? {};
    return kind && typeof named === 'string' ? idOf(context, kind, named) : named;
  };
  return Object.fromEntries(Object.entries(form).map(([name, value]) => [name, toId(name, value)]));
};
