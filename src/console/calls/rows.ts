/** Lists and finds the rows of an environment, in the form that a scenario writes them. */

import type { EnvironmentContext } from '../../engine/control/call-types.ts';
import { loadControlContract } from '../../engine/control/control-document.ts';
import { notFound } from '../../engine/core/errors.ts';
import type { Instant, Moment } from '../../engine/core/moment.ts';
import { valueAt } from '../../engine/core/object.ts';
import { select, takeSelected } from '../../engine/core/selection.ts';
import { allRows, getRow } from '../../engine/core/table.ts';
import type { Environment } from '../../engine/environments/environment.ts';
import { type AnyRow, tableOf } from '../../engine/scenario/loading.ts';
import { scenarioSchema } from '../../engine/scenario/schema.ts';
import { exportRow, type Section } from '../../engine/scenario/section.ts';
import { timesAt } from '../../engine/scenario/times.ts';
import { allSections } from '../../engine/service.ts';
import type { AccountRow } from '../../service/accounts/row.ts';
import { accountStatus } from '../../service/accounts/rules.ts';
import { service } from '../../service/index.ts';
import { newestFirst } from '../../service/logs/rules.ts';
import { membershipsOf } from '../../service/memberships/rules.ts';
import type { State } from '../../service/state.ts';
import type { ConsoleHandlers, ConsoleSchemas } from './call-types.ts';
import { KINDS, type RowKindName, TONES } from './kinds.ts';
import { stateOf } from './state.ts';

export type ShownRow = ConsoleSchemas['Row'];
type Stored = AnyRow;

export const rows = {
  listKinds: (_input, { environment }) => ({
    status: 200,
    body: {
      kinds: KIND_NAMES.map((name) => ({
        ...KINDS[name],
        kind: name,
        count: countOf(environment, name) + (KINDS[name].also ? countOf(environment, KINDS[name].also) : 0),
        members: Object.keys(membersOf(name)).filter((member) => member !== 'repeat' && member !== 'remove'),
      })),
    },
  }),

  listRows: ({ path: { kind }, query: { query = '', page = 1 } }, context) => {
    const found = readerOf(context).find(kind, wordsOf(query));
    const first = (page - 1) * PAGE_SIZE;
    return {
      status: 200,
      body: { rows: found.show(first, first + PAGE_SIZE), total: found.total, page_size: PAGE_SIZE },
    };
  },

  searchRows: ({ query: { query } }, context) => {
    const reader = readerOf(context);
    const names = KIND_NAMES.filter((name) => name !== 'memberships');
    return {
      status: 200,
      body: { rows: names.flatMap((name) => reader.find(name, wordsOf(query)).show(0, FOUND_OF_EACH)) },
    };
  },

  getRow: ({ path: { kind, id } }, context) => {
    const { row, ...reader } = requireRow(context, kind, id);
    const parts = KINDS[kind].shows.map((part) => {
      const found = reader.belonging(part, row);
      return { kind: part, rows: found.show(0, SHOWN_OF_EACH), total: found.total };
    });
    return { status: 200, body: { row: reader.show(kind, row), parts } };
  },
} satisfies Partial<ConsoleHandlers>;

const countOf = ({ outbox, current }: Environment, kind: RowKindName): number =>
  kind === 'emails' ? outbox.list().length : tableOf(current.data, kind).rows.size;

const KIND_NAMES = Object.keys(KINDS) as RowKindName[]; // the cast is safe: the keys of `KINDS` are the names of the kinds
const PAGE_SIZE = 50;
const FOUND_OF_EACH = 4;
const SHOWN_OF_EACH = 20;

/** Kinds of rows that are in tables. */
type TableKind = Exclude<RowKindName, 'emails'>;

export const sectionOf = (kind: TableKind): Section => {
  const section = allSections(service).find(({ name }) => name === kind);
  if (!section) throw new Error(`There is no section ${kind}.`);
  return section;
};

let schema: unknown;

/** The schemas of the members that a scenario can write in a row. */
export const membersOf = (kind: RowKindName): Readonly<Record<string, Readonly<Record<string, unknown>>>> => {
  schema ??= scenarioSchema(service, loadControlContract().document);
  const ofUsers = ['users', 'properties', 'memberships', 'items'];
  return Object(valueAt(schema, '$defs', ...(kind === 'memberships' ? ofUsers : [kind]), 'properties'));
};

/** @throws Refusal 404 */
export const requireRow = (context: EnvironmentContext, kind: RowKindName, id: string) => {
  const reader = readerOf(context);
  const row = reader.all(kind).find((each) => reader.idOf(kind, each) === id);
  if (!row) throw notFound(`${KINDS[kind].one} ${id}`, 'It may have been deleted, or its key has changed.');
  return { ...reader, row };
};

const wordsOf = (query: string): readonly string[] => query.toLowerCase().split(/\s+/).filter(Boolean);

/** All values in a row, without the names of its members. A loop, since a search reads 100,000 rows. */
const leavesOf = (value: object): string => {
  let text = '';
  for (const name in value) {
    const part: unknown = value[name as keyof typeof value];
    text += typeof part === 'object' && part !== null ? leavesOf(part) : ` ${part}`;
  }
  return text;
};

const pick = (given: Stored): Readonly<Record<string, unknown>> => ({ ...given });

/** Reads the rows of an environment as they are now. */
export const readerOf = ({ environment, environments }: EnvironmentContext) => {
  const data = stateOf(environment);
  const at = environment.instant();
  const show = (kind: RowKindName, row: Stored): ShownRow =>
    showRow({ environment, at, data, url: environments.baseUrl }, kind, row);
  const all = (kind: RowKindName): Stored[] => {
    if (kind === 'emails') return emailsOf(environment);
    if (kind !== 'authentication_requests') return [...allRows(tableOf(data, kind))];
    return takeSelected(newestFirst(select(data[kind], {}), at.start), Infinity, 'forward').map(
      ({ row }) => row,
    );
  };
  const listed = (kind: RowKindName, found: readonly Stored[]) => ({
    total: found.length,
    show: (from: number, to: number) =>
      withAccounts(
        data,
        at,
        kind,
        found.slice(from, to).map((row) => show(kind, row)),
      ),
  });
  return {
    all,
    show,
    idOf: (kind: RowKindName, row: Stored): string => idOf(environment, kind, row),
    find: (kind: RowKindName, words: readonly string[]) => {
      const table = all(kind);
      const isStatus = words.some(canBeStatus);
      if (words.length === 0) return listed(kind, table);
      const named = table.find((row) => words.length === 1 && idOf(environment, kind, row) === words[0]);
      return listed(
        kind,
        named ? [named] : table.filter((row) => holds(textOf(data, at, kind, row, isStatus), words)),
      );
    },
    /** The rows of a kind that name this row by its id or its key. */
    belonging: (kind: RowKindName, row: Stored) => {
      const { id, email, name, identifier } = pick(row);
      const keys = [id, email, name, identifier].filter((key) => typeof key === 'string');
      const isNamed = (value: unknown): boolean =>
        Array.isArray(value) ? value.some(isNamed) : keys.includes(value as string);
      return listed(
        kind,
        all(kind).filter((each) =>
          Object.entries(each).some(([member, value]) => !NOT_NAMING.includes(member) && isNamed(value)),
        ),
      );
    },
  };
};

/** Members that name a row without belonging to it. */
const NOT_NAMING = ['id', 'name', 'inviter_email'];

const holds = (text: string, words: readonly string[]): boolean => words.every((word) => text.includes(word));

const names = (data: State, row: Stored): readonly unknown[] => {
  const { organization_id, user_id, account_id } = pick(row);
  const account = account_id === undefined ? undefined : getRow(data.connected_accounts, String(account_id));
  return [
    organization_id && getRow(data.organizations, String(organization_id))?.name,
    user_id && getRow(data.users, String(user_id))?.email,
    ...(account ? [account.connector, account.identifier] : []),
  ];
};

/** What a search looks in: the values of a row, the names of the rows that it names, and its status. */
const textOf = (data: State, at: Instant, kind: RowKindName, row: Stored, isStatus: boolean): string => {
  const own = [leavesOf(row), ...names(data, row), isStatus && statusOf(data, at, kind, row)];
  const inner = kind === 'users' ? membershipsOf(data, String(pick(row).id)) : [];
  const texts = inner.flatMap((each) => [...names(data, each), statusOf(data, at, 'memberships', each)]);
  return [...own, ...texts].join(' ').toLowerCase();
};

const statusOf = (data: State, at: Instant, kind: RowKindName, row: Stored): unknown => {
  const { status } = KINDS[kind];
  if (kind === 'emails' || status === undefined) return undefined;
  if (STATUS_BY_END.includes(kind)) return statusByEnd(at, row);
  // Not by its form, which takes too long for 100,000 rows.
  if (kind === 'connected_accounts') return accountStatus(data, row as AccountRow, at);
  return pick(sectionOf(kind).toForm(data, row, { at, time: timesAt(at, false) }) as Stored)[status];
};

/** Whether a word can be a part of a status, which takes longer to find out than what a row holds. */
const canBeStatus = (word: string): boolean =>
  Object.keys(TONES).some((status) => status.toLowerCase().includes(word));

const idOf = ({ current }: Environment, kind: RowKindName, row: Stored): string =>
  kind === 'emails' ? String(pick(row).id) : tableOf(current.data, kind).spec.id(row);

/** E-mails with their number in the outbox, newest first. */
const emailsOf = ({ outbox }: Environment): Stored[] =>
  outbox
    .list()
    .map((email, place) => ({ ...email, id: place + 1 }) as unknown as Stored)
    .reverse();

interface Shown {
  readonly environment: Environment;
  readonly data: State;
  readonly at: Instant;
  readonly url: string;
}

/** Kinds whose rows have no status of their own: they are open until they are used or end. */
const STATUS_BY_END: readonly string[] = ['authorization_links', 'verification_requests'];

const showRow = ({ environment, data, at, url }: Shown, kind: RowKindName, row: Stored): ShownRow => {
  const id = idOf(environment, kind, row);
  const form =
    kind === 'emails'
      ? { ...row }
      : {
          ...exportRow(sectionOf(kind), data, row, { at, time: timesAt(at, false) }),
          ...more(kind, data, at, row),
        };
  const { name, about, actions } = KINDS[kind];
  const say = (member: string): string => [pick(form as unknown as Stored)[member] ?? ''].flat().join(', ');
  const link = linkOf(environment, url, kind, row);
  return {
    ...{ kind, id, title: say(name) || id, about: about.map(say).filter(Boolean).join(' · ') },
    form,
    actions: actions
      .filter(({ when = {} }) =>
        Object.entries(when).every(([member, values]) => values.includes(say(member))),
      )
      .map((action) => action.name),
    ...(link !== undefined && { link }),
    ...(kind === 'users' && {
      memberships: membershipsOf(data, id).map((each) =>
        showRow({ environment, data, at, url }, 'memberships', each),
      ),
    }),
  };
};

/** What the form of a row does not say. */
const more = (kind: RowKindName, data: State, at: Instant, row: Stored): object => {
  const { user_id } = pick(row);
  if (kind === 'memberships') return { user: getRow(data.users, String(user_id))?.email, user_id };
  return STATUS_BY_END.includes(kind) ? { status: statusByEnd(at, row) } : {};
};

const statusByEnd = (at: Instant, row: Stored): string => {
  const { expires_at, used_at } = pick(row);
  if (used_at !== undefined) return 'USED';
  return at.hasEnded(expires_at as Moment | undefined) ? 'EXPIRED' : 'OPEN';
};

/** The address of the page of a link or an invitation. */
const linkOf = ({ key }: Environment, url: string, kind: RowKindName, row: Stored): string | undefined => {
  const { token, invite, link } = pick(row);
  if (kind === 'emails') return String(link);
  if (kind === 'authorization_links') return `${url}/magicLink/${token}${key}`;
  const isOpen = pick(row).stored_status === 'INVITED';
  return kind === 'memberships' && invite && isOpen
    ? `${url}/invitations/${Object(invite).token}${key}`
    : undefined;
};

/** Users with the number of their accounts by status. */
const withAccounts = (
  data: State,
  at: Instant,
  kind: RowKindName,
  shown: readonly ShownRow[],
): ShownRow[] => {
  if (kind !== 'users') return [...shown];
  const counts = new Map<string, Record<string, number>>(
    shown.flatMap(({ id, title }) => {
      const own = {};
      return [
        [id, own],
        [title, own],
      ] as const;
    }),
  );
  for (const account of allRows(data.connected_accounts)) {
    const own = counts.get(account.user_id ?? '') ?? counts.get(account.identifier);
    if (!own) continue;
    const status = String(statusOf(data, at, 'connected_accounts', account));
    own[status] = (own[status] ?? 0) + 1;
  }
  return shown.map((row) => ({ ...row, accounts: counts.get(row.id) ?? {} }));
};
