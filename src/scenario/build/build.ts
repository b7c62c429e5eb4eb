/** What building the tables of one environment shares: chance, settings, and where faults go. */
import { type Draw, drawId, drawToken, type IdPrefix } from '../../core/ids.ts';
import type { Moment } from '../../core/moment.ts';
import type { Settings } from '../../domain/settings.ts';
import type { IdSet } from '../../domain/state.ts';
import { type Draft, draftFault, isKnown, type Member } from '../draft.ts';
import type { Faults } from '../fault.ts';
import type { Beside } from '../patch/part.ts';

/** What the environment's clock shows while its rows are built. */
export interface BuildClock {
  /** When whatever says nothing of its time came about. */
  readonly now: Moment;
  /** Whether a moment has been reached, so that a status can be held against it; undefined where nobody can tell. */
  readonly hasPassed: (moment: Moment) => boolean | undefined;
}

export interface Build {
  readonly environmentId: string;
  readonly settings: Settings;
  /** Not so where what the scenario says of it could not be read. */
  readonly isInviteTtlKnown: boolean;
  readonly draw: Draw;
  /** Ids that are written out somewhere, and so are never drawn. */
  readonly reserved: IdSet;
  readonly clock: BuildClock;
  readonly faults: Faults;
  /** Rows that are there already and are not built. */
  readonly beside?: Beside;
}

/** The id that is written, else one that is drawn. */
export const idOr = ({ draw, reserved }: Build, written: string | undefined, prefix: IdPrefix): string => {
  if (written !== undefined) return written;
  for (;;) {
    const drawn = drawId(draw, prefix);
    if (!reserved.has(drawn)) return drawn;
  }
};

/** The token that is written, else one that is drawn. */
export const tokenOr = ({ draw }: Build, written: string | undefined): string => written ?? drawToken(draw);

export const fault = (
  build: Build,
  draft: Draft<unknown>,
  member: Member | undefined,
  message: string,
): void => build.faults.add(draftFault(draft, member, message));

/** A row lacks what it cannot do without; not told where it is probably there and could not be read. */
export const lacking = (
  build: Build,
  draft: Draft<object>,
  members: readonly string[],
  message: string,
): void => {
  if (isKnown(draft, ...members)) fault(build, draft, undefined, message);
};

/** A member that follows from others may be written too, and must then agree with them. */
export const requireAgreement = (
  build: Build,
  draft: Draft<object>,
  member: string,
  follows: string | undefined,
  why: string,
): void => {
  const written: unknown = Reflect.get(draft.form, member);
  if (written === undefined || written === follows) return;
  fault(build, draft, member, `is ${String(follows)} ${why}; write that, or leave it out`);
};

/** `ticket_desk` as people read it: `Ticket desk`. */
export const readable = (name: string): string => {
  const words = name.replace(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
};
