/** What a report may show of what a server sent: no credential, no control character, and never too much. */

export interface Secrets {
  add(secret: string | undefined): void;
  /** The text as a report may show it. */
  clean(text: string): string;
}

/** A short text, such as a one-letter password, would blot out half of every message. */
const SHORTEST = 4;
/** A server that sends millions of them would fill the memory. */
const MOST = 10_000;
/** So much of the beginning of a credential gives it away, also where the rest was cut off. */
const TELLING = 12;

export const createSecrets = (): Secrets => {
  const known = new Set<string>();
  return {
    add: (secret) => {
      if (secret === undefined || secret.length < SHORTEST || known.size > MOST) return;
      known.add(secret);
      known.add(JSON.stringify(secret).slice(1, -1)); // as messages quote it
      known.add(encodeURIComponent(secret));
    },
    // Cut last, since half a credential would not be recognized.
    clean: (text) => shorten(withoutControls([...known].reduce(blotOut, text))),
  };
};

/** The text without the credential, whole or cut off. */
const blotOut = (text: string, secret: string): string => {
  const [first = '', ...others] = text.split(secret.slice(0, TELLING));
  const rest = secret.slice(TELLING);
  return [first, ...others.map((other) => `[secret]${other.slice(sharedLength(other, rest))}`)].join('');
};

const sharedLength = (one: string, other: string): number => {
  let length = 0;
  while (length < other.length && one[length] === other[length]) length += 1;
  return length;
};

/** A terminal obeys them, and a line end would let a server write lines of the report. */
const withoutControls = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');

const LONGEST = 600;

const shorten = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, '')}...`;

const CREDENTIAL_MEMBERS =
  /^(access_token|refresh_token|client_secret|secret_access_key|session_token|access_key_id|details|link)$/;

/** Every text of a body in the place of a credential. */
export function* credentialsIn(value: unknown, isSecret = false): Generator<string> {
  if (typeof value === 'string' && isSecret) yield value;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    // `details` of an error is a list; that of an account is an object.
    const isError = name === 'details' && Array.isArray(member);
    yield* credentialsIn(member, !isError && (isSecret || CREDENTIAL_MEMBERS.test(name)));
  }
}
