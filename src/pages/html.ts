/** HTML by tagged templates: what a page is given is escaped, whatever it is, unless it is HTML already. */

declare const written: unique symbol;

/** Text that is safe to stand in a page as it is. Made by `html` and by `trusted` alone. */
export interface Html {
  readonly [written]: true;
  toString(): string;
}

type Value = Html | string | number | undefined | false | readonly Value[];

class Written {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** Markup of our own, never anything that came from outside. */
export const trusted = (text: string): Html => new Written(text) as unknown as Html; // `written` exists in types only

/**
 * Builds HTML. Strings and numbers are escaped, lists joined, `undefined` and `false` left out.
 * Values may stand between tags and inside double-quoted attributes; nowhere else is escaping enough.
 */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html =>
  trusted(parts.reduce((text, part, index) => text + write(values[index - 1]) + part));

const write = (value: Value): string => {
  if (value === undefined || value === false) return '';
  if (isList(value)) return value.map(write).join('');
  return value instanceof Written ? value.toString() : escapeText(String(value));
};

// Array.isArray alone does not narrow a readonly array.
const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

const escapeText = (text: string): string => text.replace(/[&<>"'`]/g, (found) => ENTITIES[found] ?? found);
