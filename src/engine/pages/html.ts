/** Builds HTML with tagged templates, which escape every value that is not already HTML. */

/** HTML that is safe in a page. Only `html` and `trusted` create it. */
class Html {
  constructor(private readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

export type { Html };

type Value = Html | string | number | undefined | false | readonly Value[];

/** Marks a text as safe HTML. Never use it for text from outside. */
export const trusted = (text: string): Html => new Html(text);

/**
 * Builds HTML. Strings and numbers are escaped, lists are joined, and `undefined` and `false` are left out. Put values
 * only between tags or inside double-quoted attributes: escaping is not enough anywhere else.
 */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html =>
  trusted(parts.reduce((text, part, index) => text + write(values[index - 1]) + part));

const write = (value: Value): string => {
  if (value === undefined || value === false) return '';
  if (Array.isArray(value)) return value.map(write).join('');
  return value instanceof Html ? value.toString() : escapeText(String(value));
};

const ENTITIES = new Map(
  Object.entries({ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39', '`': '#96' }),
);

const escapeText = (text: string): string => text.replace(/[&<>"'`]/g, (found) => `&${ENTITIES.get(found)};`);
