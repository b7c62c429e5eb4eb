/** Shows a time as a distance from the environment's present time. The title has the exact time. */
import { formatDistance, formatInstant, useNow } from '../live/clock.ts';
import { useEnvironment } from '../live/environment.tsx';

export const Time = ({ value }: { readonly value: unknown }) => {
  const now = useNow(useEnvironment().clock);
  if (typeof value !== 'string') return <span class="quiet">–</span>;
  const epoch = Date.parse(value);
  return (
    <time dateTime={value} title={`${formatInstant(epoch)} UTC`}>
      {formatDistance(epoch, now)}
    </time>
  );
};
