/** Cursor paging (behaviour I4). Page tokens hold the list's filters, and name the rows at the edge of their page. */
import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type FieldViolation, refuse } from './errors.ts';
import { countSelected, type Direction, type Position, type Selection, takeSelected } from './table.ts';
import { cut } from './text.ts';

/** The filters of a list, by name. An absent filter is undefined or, if the filter can have several values, `[]`. */
export type Filters = Readonly<Record<string, string | undefined | readonly string[]>>;

export type Page<Row> = ReturnType<typeof readPage<Row, Filters>>;

export interface PageRequest<Row, Known extends Filters> {
  /** The name of the list. A page token of another list is refused. */
  readonly list: string;
  readonly filters: Known;
  /** Other violations of the query, refused together with an unusable `page_token` (behaviour R1). */
  readonly violations?: readonly FieldViolation[];
  /** If absent or 0, a page has ten rows (behaviour I3). */
  readonly page_size?: number | undefined;
  readonly page_token?: string | undefined;
  /** Selects the list's rows. If there is a page token, `filters` come from it; otherwise, from the request. */
  readonly select: (filters: Known) => Selection<Row>;
}

interface Cursor<Known extends Filters> {
  readonly list: string;
  readonly filters: Known;
  readonly direction: Direction;
  /** Where the page begins, going in `direction`. Absent for the first page in that direction. */
  readonly from?: Edge | undefined;
}

/** The edge between two pages. Ids hold after an export is put back or served again; positions hold without rows. */
interface Edge {
  /** The id of the last row of the earlier page. */
  readonly after: string;
  /** The id of the row behind it, which counts if the last row is gone. */
  readonly before: string;
  /** The position of the last row, which counts if both rows are gone. */
  readonly position: Position;
}

const DEFAULT_SIZE = 10;

/** One page of a list. @throws Refusal 400 for the request's `violations`, and for an unusable page token */
export const readPage = <Row, Known extends Filters>(request: PageRequest<Row, Known>) => {
  const { list, violations = [] } = request;
  const { cursor, wrong } = readToken(request);
  refuse([...violations, ...wrong]);
  const filters = { ...request.filters, ...cursor?.filters };
  const selection = request.select(filters);
  const size = request.page_size || DEFAULT_SIZE;
  const direction = cursor?.direction ?? 'forward';
  const taken = takeSelected(selection, size + 1, direction, cursor && findEdge(selection, cursor));
  const shown = taken.slice(0, size);
  if (direction === 'backward') shown.reverse();
  const token = (way: Direction): string => {
    const last = way === 'forward' ? shown.at(-1) : shown[0]; // none if the page is empty
    const next =
      way === direction ? taken[size] : cursor && takeSelected(selection, 1, way, last?.position)[0];
    if (!next) return '';
    const idOf = selection.table.spec.id;
    const from = last && { after: idOf(last.row), before: idOf(next.row), position: last.position };
    return writeCursor({ list, filters, direction: way, from });
  };
  return {
    rows: shown.map(({ row }) => row),
    /** Empty on the last page. */
    next_page_token: token('forward'),
    /** Empty on the first page. */
    prev_page_token: token('backward'),
    /** The number of rows on all pages together. */
    total_size: countSelected(selection),
  };
};

/** Where a page begins: after this position in the list's present state. */
const findEdge = <Row>(selection: Selection<Row>, { direction, from }: Cursor<Filters>) => {
  if (!from) return undefined;
  const after = selection.table.positions.get(from.after);
  const before = selection.table.positions.get(from.before);
  if (after !== undefined || before === undefined) return after ?? from.position;
  return takeSelected(selection, 1, direction === 'forward' ? 'backward' : 'forward', before)[0]?.position;
};

const writeCursor = (cursor: Cursor<Filters>): string => {
  const text = JSON.stringify(cursor);
  return Buffer.from(checksum(text) + text).toString('base64url');
};

const CHECKSUM_LENGTH = 8;

/** Each page token begins with this checksum, so that a token that was cut, edited or made up cannot be read. */
const checksum = (text: string): string => hash('sha1', text, 'base64url').slice(0, CHECKSUM_LENGTH);

/** The cursor in a page token, or why the token is unusable. */
const readToken = <Row, Known extends Filters>({ page_token, list, filters }: PageRequest<Row, Known>) => {
  if (!page_token) return { wrong: [] };
  const cursor = decode<Known>(page_token);
  if (cursor?.list === list) return { cursor, wrong: differingFilters(filters, cursor) };
  // A short text is not a cut token, but another value, such as `undefined` or the number of a page.
  const unreadable =
    page_token.length > 20 ? 'cannot be read' : `is ${JSON.stringify(page_token)}, which is not a page token`;
  const why = cursor ? `belongs to another list (${cut(cursor.list)})` : unreadable;
  const description = `page_token ${why}. Send a next_page_token or prev_page_token of this list unchanged, or leave page_token out for the first page.`;
  return { wrong: [{ field: 'page_token', constraint: 'format', rule: 'I4', description }] };
};

const decode = <Known extends Filters>(token: string): Cursor<Known> | undefined => {
  const whole = Buffer.from(token, 'base64url').toString();
  const text = whole.slice(CHECKSUM_LENGTH);
  const isOurs = checksum(text) + text === whole && Buffer.from(whole).toString('base64url') === token;
  return isOurs ? JSON.parse(text) : undefined;
};

/** A violation for each filter that was sent with another value than in the page token (behaviour I4). */
const differingFilters = (sent: Filters, cursor: Cursor<Filters>): FieldViolation[] =>
  Object.entries(sent)
    .filter(([name, value]) => value?.length && !isDeepStrictEqual(value, cursor.filters[name]))
    .map(([name]) => ({
      field: name,
      constraint: 'page_token',
      rule: 'I4',
      description: `${name} differs from the filter that page_token was made for. Send the same ${name}, or leave page_token out.`,
    }));
