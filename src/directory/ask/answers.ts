/** Answers about codes, days and names, as HTTP, commands and the library give them. */
import type { NamedCode } from '../record/named-code.ts';

/** One code that replaced another. */
export interface Replacement {
  readonly from: string;
  readonly to: string;
  /** `YYYY-MM-DD`, or less precise, as the source has it. Absent if it does not say. */
  readonly day?: string;
}

export interface CodeNow extends NamedCode {
  /** The replacements that lead to it. Empty for the code itself. */
  readonly via: readonly Replacement[];
}

/**
 * `current`: the organisation is open on the day. `replaced`: one other is open in its place, and
 * `split`: several are. `closed`: none is. `unknown`: there is no record of it, or it opened later.
 */
export type Outcome = 'current' | 'replaced' | 'split' | 'closed' | 'unknown';

export interface ResolvedCode {
  readonly code: string;
  readonly outcome: Outcome;
  readonly now: readonly CodeNow[];
}

export interface Level extends NamedCode {
  /** `RO98`. Absent if the source does not say. */
  readonly role?: string;
  /** The type of the relationship that leads to it from the level below: `RE4`. */
  readonly by: string;
}

export interface Belonging {
  readonly code: string;
  /** From the nearest upwards. */
  readonly levels: readonly Level[];
  /** `unknown`: the directory has no record of the code. */
  readonly outcome: 'found' | 'unknown';
}

/** A name and what else is known of an organisation. Absent parts do not count. */
export interface NameToMatch {
  /** As people write it, or a code. */
  readonly name: string;
  /** Beside a code in `name`: the name that the organisation should have. */
  readonly nameBeside?: string;
  /** The postcode, or its outward code. */
  readonly postcode?: string;
  readonly town?: string;
  /** A role: its code or its name. */
  readonly role?: string;
}

export type MatchReason =
  | 'code'
  | 'name'
  | 'former name'
  | 'postcode'
  | 'outward code'
  | 'town'
  | 'role';

/** `none`: no candidate has the score of a likely one. `several`: the best ones are too close. */
export type MatchOutcome = 'certain' | 'likely' | 'several' | 'none';

export interface MatchCandidate {
  readonly code: string;
  readonly name: string;
  /** 0 to 1. */
  readonly score: number;
  readonly why: readonly MatchReason[];
  /** What the row has otherwise. Absent if nothing differs. */
  readonly differs?: readonly MatchDifference[];
}

export interface Match {
  readonly name: string;
  readonly outcome: MatchOutcome;
  /** The best first. */
  readonly candidates: readonly MatchCandidate[];
  /** The given parts that mean nothing in this directory, and did not count. Absent if all do. */
  readonly unknown?: readonly MatchHint[];
}

/** A part of a row of `/match` beside the name. */
export type MatchHint = 'postcode' | 'town' | 'role';

/** A part of a row that an organisation has otherwise. */
export type MatchDifference = 'name' | MatchHint;

export interface NearOptions {
  /** The code or the name of a role that the organisations have: `RO182`, `182` or `pharmacy`. */
  readonly role?: string | undefined;
  /** At most this far, in kilometres. Default: 1,000. */
  readonly within?: number | undefined;
  /** The most organisations in the answer. Default: 20. */
  readonly limit?: number | undefined;
}

export interface Neighbours {
  /** How many there are within the distance. */
  readonly total: number;
  /** The nearest first. */
  readonly organizations: readonly Neighbour[];
}

export interface Neighbour extends NamedCode {
  /** The code of the primary role: `RO182`. */
  readonly role?: string;
  readonly town?: string;
  readonly postcode?: string;
  readonly kilometres: number;
}

export const EVENT_KINDS = [
  'opened',
  'closed',
  'reopened',
  'renamed',
  'moved',
  'role-gained',
  'role-lost',
  'joined',
  'left',
  'succeeded',
  'merged',
  'added',
  'removed',
  'changed',
] as const;

/**
 * `added`, `removed`: the code is new in the directory, or gone from it. `changed`: the record differs
 * from the one in an earlier edition in what no other event says.
 */
export type EventKind = (typeof EVENT_KINDS)[number];

/** An edition, by its number and its publication date. */
export interface EventKnowledge {
  readonly edition: number;
  readonly date: string;
}

export interface OrganizationEvent extends NamedCode {
  readonly kind: EventKind;
  /** `YYYY-MM-DD`. The last day of what ended; the first day of anything else. */
  readonly day: string;
  /** The edition that knew it first. Absent if the editions that are kept do not tell. */
  readonly knownSince?: EventKnowledge;
  /** The organisation that it joined, left or was replaced by. */
  readonly other?: NamedCode;
  /** The organisation that it left when it joined the other one. */
  readonly from?: NamedCode;
  /** The role that it gained or lost: `RO177`. */
  readonly role?: string;
  /** The type of the relationship: `RE8`. */
  readonly by?: string;
  /** One sentence, without a full stop. */
  readonly text: string;
}
