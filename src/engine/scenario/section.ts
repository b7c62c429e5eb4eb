/** Sections: how rows of one kind are loaded (load-rows.ts), exported (export.ts), named by other rows, and shown. */
import { isDeepStrictEqual } from 'node:util';
import type { Contract } from '../contract/load.ts';
import type { Refusal } from '../core/errors.ts';
import type { Instant, Moment } from '../core/moment.ts';
import { defined, isJsonObject, type JsonObject, valueAt } from '../core/object.ts';
import { getRow, rowsBy, select, type Table, takeSelected } from '../core/table.ts';
import { didYouMean, listNames } from '../core/text.ts';
import type { Effects, EngineEnv } from '../operation.ts';
import type { EngineSettings } from '../settings.ts';
import type { ClientRow, EngineState } from '../state.ts';
import type { Path } from './scenario-text.ts';
import {
  described,
  type FormOf,
  type MemberSchema,
  object,
  type RowControl,
  STRING,
  TEXT,
} from './schema.ts';
import type { Source } from './source.ts';
import type { FormatTime } from './times.ts';

export type AnyRow = object;

/** A row as a scenario writes it. */
export type Form = RowControl & { readonly [member: string]: unknown };

export type FormMembers<OfForm> = { readonly [Member in keyof OfForm]?: unknown };

/** The table with this name, whatever its rows. */
export const tableOf = (state: EngineState, name: string): Table<AnyRow, string> => {
  const table = (state as unknown as Readonly<Record<string, Table<AnyRow, string> | undefined>>)[name]; // the cast is safe: all else in a state is not named like a section
  if (table) return table;
  throw new Error(`The state has no table ${name}.`);
};

/** What the engine knows of an API, besides its rows. */
export interface Api {
  readonly contract: Contract;
  /** The prefixes that ids can have, such as `ca`. */
  readonly prefixes: readonly string[];
  /** The first segments of the addresses of pages, such as `/invitations`. */
  readonly pagePaths: readonly string[];
  readonly live?: LiveThing;
}

/** A kind of row that a stub can ask to be live before it answers (behaviour X6). */
export interface LiveThing<OfState extends EngineState = EngineState> {
  /** The member of a stub that names the row. */
  readonly member: string;
  readonly schema: JsonObject;
  /** Adds a problem for a name that no row can have. */
  check(open: OpenState<OfState>, written: WrittenRow<unknown>, name: string): void;
  /** Why the row with this name is not live; undefined if it is. */
  refuse(state: OfState, name: string, at: Instant): Refusal | undefined;
}

/** How rows are written into an environment that runs. */
export interface WriteRules {
  /** Refuses rows that are there already (behaviour N4). */
  readonly isCreate?: boolean | undefined;
  /** Lists whose rows are written as a whole: a row loses the members that it does not have here. */
  readonly whole?: readonly string[];
}

/** The environment that rows are loaded into. */
export interface LoadContext<Settings extends EngineSettings = EngineSettings> {
  readonly environmentId: string;
  readonly settings: Settings;
  /** The default for the times of a row, such as the creation time. */
  readonly now: Moment;
  /** The instants at which statuses such as EXPIRED are checked; `UNKNOWN_CLOCK` if the time is unknown. */
  readonly instants: readonly [Instant, ...Instant[]];
  /** For rows of `PATCH .../state`. Their relative times count from now, all others from the start (behaviour E6). */
  readonly write?: WriteRules | undefined;
}

/** A copy of a state that rows are loaded into; `state` has all changes so far. */
export interface OpenState<
  OfState extends EngineState = EngineState,
  Settings extends EngineSettings = EngineSettings,
> extends LoadContext<Settings> {
  readonly api: Api;
  readonly state: OfState;
  put(name: string, row: AnyRow): void;
  /** Returns `written` or, if it is absent, generates an id (behaviour I1). */
  id(written: string | undefined, prefix: string): string;
  token(written?: string): string;
  /** Reads a time that has passed the schema check. Returns `fallback` if the time is absent. */
  momentOr(text: string | undefined, fallback: Moment): Moment;
  /** Reads an optional time. Returns undefined for `never`, and `fallback` if the time is absent. */
  endOr(text: string | undefined, fallback?: Moment): Moment | undefined;
}

/** A row that is being loaded: a new row, or changes to an existing row. */
export interface WrittenRow<OfSection = Form> {
  /** The members of the row as the scenario writes them. */
  readonly own: OfSection;
  /** `own`, or the existing row with the changes in `own`. For `toRow`, ids replace the names of other rows. */
  readonly form: OfSection;
  readonly source: Source;
  /** Adds a problem at a member, or inside it, or, if the scenario leaves the member out, at the place of the row. */
  problem(member: string | Path | undefined, message: string): undefined;
}

/** The rows of a table that one scenario file contains, by id. */
export type WrittenRows = (table: string) => ReadonlyMap<string, WrittenRow>;

export interface ExportContext {
  /** The instant for which statuses are computed. If it is absent, the export contains the stored statuses. */
  readonly at?: Instant;
  readonly time: FormatTime;
  /** Leaves out what is derived: the settings decide the defaults of some members. */
  readonly settings?: EngineSettings;
}

/** One of the names by which a scenario identifies a row: a member, and in words `the key_id "mail"`. */
export interface RowName {
  readonly member: string;
  readonly key: string;
  readonly row: AnyRow | undefined;
}

export interface Section<
  Row = AnyRow,
  OfForm = Form,
  OfState extends EngineState = EngineState,
  Settings extends EngineSettings = EngineSettings,
> {
  /** The name of the list in a scenario, such as `users`, and of the table that holds the rows. */
  readonly name: string;
  /** The word for a row in messages, such as `user`. */
  readonly noun: string;
  /** A short example of a row, for messages. */
  readonly example: string;
  /** The member that holds the id. Default: `id`. */
  readonly idMember?: string;
  /** A form with the members from which the table makes the id, if a form has others. */
  asRow?(form: OfForm): object;
  /** Other members that identify a row. The table has an index named after each of them. */
  readonly keys?: readonly string[];
  /** Finds the row that two members identify together, such as connector and identifier. */
  findPair?(state: OfState, form: OfForm): RowName;
  /** Members that refer to a row of another list. `toRow` receives the id of that row. */
  readonly references?: { readonly [Member in keyof OfForm]?: RowReference };
  /** The schema of a row in a scenario, without `repeat` and `remove`. */
  readonly schema: JsonObject;
  /** Creates the row. If that is impossible, adds a problem and returns undefined. */
  toRow(open: OpenState<OfState, Settings>, written: WrittenRow<OfForm>): Row | undefined;
  toForm(state: OfState, row: Row, context: ExportContext): FormMembers<OfForm>;
  /** What members get if a scenario leaves them out. When a change is merged into the row, they follow the change. */
  derived?(
    state: OfState,
    row: Row,
    context: ExportContext & { readonly settings: Settings },
  ): FormMembers<OfForm>;
  /** The rows in the order of an export. Default: the order of the table. */
  inOrder?(state: OfState, at: Instant): Iterable<Row>;
  /** Called after all rows of this kind have been loaded. */
  complete?(open: OpenState<OfState, Settings>, rows: WrittenRows): void;
  /** A list inside each row, such as the memberships of a user. When a row is removed, its inner rows are removed too. */
  readonly part?: {
    readonly section: Section;
    forms(form: OfForm, owner: Row): readonly Form[];
    rowsOf(state: OfState, owner: Row): readonly AnyRow[];
  };
  /** The rows to which this row refers, by id or by one of `keys`: `connections/ID`, `custom_providers/IDENTIFIER`. */
  names?(row: Row): readonly string[];
  /** Members that cannot change while another row refers to this row. */
  readonly decisive?: readonly string[];
  /** Members that name rows by id or by other name, so a different name here does not contradict the row. */
  readonly anyName?: readonly string[];
  /** Members that hold an object. A change to an existing row can set single members of this object. */
  readonly joined?: readonly string[];
  /** When a change to an existing row sets a member, the row loses the members that are listed with it. */
  readonly replaces?: Readonly<Record<string, readonly string[]>>;
}

/** Exports a row with its inner lists. Writes names of other rows instead of ids. */
export const exportRow = (
  section: Section,
  state: EngineState,
  row: AnyRow,
  context: ExportContext,
): Form => {
  const { part, references = {} } = section;
  const form = formOf(section, state, row, context);
  for (const [member, kind] of Object.entries(references))
    if (kind && typeof form[member] === 'string') form[member] = nameOf(kind, state, form[member]);
  const parts = part?.rowsOf(state, row).map((each) => exportRow(part.section, state, each, context)) ?? [];
  return part && parts.length > 0 ? { ...form, [part.section.name]: parts } : form;
};

/** A row as a row of a scenario file, with ids of other rows; with `settings`, without what is derived. */
export const formOf = (
  section: Section,
  state: EngineState,
  row: AnyRow,
  context: ExportContext,
): Record<string, unknown> => {
  const { settings } = context;
  const members = section.toForm(state, row, context);
  if (!settings) return defined(members);
  return withoutDerived(members, section.derived?.(state, row, { ...context, settings }) ?? {});
};

const withoutDerived = (members: object, derived: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]): [string, unknown][] => {
      const known = valueAt(derived, name);
      if (value === undefined || isDeepStrictEqual(value, known)) return [];
      return [[name, isJsonObject(value) && isJsonObject(known) ? withoutDerived(value, known) : value]];
    }),
  );

/** Makes a name readable: `ticket_desk` becomes `Ticket desk`. */
export const readable = (name: string): string => {
  const words = name.replace(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

type NamedRow = { readonly id: string };

/** A kind of row that other rows refer to, by id or by a natural key such as the name of an organization. */
export interface RowReference<Row extends NamedRow = NamedRow, OfState extends EngineState = EngineState> {
  /** The name of the table. */
  readonly kind: string;
  readonly noun: string;
  /** Of a member that refers to a row of this kind. */
  readonly schema: MemberSchema<string>;
  keyOf(row: Row): string;
  find(state: OfState, text: string): Row | undefined;
}

/** @param key the member that is the natural key of a row; the table has an index of its name */
export const defineReference = <Row extends NamedRow, OfState extends EngineState>(
  kind: keyof OfState & string,
  noun: string,
  key: keyof Row & string,
): RowReference<Row, OfState> => ({
  kind,
  noun,
  schema: described(TEXT, `The ${noun}, by id or by ${key}.`),
  keyOf: (row) => String(row[key]),
  find: (state, text) => {
    const table = tableOf(state, kind);
    const spelled = String(table.spec.indexes[key]?.({ [key]: text })); // as the index compares it
    return (getRow(table, text) ?? rowsBy(table, key, spelled)[0]) as Row | undefined; // the cast is safe: the table has this name and such rows
  },
});

/** The natural key of a row, or its id if the key is ambiguous. */
export const nameOf = <Row extends NamedRow, OfState extends EngineState, Id extends string | undefined>(
  { keyOf, find }: RowReference<Row, OfState>,
  state: OfState,
  id: Id,
): string | Id => {
  const row = id && find(state, id);
  const key = row && row.id === id ? keyOf(row) : id;
  return key && find(state, key)?.id === id ? key : id;
};

/** More names are not compared with a misspelt one, since that could take long. */
const MOST_COMPARED = 5_000;

/**
 * Finds the row to which a member refers. For an unknown name, adds a problem that suggests a similar name.
 * @param advice the end of the problem's message: what else could be written
 */
export const findNamed = <Row extends NamedRow, OfState extends EngineState>(
  { state }: OpenState<OfState>,
  written: WrittenRow<unknown>,
  member: string | Path,
  { kind, noun, keyOf, find }: RowReference<Row, OfState>,
  name: string | undefined,
  advice = '',
): Row | undefined => {
  const row = name === undefined ? undefined : find(state, name);
  if (name === undefined || row !== undefined) return row;
  const table = tableOf(state, kind);
  const known = takeSelected(select(table, {}), MOST_COMPARED, 'forward').map((one) => keyOf(one.row as Row));
  const all =
    known.length > 0
      ? `The ${noun}s are ${listNames(known, table.rows.size)}`
      : `There are no ${noun}s yet; write it below ${kind}`;
  const told = didYouMean(name, known) || ` ${all}.`;
  return written.problem(member, `there is no ${noun} "${name}".${told}${advice}`);
};

const CLIENT = object({ client_id: TEXT, client_secret: TEXT, name: TEXT, scope: STRING });

export type ClientForm = FormOf<typeof CLIENT>;

/** The clients of the API (behaviour E3). */
export const clients: Section<ClientRow, ClientForm> = {
  name: 'clients',
  noun: 'client',
  example: '{ client_id: my-client, client_secret: my-secret }',
  idMember: 'client_id',
  schema: CLIENT,
  toRow: (_, { form: { client_id, client_secret, name, scope }, problem }) =>
    client_id === undefined || client_secret === undefined
      ? problem(undefined, 'a client needs client_id and client_secret')
      : defined({ client_id, client_secret, name, scope }),
  toForm: (_, row) => row,
};

/** How people see the rows of a kind. A service tells it as data; what it leaves out follows from the section. */
export interface RowView<Row = AnyRow, OfState extends EngineState = EngineState, Env = EngineEnv> {
  /** What several rows are called, such as `Accounts`, and a single one. */
  readonly label?: string;
  readonly one?: string;
  /** The group in the navigation. Absent: the kind is not there. */
  readonly group?: string;
  /** The member that names a row. */
  readonly name?: string;
  /** Members below the name. */
  readonly about?: readonly string[];
  /** The member that is a status, and how each status looks. */
  readonly status?: string;
  readonly tones?: Readonly<Record<string, 'good' | 'info' | 'warn' | 'bad' | 'quiet'>>;
  /** Members, and kinds of which a row shows those that belong to it. */
  readonly columns?: readonly string[];
  /** At most four fields of a form. All else is YAML. */
  readonly fields?: readonly FormField[];
  /** Kinds of which an open row shows those that belong to it. */
  readonly shows?: readonly string[];
  /** Members that identify a row and can change all the same. */
  readonly key?: readonly string[];
  /** What people see of a row besides its form. */
  more?(state: OfState, row: Row, at: Instant): object;
  /** The path of the row's page, without the environment's key. */
  page?(row: Row): string | undefined;
  end?(state: OfState, row: Row, at: Instant): RowEnd | undefined;
  /** The row as a reply of the API has it. */
  present?(state: OfState, row: Row, env: Env): object;
  /** The row of a scenario that the form of a new row means. */
  written?(form: Form): Form;
  /** Makes a row as the API would. @param given ids in place of names */
  create?(
    state: OfState,
    given: Form,
    env: Env,
  ): { readonly reply: { readonly id: string } } & Effects<OfState>;
}

export interface FormField {
  readonly name: string;
  readonly label?: string;
  readonly required?: boolean;
  /** Several values, separated by commas. */
  readonly many?: boolean;
  /** Only in the form of a new row. */
  readonly onlyNew?: boolean;
  /** What to pick from: the rows of a kind, or these values. */
  readonly pick?: string | readonly string[];
}

/** The time when a row ends, and what ends, such as `invitation`. */
export interface RowEnd {
  readonly what: string;
  /** Whose it is. */
  readonly of: string;
  readonly at: Moment;
  /** Whether the provider refreshes it, so that nothing ends. */
  readonly isRefreshed?: boolean;
}
