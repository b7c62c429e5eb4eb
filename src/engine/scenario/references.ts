/** References to other rows, by id or by natural key. */
import { allRows, getRow } from '../core/table.ts';
import { didYouMean } from '../core/text.ts';
import type { EngineState } from '../state.ts';
import { type MemberPath, type OpenState, tableOf, type WrittenRow } from './loading.ts';
import { described, type MemberSchema, TEXT } from './member-schemas.ts';

/** What every row has that others can refer to. */
interface NamedRow {
  readonly id: string;
}

/** A kind of row that other rows refer to. */
export interface RowReference<Row extends NamedRow = NamedRow, OfState extends EngineState = EngineState> {
  /** The name of the table. */
  readonly kind: string;
  readonly noun: string;
  /** The schema of a member that refers to a row of this kind. */
  readonly schema: MemberSchema<string>;
  /** The natural key of a row, such as the name of an organization. */
  keyOf(row: Row): string;
  /** Finds a row by its id or its natural key. */
  find(state: OfState, text: string): Row | undefined;
}

/** @param keyName how the schema calls the natural key, such as `by name` */
export const defineReference = <Row extends NamedRow, OfState extends EngineState>(
  kind: keyof OfState & string,
  noun: string,
  keyName: string,
  keyOf: (row: Row) => string,
  findByKey: (state: OfState, text: string) => Row | undefined,
): RowReference<Row, OfState> => ({
  kind,
  noun,
  schema: described(TEXT, `The ${noun}, by id or ${keyName}.`),
  keyOf,
  // the cast is safe: the table has this name and such rows
  find: (state, text) => (getRow(tableOf(state, kind), text) as Row | undefined) ?? findByKey(state, text),
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

const MOST_COMPARED = 5_000;
const MOST_LISTED = 20;

/**
 * Finds the row to which a member refers. For an unknown name, adds a problem that suggests a similar name.
 * @param advice the end of the problem's message: what else could be written
 */
export const findNamed = <Row extends NamedRow, OfState extends EngineState>(
  { state }: OpenState<OfState>,
  written: WrittenRow<unknown>,
  member: MemberPath,
  { kind, noun, keyOf, find }: RowReference<Row, OfState>,
  name: string | undefined,
  advice = '',
): Row | undefined => {
  const row = name === undefined ? undefined : find(state, name);
  if (name === undefined || row !== undefined) return row;
  const known: string[] = [];
  for (const each of allRows(tableOf(state, kind)))
    if (known.push(keyOf(each as Row)) === MOST_COMPARED) break;
  const listed =
    known.length === 0
      ? ` There are no ${noun}s yet; write it below ${kind}.`
      : known.length <= MOST_LISTED
        ? ` The ${noun}s are ${known.join(', ')}.`
        : '';
  return written.problem(
    member,
    `there is no ${noun} "${name}".${didYouMean(name, known) || listed}${advice}`,
  );
};
