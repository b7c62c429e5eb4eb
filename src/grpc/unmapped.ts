/** Lists names in the descriptors that the contract does not have, so that the user can map them. */
import type { BoundMethod } from './bind.ts';
import { NONE } from './mapped-names.ts';
import type { BoundMember } from './message-members.ts';
import { type Languages, pairForm } from './transcode.ts';

/** Unmapped fields, as `Message.field`, and enum values. @param onlyLost of the fields, only the cases of a oneof */
export const unmappedNames = (
  methods: readonly BoundMethod[],
  languages: Languages,
  onlyLost = false,
): readonly string[] => {
  const found = methods
    .flatMap((bound) => namesOf(bound, languages))
    .filter(({ isChoice }) => isChoice || !onlyLost);
  const mapped = new Set(found.flatMap(({ name, isMapped }) => (isMapped ? [name] : [])));
  return [...new Set(found.map(({ name }) => name))].filter((name) => !mapped.has(name)).sort();
};

interface Name {
  readonly name: string;
  readonly isMapped: boolean;
  /** Whether a message has this or another value. */
  readonly isChoice: boolean;
}

const namesOf = ({ method, rules }: BoundMethod, languages: Languages): readonly Name[] => {
  const inPath = new Set(rules.flatMap(({ variables }) => variables.map((path) => path.split('.')[0])));
  return rules.flatMap((rule) => {
    const { input, output } = pairForm(rule, method, languages);
    const sent = input.filter(({ field }) => !inPath.has(field.name));
    return [...sent, ...output].flatMap((member) => namesIn(member, []));
  });
};

/** The names of a field and of everything inside it. @param holders types of the messages around the field */
const namesIn = (member: BoundMember, holders: readonly string[]): readonly Name[] => {
  const { field, isUnmapped } = member;
  const own = {
    name: `${field.parent.name}.${field.name}`,
    isMapped: !isUnmapped,
    isChoice: field.oneof !== undefined,
  };
  if (isUnmapped) return [own];
  const { typeName = '' } = field.message ?? {};
  const inner = holders.includes(typeName) ? [] : (member.members() ?? []);
  return [own, ...valuesOf(member), ...inner.flatMap((each) => namesIn(each, [...holders, typeName]))];
};

const valuesOf = ({ field, values }: BoundMember): readonly Name[] =>
  (field.enum?.values ?? [])
    .filter(({ name }) => !NONE.test(name))
    .map(({ name }) => ({ name, isMapped: values?.toContract(name) !== undefined, isChoice: true }));
