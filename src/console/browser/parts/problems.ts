/** Finds the field that each sentence of an error message is about. */

interface PlacedProblems {
  readonly byField: Readonly<Record<string, string>>;
  /** The sentences that are not about a field of the form. */
  readonly others: string;
}

/** Matches a problem of a scenario row: `connected_accounts[0].connector: there is no ...`, at any depth. */
const OF_ROW = /^\w+\[\d+\](?:\.memberships\[\d+\])?\.(\w+)[^:\s]*: (.+)$/;

/**
 * Matches a problem of a body: `magic_link_ttl is "soon", but must be ...`, and problems that the form itself finds.
 */
const OF_BODY = /^(\w+)(?:[.[][^\s:]*)?:? (.+)$/;

/** @param names the names of the form's fields */
export const placeProblems = (message: string, names: readonly string[]): PlacedProblems => {
  const byField: Record<string, string> = {};
  const others: string[] = [];
  for (const line of message.split(/\n|(?<=\.) (?=\w+ is )/)) {
    const [, name = '', words = ''] = OF_ROW.exec(line) ?? OF_BODY.exec(line) ?? [];
    if (names.includes(name)) byField[name] = [byField[name], words].filter(Boolean).join(' ');
    else if (line !== '') others.push(line.replace(/^\w+\[\d+\][^:]*: /, ''));
  }
  return { byField, others: others.join('\n') };
};
