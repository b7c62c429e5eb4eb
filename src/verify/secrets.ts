/** Credentials that a run has seen, so that none of them is ever written anywhere. */

export interface Secrets {
  add(secret: string | undefined): void;
  /** The text with every known credential blotted out. */
  redact(text: string): string;
}

/** A short text, such as a one-letter password, would blot out half of every message. */
const SHORTEST = 4;

export const createSecrets = (): Secrets => {
  const known = new Set<string>();
  return {
    add: (secret) => {
      if (secret !== undefined && secret.length >= SHORTEST) known.add(secret);
    },
    redact: (text) => [...known].reduce((clean, secret) => clean.replaceAll(secret, '[secret]'), text),
  };
};

const CREDENTIAL_MEMBERS =
  /^(access_token|refresh_token|client_secret|secret_access_key|session_token|access_key_id|details|link)$/;

/** Every text of a body that stands where a credential does. */
export function* credentialsIn(value: unknown, isSecret = false): Generator<string> {
  if (typeof value === 'string' && isSecret) yield value;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    // `details` of an error is a list; that of an account is an object.
    const isError = name === 'details' && Array.isArray(member);
    yield* credentialsIn(member, !isError && (isSecret || CREDENTIAL_MEMBERS.test(name)));
  }
}
