/** Names that stand in what could not be read: who refers to one of them is not told that there is no such row. */
import { nearest } from '../core/nearest.ts';
import { PLACEHOLDER } from './repeat.ts';
import type { SectionName } from './written.ts';

/** What could not be read of all that is loaded together. */
export interface Lost {
  /** Takes up every text within a value. @param section whose rows it is about; undefined where it may be any */
  add(section: SectionName | undefined, value: unknown): void;
  /** Takes up the name of a row that is wrong, so that the right one is like it. */
  addSimilar(section: SectionName, name: string): void;
  /** A row of the section has a name that nobody can guess. */
  addAll(section: SectionName): void;
  /** Takes up a whole file. @param text undefined where not even that is known: then it may hold any name */
  addFile(text: string | undefined): void;
  /** Whether a whole file is among it. */
  hasFile(): boolean;
  /** Whether a row of the section may have this name, in any case; of `connector/identifier` the identifier counts. */
  has(section: SectionName, name: string): boolean;
}

export const createLost = (): Lost => {
  const names = new Set<string>();
  const patterns: { readonly section: SectionName | undefined; readonly pattern: RegExp }[] = [];
  const similar: { readonly section: SectionName; readonly name: string }[] = [];
  const files: string[] = [];
  const open = new Set<SectionName | undefined>();
  const stands = (section: SectionName, name: string): boolean =>
    names.has(`${section}:${name}`) ||
    names.has(`:${name}`) ||
    files.some((text) => text.includes(name)) ||
    patterns.some((each) => (each.section ?? section) === section && each.pattern.test(name)) ||
    similar.some((each) => each.section === section && isLike(each.name, name));
  return {
    add: (section, value) => {
      for (const text of textsIn(value)) {
        const folded = text.toLowerCase();
        names.add(`${section ?? ''}:${folded}`);
        if (folded.includes(PLACEHOLDER)) patterns.push({ section, pattern: patternOf(folded) });
      }
    },
    addSimilar: (section, name) => {
      similar.push({ section, name: name.toLowerCase() });
    },
    addAll: (section) => {
      open.add(section);
    },
    addFile: (text) => {
      if (text === undefined || text.includes(PLACEHOLDER)) open.add(undefined);
      files.push(text?.toLowerCase() ?? '');
    },
    hasFile: () => files.length > 0,
    has: (section, name) => {
      if (open.has(section) || open.has(undefined)) return true;
      const folded = name.toLowerCase();
      return stands(section, folded) || stands(section, folded.slice(folded.indexOf('/') + 1));
    },
  };
};

/** Every text and number within a value, names of members included. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string' || typeof value === 'number') yield String(value);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, held] of Object.entries(value)) {
    if (!Array.isArray(value)) yield name;
    yield* textsIn(held);
  }
}

/** Whether one is the other with something more, or a slip of the other. */
const isLike = (wrong: string, name: string): boolean =>
  wrong.includes(name) || name.includes(wrong) || nearest(name, [wrong]) !== undefined;

/** Fits every name that a repeated text stands for. */
const patternOf = (text: string): RegExp => {
  const parts = text.split(PLACEHOLDER).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('\\d+')}$`);
};
