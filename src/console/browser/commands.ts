/** Turns what the user types after Ctrl+K into a list of places to go and things to do. Pure: it makes no calls. */

type Row = Readonly<Record<string, unknown>>;

/** What happens when the user chooses an entry: a view, a section of the guide, or a call within the environment. */
export type Deed =
  | { readonly page?: 'docs'; readonly view: string; readonly id?: string }
  | { readonly section: string }
  | { readonly post: string; readonly body?: object; readonly done: string };

export interface Entry {
  readonly group: string;
  readonly label: string;
  readonly hint?: string;
  readonly deed: Deed;
}

/** A row that the mock found, with its place in the console. */
export interface FoundRow {
  readonly kind: string;
  readonly title: string;
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly row: Row;
}

/** Where the entries come from. The rows and the sections are already searched for the text. */
export interface Sources {
  readonly views: readonly { readonly id: string; readonly title: string }[];
  readonly rows: readonly FoundRow[];
  readonly calls: readonly {
    readonly sequence: number;
    readonly status: number;
    readonly method: string;
    readonly url: string;
    readonly operation?: string;
  }[];
  readonly operations: readonly { readonly operationId: string; readonly summary: string }[];
  readonly sections: readonly { readonly page: string; readonly heading: string; readonly href: string }[];
}

const FAIL = /^fail(?:\s+next)?\s+(\S+)(?:\s+(\d{3}))?$/i;
const ADVANCE = /^\+\s*(\d+)\s*(days?|d|hours?|h|minutes?|mins?|m)$/i;
const EXPIRE = /^expire\s+(.+)$/i;

const USUAL_STATUS = 500;
const MOST_CALLS = 5;
const MOST_OPERATIONS = 6;
const MOST_SECTIONS = 4;

/** The words to look for in rows. "" if no row can be meant. */
export const rowQuery = (text: string): string =>
  FAIL.test(text) || text.startsWith('+') ? '' : (EXPIRE.exec(text)?.[1] ?? text);

const has = (words: string, wanted: string): boolean =>
  wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.toLowerCase().includes(word));

/** The operations that match, those whose name begins with the text first. */
const findOperations = ({ operations }: Sources, text: string) => {
  const isFirst = ({ operationId }: { readonly operationId: string }): number =>
    operationId.toLowerCase().startsWith(text.toLowerCase()) ? 0 : 1;
  return operations
    .filter(({ operationId, summary }) => has(`${operationId} ${summary}`, text))
    .toSorted((one, other) => isFirst(one) - isFirst(other))
    .slice(0, MOST_OPERATIONS);
};

const actionsOf = (text: string, sources: Sources): Entry[] => {
  const group = 'Action';
  const [, operation, status = USUAL_STATUS] = FAIL.exec(text) ?? [];
  const [, count, unit] = ADVANCE.exec(text) ?? [];
  if (operation !== undefined)
    return findOperations(sources, operation).map(({ operationId }) => ({
      group,
      label: `Fail the next ${operationId} with ${status}`,
      deed: {
        post: '/faults',
        body: { operation: operationId, times: 1, status: Number(status) },
        done: `Fault added for the next ${operationId} call: ${status}.`,
      },
    }));
  if (count !== undefined && unit !== undefined) {
    const by = `${count}${unit.charAt(0).toLowerCase()}`;
    const deed = { post: '/clock/advance', body: { by }, done: `Clock advanced by ${by}.` };
    return [{ group, label: `Move the clock forward by ${by}`, deed }];
  }
  if (!EXPIRE.test(text)) return [];
  return sources.rows
    .filter(({ kind, row }) => kind === 'connected_accounts' && row.status !== 'EXPIRED')
    .map(({ name, about, id }) => ({
      group,
      label: `Expire ${name}`,
      hint: `${about} · ${id}`,
      deed: { post: `/connected_accounts/${id}/expire`, done: `Expire: done for ${name}.` },
    }));
};

const placesOf = (text: string, sources: Sources): Entry[] => [
  ...viewsOf(text, sources),
  ...sources.rows.map(
    ({ kind, title, id, name, about }): Entry => ({
      group: title,
      label: name,
      hint: about,
      deed: { view: kind, id },
    }),
  ),
  ...sources.calls
    .filter((one) => has(`${one.method} ${one.url} ${one.operation ?? ''} ${one.status}`, text))
    .slice(0, MOST_CALLS)
    .map(
      ({ sequence, method, url, status, operation = '' }): Entry => ({
        group: 'Call',
        label: `${method} ${url}`,
        hint: `${status} ${operation}`,
        deed: { view: 'journal', id: String(sequence) },
      }),
    ),
  ...findOperations(sources, text).map(
    ({ operationId, summary }): Entry => ({
      group: 'Operation',
      label: operationId,
      hint: summary,
      deed: { page: 'docs', view: operationId },
    }),
  ),
  ...sources.sections.slice(0, MOST_SECTIONS).map(
    ({ page, heading, href }): Entry => ({
      group: 'Guide',
      label: heading,
      hint: page === heading ? '' : page,
      deed: { section: href },
    }),
  ),
];

const viewsOf = (text: string, { views }: Sources): Entry[] =>
  views
    .filter(({ title }) => has(title, text))
    .map(({ id, title }) => ({ group: 'View', label: title, deed: { view: id } }));

/** The entries for a text, actions first. Without a text: all views. */
export const entriesOf = (text: string, sources: Sources): readonly Entry[] => {
  if (text === '') return viewsOf('', sources);
  const actions = actionsOf(text, sources);
  return actions.length > 0 ? actions : placesOf(text, sources);
};
