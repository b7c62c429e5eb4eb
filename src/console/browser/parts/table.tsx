/** A table of rows; the first column names a row and opens it. */
import { useEnvironment } from '../live/environment.tsx';
import type { Kind } from '../views/kinds.tsx';
import type { Row } from '../views/row.ts';

export const Table = ({
  kind,
  rows,
  chosen,
  choose,
}: {
  readonly kind: Kind;
  readonly rows: readonly Row[];
  /** The id of the row that is open. */
  readonly chosen: string;
  readonly choose: (row: Row) => void;
}) => {
  const { name: environment } = useEnvironment();
  if (rows.length === 0) return <p class="empty">Nothing here.</p>;
  return (
    <table>
      <caption class="unseen">{kind.title}</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          {kind.columns.map(({ title, isWide }) => (
            <th scope="col" key={title} class={isWide && 'wide'}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={kind.id(row)} class={kind.id(row) === chosen ? 'chosen' : undefined}>
            <th scope="row">
              <button type="button" class="name" onClick={() => choose(row)}>
                <span>{kind.name(row)}</span>
                <small>{kind.about(row)}</small>
              </button>
            </th>
            {kind.columns.map(({ title, isWide, cell }) => (
              <td key={title} class={isWide && 'wide'}>
                {cell(row, environment)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
};
