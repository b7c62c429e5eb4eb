/** The query of a request, read the way behaviour T3 and T7 say. */
import type { ContractOperation } from '../openapi/load.ts';

export type Query = Record<string, string | string[]>;

/** Reads raw queries of one operation: `+` is a space, empty is absent, lowerCamelCase names are known too. */
export type QueryReader = (raw: string) => Query;

export const createQueryReader = (operation: ContractOperation): QueryReader => {
  const names = new Map<string, string>();
  const lists = new Set<string>();
  for (const { name, in: place, schema } of operation.parameters) {
    if (place !== 'query') continue;
    names.set(name, name).set(toCamelCase(name), name);
    if (isArray(schema)) lists.add(name);
  }
  return (raw) => {
    const query: Query = Object.create(null);
    if (raw === '') return query;
    for (const [sent, value] of new URLSearchParams(raw)) {
      if (value === '') continue;
      addValue(query, names.get(sent) ?? sent, value, lists);
    }
    return query;
  };
};

const addValue = (query: Query, name: string, value: string, lists: ReadonlySet<string>): void => {
  const before = query[name];
  if (before === undefined) query[name] = lists.has(name) ? [value] : value;
  else if (Array.isArray(before)) before.push(value);
  else query[name] = [before, value];
};

const isArray = (schema: unknown): boolean =>
  typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'array';

const toCamelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
