/** What a client sends can be a megabyte long, and a message repeats it. */

/** As much of a text as a message repeats: up to 100 characters, and no half of one (behaviour R1). */
export const cut = (text: string): string =>
  text.length > 100 ? `${text.slice(0, 100).replace(/[\uD800-\uDBFF]$/, '')}...` : text;
