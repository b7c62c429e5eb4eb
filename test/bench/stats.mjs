/** Statistics of measurements, as short texts. */

export const median = (values) => {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

/** The spread: half the distance between the extremes, in percent of the median. */
export const spread = (values) =>
  Math.round(((Math.max(...values) - Math.min(...values)) / 2 / median(values)) * 100);

export const round = (value, digits = 0) =>
  value === undefined || Number.isNaN(value)
    ? '-'
    : value.toLocaleString('en-US', { maximumFractionDigits: digits, minimumFractionDigits: digits });

/** Formats values as `median ±spread%`. */
export const withSpread = (values, digits = 0) => `${round(median(values), digits)} ±${spread(values)}%`;

export const table = (head, rows) =>
  [head, head.map((_, nth) => (nth === 0 ? '---' : '---:')), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
