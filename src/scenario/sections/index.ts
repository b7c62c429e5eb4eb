/** The lists of an environment in a scenario, each after those that its rows may name: the one place that knows all nouns. */
import { allRows } from '../../core/table.ts';
import type { State } from '../../domain/state.ts';
import type { JsonObject } from '../../openapi/document.ts';
import type { Path } from '../problem.ts';
import { type RowControl, rowSources } from '../row-source.ts';
import type { Source } from '../source.ts';
import type { TableName, Writing } from '../writing.ts';
import { accounts } from './accounts.ts';
import { authLog } from './auth-log.ts';
import { clients } from './clients.ts';
import { connections } from './connections.ts';
import { links } from './links.ts';
import type { FromContract } from './members.ts';
import { organizations } from './organizations.ts';
import { providers } from './providers.ts';
import { requests } from './requests.ts';
import { roles } from './roles.ts';
import { putRows, type Section, type Showing, tableOf } from './section.ts';
import { users } from './users.ts';

/** The same for every noun, whatever its rows are. */
interface AnySection {
  readonly name: string;
  schema(contract: FromContract): JsonObject;
  /** Puts the rows that a list of a source stands for. The list was compared with the schema. */
  put(writing: Writing, source: Source, rows: readonly unknown[], path: Path): void;
  /** The rows of a state as forms. */
  show(state: State, showing: Showing): object[];
}

const section = <Name extends TableName, Form extends RowControl>(spec: Section<Name, Form>): AnySection => ({
  name: spec.name,
  schema: spec.schema,
  put: (writing, source, rows, path) =>
    putRows(writing, spec, rowSources(source, rows as readonly Form[], path)), // compared with the schema
  show: (state, showing) =>
    Array.from(allRows(tableOf(state, spec.name)), (row) => spec.toForm(state, row, showing)),
});

export const SECTIONS: readonly AnySection[] = [
  section(clients),
  section(organizations),
  section(roles),
  section(providers),
  section(connections),
  section(users),
  section(accounts),
  section(links),
  section(requests),
  section(authLog),
];
