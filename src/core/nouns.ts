/** What the types of JSON are called in messages. */
export const NOUNS: Readonly<Record<string, string>> = {
  string: 'a text',
  object: 'an object',
  array: 'a list',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
};
