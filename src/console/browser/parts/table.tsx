/** Rows as a table. The first column opens a row; a small screen shows that column and the next. */
import type { ComponentChildren } from 'preact';

interface TableProps<Item> {
  readonly className: string;
  /** The title for screen readers. */
  readonly caption: string;
  /** What each column shows of a row, by the title of the column. */
  readonly columns: Readonly<Record<string, (row: Item) => ComponentChildren>>;
  readonly rows: readonly Item[];
  readonly idOf: (row: Item) => string;
  readonly nameOf: (row: Item) => string;
  /** The id of the open row. */
  readonly chosen?: string;
  readonly open: (id: string) => void;
}

export const Table = <Item,>(props: TableProps<Item>) => {
  const { className, caption, columns, rows, idOf, nameOf, chosen, open } = props;
  return (
    <table class={className}>
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {Object.keys(columns).map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const [first, ...others] = Object.values(columns).map((present) => present(row));
          const id = idOf(row);
          return (
            <tr key={id} class={id === chosen ? 'chosen' : undefined}>
              <th scope="row">
                <button type="button" class="name" title={nameOf(row)} onClick={() => open(id)}>
                  {first}
                </button>
              </th>
              {others.map((cell, place) => (
                <td key={place}>{cell}</td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
};
