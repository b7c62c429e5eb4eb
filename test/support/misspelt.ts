/** Misspells names by one letter, and finds names that are then ignored without a word (behaviour N1). */

/** The name with its last letter twice. */
export const misspell = (name: string): string => name + name.at(-1);

/** What a thrown error says; "" if nothing is thrown. */
export const told = async (act: () => unknown): Promise<string> => {
  try {
    await act();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

/** The names for which `tell` does not name the right one in the sentence about the misspelt one. */
export const silentOnes = async (
  names: Iterable<string>,
  tell: (wrong: string, name: string) => string | Promise<string>,
): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const name of names) {
    const wrong = misspell(name);
    const text = await tell(wrong, name);
    const isNamed =
      text.includes(wrong) &&
      new RegExp(`(?<!\\w)${name.replace('$', '\\$')}(?!\\w)`).test(text.replaceAll(wrong, ''));
    if (!isNamed) found.push(`${wrong}: ${text.slice(0, 200) || 'nothing is said'}`);
  }
  return found;
};
