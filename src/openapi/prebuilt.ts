/**
 * What the build reads and checks beforehand, so that a start need not: the values of the YAML files this package ships.
 * They count only for the very text they were read from; a file that was edited since is read and checked as ever.
 */
import { createHash } from 'node:crypto';
import { PREBUILT_VALUES } from './prebuilt-values.ts';

/** The value of a text that the build knew, as JSON would give it; undefined for any other text. */
export const prebuiltValue = (text: string): unknown => {
  if (Object.keys(PREBUILT_VALUES).length === 0) return undefined;
  const json = PREBUILT_VALUES[createHash('sha256').update(text).digest('hex')];
  return json === undefined ? undefined : JSON.parse(json);
};
