/** How people see the rows of a kind. A service tells it as data; what it leaves out follows from the section. */
import type { Instant, Moment } from '../core/moment.ts';
import type { Effects, EngineEnv } from '../operation.ts';
import type { EngineState } from '../state.ts';
import type { AnyRow, Form } from './section.ts';

export interface RowView<Row = AnyRow, OfState extends EngineState = EngineState, Env = EngineEnv> {
  /** What several rows are called, such as `Accounts`. */
  readonly label?: string;
  /** What a single row is called. */
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

/** The time when a row ends. */
export interface RowEnd {
  /** What ends, such as `invitation`. */
  readonly what: string;
  /** Whose it is. */
  readonly of: string;
  readonly at: Moment;
  /** Whether the provider refreshes it, so that nothing ends. */
  readonly isRefreshed?: boolean;
}
