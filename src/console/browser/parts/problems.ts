/** Finds the field that each sentence of a refusal refers to. */

interface PlacedProblems {
  readonly byField: Readonly<Record<string, string>>;
  /** Sentences about no field, or about a field that the form does not have. */
  readonly others: string;
}

/** A problem of a scenario row: `connected_accounts[0].connector: there is no ...`, at any depth. */
const OF_ROW = /^\w+\[\d+\](?:\.memberships\[\d+\])?\.(\w+)[^:\s]*: (.+)$/;

/** A problem of a body: `magic_link_ttl is "soon", but must be ...`, or one of our own. */
const OF_BODY = /^(\w+)(?:[.[][^\s:]*)?:? (.+)$/;

/** @param names the fields of the form */
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
