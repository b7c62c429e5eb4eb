/** Columns of the tables: what stands in a cell, and what can be done there. */
import type { ComponentChildren } from 'preact';
import { ICONS } from '../parts/icons.tsx';
import type { MenuItem } from '../parts/menu.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { accountMoves, hasPage, openPage } from './moves.ts';
import { type Row, rowsOf, textOf } from './row.ts';

export interface Column {
  readonly title: string;
  cell(row: Row, environment: string): ComponentChildren;
  /** Left out on a small screen. */
  readonly isWide?: true;
}

export type Moves = (environment: string, row: Row) => MenuItem[];

export const text = (title: string, member: string): Column => ({
  title,
  isWide: true,
  cell: (row) => textOf(row[member]) || <span class="quiet">–</span>,
});

export const code = (title: string, member: string): Column => ({
  title,
  isWide: true,
  cell: (row) => <code>{textOf(row[member])}</code>,
});

export const time = (title: string, member: string): Column => ({
  title,
  isWide: true,
  cell: (row) => <Time value={row[member]} />,
});

export const status = (member: string, name: (row: Row) => string, moves?: Moves): Column => ({
  title: 'Status',
  cell: (row, environment) => (
    <Status status={textOf(row[member])} of={name(row)} moves={moves?.(environment, row) ?? []} />
  ),
});

const identifier = (row: Row): string => textOf(row.identifier);

export const accountStatus: Column = {
  title: 'Status',
  cell: (row, environment) => (
    <div class="cluster">
      <Status status={textOf(row.status)} of={identifier(row)} moves={accountMoves(environment, row)} />
      {row.status !== 'ACTIVE' && hasPage(row) && (
        <button type="button" class="small" onClick={() => openPage(environment, row)}>
          Authorize {ICONS.open}
        </button>
      )}
    </div>
  ),
};

export const memberships: Column = {
  title: 'Memberships',
  isWide: true,
  cell: ({ memberships: all }) => (
    <div class="cluster">
      {rowsOf(all).map((one) => (
        <span key={textOf(one.name)} class="tag">
          {textOf(one.name)} <small>{textOf(one.membership_status)}</small>
        </span>
      ))}
    </div>
  ),
};

export const pageLink: Column = {
  title: 'Page',
  cell: ({ link }) => (
    <a href={textOf(link)} target="_blank" rel="noopener">
      Open {ICONS.open}
    </a>
  ),
};
