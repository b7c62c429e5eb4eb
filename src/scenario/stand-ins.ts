/** Replaces names of people and customers by made-up names. Equal values get equal replacements. */
import { isJsonObject } from '../openapi/document.ts';

export interface StandIns {
  email(text: string): string;
  /** Replaces an e-mail address or another text that identifies an account. */
  identifier(text: string): string;
  domain(text: string): string;
  /** @param noun the kind of thing that has this name, such as "user" */
  name(noun: string, text: string): string;
  /** Replaces every text in free-form configuration, at any depth. */
  config(value: unknown): unknown;
}

/** @param isAnonymous if false, nothing is replaced */
export const createStandIns = (isAnonymous: boolean): StandIns => {
  const known = new Map<string, string>();
  let count = 0;
  const standIn = (text: string, write: (n: number) => string): string => {
    if (!isAnonymous) return text;
    const key = text.toLowerCase();
    const found = known.get(key);
    if (found !== undefined) return found;
    count += 1;
    known.set(key, write(count));
    return write(count);
  };
  const identifier = (text: string): string =>
    standIn(text, (n) => (text.includes('@') ? `user-${n}@example.test` : `account-${n}`));
  const config = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(config);
    if (typeof value === 'number') return isAnonymous ? 0 : value;
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, config(member)]));
  };
  const text = (value: string): string =>
    value.includes('@') ? identifier(value) : standIn(value, (n) => `value-${n}`);
  return {
    email: identifier,
    identifier,
    domain: (value) => standIn(value, (n) => `domain-${n}.test`),
    name: (noun, value) => standIn(value, (n) => `${noun} ${n}`),
    config,
  };
};
