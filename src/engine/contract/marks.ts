/** What the contract says of members by their names: which are credentials, and what else people call them. */
import { isSecretName, plainName } from '../core/secrets.ts';
import { dereference, type OpenApiDocument } from './document.ts';

const documents: OpenApiDocument[] = [];

/** Makes a contract's marks known in the whole process: a credential of one service is masked in all. */
export const useContract = (document: OpenApiDocument): void => {
  documents.push(document);
  secrets = undefined;
  others = undefined;
};

/** The title of the API, as pages show it. */
export const titleInUse = (): string => documents[0]?.info.title ?? '';

/** Whether a member of this name can be a credential: because the contract says so, or by its name alone (behaviour R2). */
export const isSecretMember = (name: string): boolean => {
  secrets ??= new Set(marked('x-secret').map(([secret]) => plainName(secret)));
  return isSecretName(name, secrets);
};

let secrets: ReadonlySet<string> | undefined;
let others: readonly OtherName[] | undefined;

interface OtherName {
  readonly pattern: RegExp;
  readonly meant: string;
}

/** Names by which other services call a member (`x-other-names`, a regular expression). */
export const otherNames = (): readonly OtherName[] => {
  others ??= marked('x-other-names').map(([meant, pattern]) => ({
    meant,
    pattern: new RegExp(String(pattern), 'i'),
  }));
  return others;
};

/** The names of all members whose schema has a keyword, each with the keyword's value. */
const marked = (keyword: string): (readonly [name: string, value: unknown])[] =>
  documents.flatMap((document) => {
    const marksIn = (value: unknown): (readonly [string, unknown])[] => {
      if (typeof value !== 'object' || value === null) return [];
      const members = Object.entries('properties' in value ? Object(value.properties) : {});
      const own = members.flatMap(([name, member]) => {
        const schema = dereference(document, member);
        return keyword in schema ? [[name, schema[keyword]] as const] : [];
      });
      return [...own, ...Object.values(value).flatMap(marksIn)];
    };
    return marksIn(document.components?.schemas);
  });
