/** Cursor paging (behaviour I4): a token names a position and the filters of its list, so it survives any write. */
import { hash } from 'node:crypto';
import { invalidArgument, invalidField } from './errors.ts';
import type { Position } from './position-tree.ts';
import { countSelected, type Direction, type Selection, takeSelected } from './selection.ts';

/** The filters of a list as the query gave them; absent ones are undefined. */
export type Filters = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Empty on the last page. */
  readonly next_page_token: string;
  /** Empty on the first page. */
  readonly prev_page_token: string;
  /** Rows over all pages. */
  readonly total_size: number;
}

export interface PageRequest<Row, Known extends Filters> {
  /** Names the list, so that a token of another list is refused; the operationId. */
  readonly list: string;
  readonly filters: Known;
  readonly page_size: number;
  readonly page_token?: string | undefined;
  /** Selects the rows for the filters in force: those sent, else those of the token. */
  readonly select: (filters: Known) => Selection<Row>;
}

interface Cursor {
  readonly list: string;
  readonly filters: Filters;
  readonly direction: Direction;
  /** The last row that was shown; absent: from the end of the list that the direction starts at. */
  readonly position?: Position;
}

/**
 * One page of a list.
 * @throws ApiError 400 for a token that cannot be read, is another list's, or was made for other filters
 */
export const readPage = <Row, Known extends Filters>(request: PageRequest<Row, Known>): Page<Row> => {
  const cursor = request.page_token ? readCursor(request.page_token, request.list) : undefined;
  const filters = cursor ? joinFilters(request.filters, cursor.filters) : request.filters;
  const selection = request.select(filters);
  const { page_size: size } = request;
  const direction = cursor?.direction ?? 'forward';
  const taken = takeSelected(selection, size + 1, direction, cursor?.position);
  const beyond = taken.length > size;
  const shown = taken.slice(0, size);
  if (direction === 'backward') shown.reverse();
  // A page that has become empty leads on to all that is left on its other side.
  const isThere = (way: Direction, from: Position | undefined): boolean =>
    way === direction ? beyond : cursor !== undefined && takeSelected(selection, 1, way, from).length > 0;
  const token = (way: Direction, position: Position | undefined): string =>
    isThere(way, position)
      ? writeCursor({
          list: request.list,
          filters,
          direction: way,
          ...(position !== undefined && { position }),
        })
      : '';
  return {
    rows: shown.map(({ row }) => row),
    next_page_token: token('forward', shown.at(-1)?.position),
    prev_page_token: token('backward', shown[0]?.position),
    total_size: countSelected(selection),
  };
};

const writeCursor = (cursor: Cursor): string => {
  const text = JSON.stringify(cursor);
  return Buffer.from(checksum(text) + text).toString('base64url');
};

/** Tells a token that was changed by hand, whose filters could have any shape, from one of ours. */
const checksum = (text: string): string => hash('sha1', text, 'base64url').slice(0, CHECKSUM_LENGTH);
const CHECKSUM_LENGTH = 8;

const readCursor = (token: string, list: string): Cursor => {
  const cursor = decode(token);
  if (!isCursor(cursor)) throw unreadable('cannot be read');
  if (cursor.list !== list) throw unreadable(`was made by another list (${cursor.list})`);
  return cursor;
};

const decode = (token: string): unknown => {
  if (!/^[A-Za-z0-9_-]+$/.test(token)) return undefined;
  try {
    const whole = Buffer.from(token, 'base64url').toString();
    const text = whole.slice(CHECKSUM_LENGTH);
    return whole.startsWith(checksum(text)) ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
};

const isCursor = (value: unknown): value is Cursor => {
  if (typeof value !== 'object' || value === null) return false;
  const { list, filters, direction, position } = value as Record<string, unknown>;
  const isText = (item: unknown): boolean => typeof item === 'string';
  return (
    typeof list === 'string' &&
    typeof filters === 'object' &&
    filters !== null &&
    Object.values(filters).every(
      (filter) => isText(filter) || (Array.isArray(filter) && filter.every(isText)),
    ) &&
    (direction === 'forward' || direction === 'backward') &&
    (position === undefined || typeof position === 'string' || typeof position === 'number')
  );
};

const unreadable = (why: string) =>
  invalidField(
    'page_token',
    'format',
    `page_token ${why}. Send a next_page_token or prev_page_token of this list unchanged, or leave it out for the first page.`,
  );

/** Behaviour I4: a filter left out is the token's; one that is present must be the token's. */
const joinFilters = <Known extends Filters>(sent: Known, held: Filters): Known => {
  const differing = Object.entries(sent).filter(
    ([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(ownValue(held, name)),
  );
  if (differing.length > 0) {
    throw invalidArgument(
      differing.map(([name]) => ({
        field: name,
        constraint: 'page_token',
        description: `${name} differs from the filter that page_token was made for. Send the same ${name}, or leave page_token out.`,
      })),
    );
  }
  const known = Object.keys(sent).map((name) => [name, ownValue(held, name)]);
  return Object.fromEntries(known) as Known;
};

const ownValue = (filters: Filters, name: string): Filters[string] =>
  Object.hasOwn(filters, name) ? filters[name] : undefined;
