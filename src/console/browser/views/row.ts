/** Rows as the control plane lists them: members of any kind, read by name. */

export type Row = Readonly<Record<string, unknown>>;

/** A member as text; "" where there is none. */
export const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : String(value);

/** A member that is a list of rows. */
export const rowsOf = (value: unknown): readonly Row[] => (Array.isArray(value) ? value : []);
