/** Finding rows of one kind by id or natural key while a scenario is built, and telling when two share one. */
import { didYouMean } from '../../core/nearest.ts';
import { type Draft, isKnown, type Member } from '../draft.ts';
import type { SectionName } from '../written.ts';
import { type Build, fault } from './build.ts';

/** How a kind of row is named: `organization "acme"`. */
export interface Kind<Row> {
  readonly noun: string;
  readonly section: SectionName;
  readonly id: (row: Row) => string;
  /** The member that holds the natural key, and the key itself in the form in which it is compared; "" for none. */
  readonly member: string;
  readonly natural: (row: Row) => string;
  /** Brings a reference into the form in which natural keys are compared. */
  readonly fold?: (reference: string) => string;
  /** Finds a row that is not built, by id or folded reference. */
  readonly beside?: ((reference: string) => Row | undefined) | undefined;
}

export interface Register<Row> {
  /** Takes a row up; one that has the id or natural key of another is a fault. */
  add(draft: Draft<object>, row: Row): void;
  find(reference: string): Row | undefined;
  /** The row that a member refers to; a reference to none is a fault. */
  refer(draft: Draft<unknown>, member: Member, reference: string | undefined): Row | undefined;
  /** Whether these members of a row are what its draft was meant to say, so that others can be held against them. */
  isKnown(row: Row, ...members: readonly string[]): boolean;
}

/** So many names are looked through for the one that was meant. */
const MOST_COMPARED = 5_000;

export const createRegister = <Row>(build: Build, kind: Kind<Row>): Register<Row> => {
  const byId = new Map<string, Row>();
  const byNatural = new Map<string, Row>();
  const doubtful = new Map<Row, Draft<object>>();
  const find = (reference: string): Row | undefined => {
    const folded = kind.fold?.(reference) ?? reference;
    const built = byId.get(reference) ?? byNatural.get(folded);
    return built ?? kind.beside?.(reference) ?? kind.beside?.(folded);
  };
  const advise = (reference: string): string => {
    if (build.faults.isFull()) return '';
    const names = [...byNatural.keys(), ...byId.keys()].slice(0, MOST_COMPARED);
    return didYouMean(reference, names) || knownNames([...byNatural.keys()]);
  };
  return {
    find,
    add: (draft, row) => {
      const id = kind.id(row);
      const natural = kind.natural(row);
      if (byId.has(id)) fault(build, draft, 'id', `another ${kind.noun} has the id ${id}`);
      if (natural !== '' && byNatural.has(natural))
        fault(build, draft, kind.member, `another ${kind.noun} has the ${kind.member} "${natural}"`);
      byId.set(id, row);
      if (natural !== '') byNatural.set(natural, row);
      if (draft.origins.some(({ source }) => source.unread)) doubtful.set(row, draft);
    },
    refer: (draft, member, reference) => {
      if (reference === undefined || reference === '') return undefined;
      const row = find(reference);
      if (row === undefined && !build.faults.lost.has(kind.section, reference))
        fault(build, draft, member, `there is no ${kind.noun} "${reference}".${advise(reference)}`);
      return row;
    },
    isKnown: (row, ...members) => {
      const draft = doubtful.get(row);
      return draft === undefined || isKnown(draft, ...members);
    },
  };
};

/** Ids are left out: most of them were drawn, and nobody wrote or knows them. */
const knownNames = (names: readonly string[]): string =>
  names.length === 0 || names.length > 40 ? '' : ` There are ${names.join(', ')}.`;
