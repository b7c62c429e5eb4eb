/** What the contract says of members by their names: which are credentials, and what else people call them. */
import { type JsonObject, lazily } from '../core/object.ts';
import { isSecretName, plainName } from '../core/secrets.ts';
import { dereference, type OpenApiDocument } from './document.ts';

const documents: OpenApiDocument[] = [];

/** Makes a contract's marks known in the whole process: a credential of one service is masked in all. */
export const useContract = (document: OpenApiDocument): void => {
  documents.push(document);
};

export const titleInUse = (): string => documents[0]?.info.title ?? '';

/** Whether a member of this name can be a credential: the contract or its name says so (behaviour R2). */
export const isSecretMember = (name: string): boolean => isSecretName(name, marksInUse().secrets);

/** Names by which other services call a member (`x-other-names`, a regular expression). */
export const otherNames = () => marksInUse().others;

const marksInUse = () => marksOf(documents.length);

/** Read once, and again when a contract is added. */
const marksOf = lazily((_documents: number) => {
  const members = documents.flatMap((document) => membersIn(document, document.components?.schemas));
  return {
    secrets: new Set(members.filter(([, schema]) => 'x-secret' in schema).map(([name]) => plainName(name))),
    others: members.flatMap(([meant, { 'x-other-names': pattern }]) =>
      pattern === undefined ? [] : [{ meant, pattern: new RegExp(String(pattern), 'i') }],
    ),
  };
});

/** All members that a part of a document names, each with its schema. */
const membersIn = (document: OpenApiDocument, part: unknown): [name: string, schema: JsonObject][] => {
  if (typeof part !== 'object' || part === null) return [];
  const own = Object.entries('properties' in part ? Object(part.properties) : {});
  return [
    ...own.map(([name, schema]): [string, JsonObject] => [name, dereference(document, schema)]),
    ...Object.values(part).flatMap((inner) => membersIn(document, inner)),
  ];
};
