/** A time of the environment's clock: how far it is, and exactly when on demand. */
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
