/** Lays out rows as two columns of text, for a terminal. */
export const columns = (rows: readonly (readonly [string, string])[], indent = ''): string => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `${indent}${left.padEnd(width)}  ${right}`.trimEnd()).join('\n');
};
