/** Marks what the contract states and the service's description does not: every part that has `x-inferred`. */

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The same document, with the reason at the head of each such part's description. */
export const markInferred = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(markInferred);
  if (!isObject(value)) return value;
  const marked = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, markInferred(part)]));
  const reason = value['x-inferred'];
  if (typeof reason !== 'string') return marked;
  const { description, summary } = value;
  const note = `**Inferred.** ${reason}.`;
  return {
    ...marked,
    description: typeof description === 'string' ? `${note}\n\n${description}` : note,
    ...(typeof summary === 'string' && { summary: `${summary} · inferred` }),
  };
};
