/** Answers about codes and days, as HTTP, commands and the library give them. It imports nothing. */

/** One code that replaced another. */
export interface Replacement {
  readonly from: string;
  readonly to: string;
  /** `YYYY-MM-DD`, or less precise, as the source has it. Absent if it does not say. */
  readonly day?: string;
}

export interface CodeNow {
  readonly code: string;
  readonly name?: string;
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

export interface Level {
  readonly code: string;
  readonly name?: string;
  /** `RO319`. Absent if the source does not say. */
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
