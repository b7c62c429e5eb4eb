/** What a client sends can be a megabyte long, and a message repeats it. */

/** As much of a text as a message repeats, never half a character (behaviour R1). */
export const cut = (text: string, limit = 100): string =>
  text.length > limit ? `${text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '')}...` : text;

/** `organization_id` as JSON-over-gRPC gateways spell it: `organizationId`. */
export const camelCase = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** A name of snake_case in lowerCamelCase, and the other way round. */
export const otherSpelling = (name: string): string =>
  name.includes('_') ? camelCase(name) : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
