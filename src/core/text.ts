/** Shortens texts that clients sent, for messages, and converts between the two spellings of names. */

/** The beginning of a text, for a message; never ends in half a character (behaviour R1). */
export const cut = (text: string, limit = 100): string =>
  text.length > limit ? `${text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '')}...` : text;

/** Turns `organization_id` into `organizationId`, the spelling of JSON-over-gRPC gateways. */
export const camelCase = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Turns snake_case into lowerCamelCase, and lowerCamelCase into snake_case. */
export const otherSpelling = (name: string): string =>
  name.includes('_') ? camelCase(name) : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
