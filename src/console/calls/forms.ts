/** Makes and changes rows: what a form of the console sends is a row as a scenario writes it. */
import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { isJsonObject } from '../../engine/contract/document.ts';
import type { EnvironmentContext } from '../../engine/control/call-types.ts';
import { DONE, idOf, runIn } from '../../engine/control/handlers/shared.ts';
import { merge } from '../../engine/control/handlers/state.ts';
import { type FieldViolation, invalidField, Refusal, refuse } from '../../engine/core/errors.ts';
import { defined } from '../../engine/core/object.ts';
import type { Form, WriteRules } from '../../engine/scenario/loading.ts';
import { shortForm } from '../../engine/scenario/section.ts';
import { readScenario } from '../../engine/scenario/text.ts';
import { timesAt } from '../../engine/scenario/times.ts';
import { openLink } from '../../service/links/actions.ts';
import { signIn } from '../../service/logs/actions.ts';
import { createMembership } from '../../service/memberships/operations.ts';
import type { ConsoleHandlers } from './call-types.ts';
import { KINDS, type RowKindName } from './kinds.ts';
import { membersOf, requireRow, sectionOf } from './rows.ts';

export const forms = {
  writeRow: ({ path: { kind, id } }, context) => {
    const form = formOf(context, kind, id);
    const names = KINDS[kind].fields.filter(({ onlyNew }) => !onlyNew).map(({ name }) => name);
    const rest = Object.entries(form).filter(([name]) => !names.includes(name));
    const fields = names.map((name) => [name, [form[name] ?? ''].flat().join(', ')]);
    const text = rest.length > 0 ? stringify(Object.fromEntries(rest), { lineWidth: 0 }) : '';
    return { status: 200, body: { fields: Object.fromEntries(fields), text } };
  },

  createRow: ({ path: { kind }, body }, context) => {
    const form = readForm(kind, body, true);
    const create = CREATE[kind] ?? ((of: EnvironmentContext, row: Form) => put(of, kind, [row], NEW));
    return { status: 201, body: { id: create(context, form) } };
  },

  saveRow: ({ path: { kind, id }, body }, context) => {
    const before = formOf(context, kind, id);
    const after = readForm(kind, body, false);
    const key = keyOf(kind, before);
    const changed = Object.keys(key).find((name) => !isDeepStrictEqual(after[name], before[name]));
    if (changed !== undefined && kind !== 'stubs')
      throw invalidField(
        changed,
        'const',
        `${changed} identifies this ${KINDS[kind].one}, so it stays ${JSON.stringify(before[changed])}.`,
        `Make another ${KINDS[kind].one} instead.`,
      );
    const rows =
      changed === undefined ? [{ ...after, ...goneParts(before, after) }] : [{ ...key, remove: true }, after];
    return {
      status: 200,
      body: {
        id: put(
          context,
          kind,
          rows.map((row) => withOwner(kind, id, row)),
          savingOf(kind),
        ),
      },
    };
  },

  deleteRow: ({ path: { kind, id } }, context) => {
    const before = formOf(context, kind, id);
    put(context, kind, [withOwner(kind, id, { ...keyOf(kind, before), remove: true })], {});
    return DONE;
  },
} satisfies Partial<ConsoleHandlers>;

const NEW: WriteRules = { isCreate: true };

/** A form has all members of a row. */
const savingOf = (kind: RowKindName): WriteRules => ({
  whole: kind === 'users' ? ['users', 'memberships'] : kind === 'emails' ? [] : [kind],
});

/** The members that identify a row, where that is not its id. */
const KEYS: Partial<Record<RowKindName, readonly string[]>> = {
  memberships: ['organization_id'],
  authorization_links: ['token'],
  verification_requests: ['auth_request_id'],
  authentication_requests: ['auth_request_id'],
  stubs: ['method', 'path'],
};

const keyOf = (kind: RowKindName, form: Form): Form =>
  Object.fromEntries((KEYS[kind] ?? ['id']).map((name) => [name, form[name]]));

const isRow = (value: unknown): value is Form => typeof value === 'object' && value !== null;

/** The memberships of a user with those that are no longer there, to remove them. */
const goneParts = ({ memberships: before }: Form, { memberships: after }: Form): Form => {
  const [old, kept] = [before, after].map((list) => (Array.isArray(list) ? list.filter(isRow) : []));
  const organizations = kept?.map(({ organization_id }) => organization_id);
  const gone = old?.filter(({ organization_id }) => !organizations?.includes(organization_id)) ?? [];
  const removed = gone.map(({ organization_id }) => ({ organization_id, remove: true }));
  return removed.length > 0 ? { memberships: [...(kept ?? []), ...removed] } : {};
};

/** A row as a scenario would write it, without what is derived. */
const formOf = (context: EnvironmentContext, kind: RowKindName, id: string): Form => {
  if (kind === 'emails')
    throw new Refusal('FAILED_PRECONDITION', 'An e-mail cannot be changed.', 'Clear the outbox.');
  const { row } = requireRow(context, kind, id);
  const { data: state, settings } = context.environment.current;
  return shortForm(sectionOf(kind), state, row, {
    settings,
    time: timesAt(context.environment.instant(), false),
  });
};

/** A membership as its user writes it. */
const withOwner = (kind: RowKindName, id: string, form: Form): Form =>
  kind === 'memberships' ? { id: id.split('/')[1], memberships: [form] } : form;

/** Writes rows, and returns the id of the last one. */
const put = (
  context: EnvironmentContext,
  kind: RowKindName,
  rows: readonly Form[],
  rules: WriteRules,
): string => {
  const list = kind === 'memberships' ? 'users' : kind;
  const { written } = merge(context, { [list]: rows }, rules).body;
  const ids: Readonly<Record<string, readonly string[]>> = { ...written };
  return (ids[kind] ?? ids[list] ?? []).at(-1) ?? '';
};

interface Sent {
  readonly fields?: Readonly<Record<string, string>>;
  readonly text?: string;
}

/** Joins the fields of a form and its text. @throws Refusal 400 with all that is missing or cannot be read */
const readForm = (kind: RowKindName, { fields = {}, text = '' }: Sent, isNew: boolean): Form => {
  const { value = {}, problems } = text.trim() === '' ? { problems: [] } : readScenario(text);
  const wrong: FieldViolation[] = problems.map(({ line, column, message }) => ({
    ...{ field: 'text', constraint: 'yaml', description: `Line ${line}, column ${column}: ${message}.` },
  }));
  if (wrong.length === 0 && !isJsonObject(value))
    wrong.push({
      field: 'text',
      constraint: 'type',
      description: 'This is not a row: write `member: value`.',
    });
  const known = KINDS[kind].fields.filter(({ onlyNew }) => isNew || !onlyNew);
  const given = known.flatMap(({ name, many }): [string, unknown][] => {
    const field = fields[name]?.trim() ?? '';
    if (field === '') return [];
    return [
      [
        name,
        many
          ? field
              .split(',')
              .map((each) => each.trim())
              .filter(Boolean)
          : toValue(kind, name, field),
      ],
    ];
  });
  const form: Form = { ...(isJsonObject(value) ? value : {}), ...Object.fromEntries(given) };
  for (const { name, required, label = name } of known)
    if (required && form[name] === undefined)
      wrong.push({ field: name, constraint: 'required', description: `${label} is missing.` });
  refuse(wrong);
  return form;
};

/** The value of a field: a number or a truth value where the row's schema has no text. */
const toValue = (kind: RowKindName, name: string, text: string): unknown => {
  const schema = membersOf(kind)[name] ?? {};
  if (/^(?:true|false)$/.test(text) && schema.type !== 'string') return text === 'true';
  return [schema.type].flat().some((type) => type === 'integer' || type === 'number') &&
    Number.isFinite(Number(text))
    ? Number(text)
    : text;
};

type Create = (context: EnvironmentContext, form: Form) => string;

/** Kinds whose new rows are made as the API or a sign-in makes them. */
const CREATE: Partial<Record<RowKindName, Create>> = {
  users: (context, { organizations, roles, ...form }) => {
    const memberships = [organizations ?? []]
      .flat()
      .map((organization_id) => ({ organization_id, ...defined({ roles }) }));
    return put(context, 'users', [{ ...form, ...(memberships.length > 0 && { memberships }) }], NEW);
  },

  memberships: (context, { user_id, organization_id, roles, send_invitation_email, ...rest }) => {
    const path = {
      organization_id: idOf(context, 'organizations', String(organization_id)),
      id: idOf(context, 'users', String(user_id)),
    };
    const ids = [roles ?? []].flat().map((role) => ({ id: idOf(context, 'roles', String(role)) }));
    runIn(context, createMembership, {
      path,
      query: typeof send_invitation_email === 'boolean' ? { send_invitation_email } : {},
      body: { ...rest, roles: ids },
    });
    return `${path.organization_id}/${path.id}`;
  },

  authorization_links: (context, { account, ...given }) => {
    const id = idOf(context, 'connected_accounts', String(account));
    const { link } = runIn(context, openLink, { ...given, id }).reply;
    return (link.split('/').at(-1) ?? '').slice(0, 43); // the token as it is stored, without the environment's key
  },

  authentication_requests: (context, { connection_id, ...given }) => {
    const named =
      connection_id === undefined
        ? {}
        : { connection_id: idOf(context, 'connections', String(connection_id)) };
    const made = runIn(context, signIn, { ...given, ...named } as Parameters<typeof signIn>[1]).reply;
    return String(Object(made).auth_request_id);
  },
};
