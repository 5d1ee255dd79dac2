/** Which events are asked for, and how a page of them ends. */

import type { Pause } from '../../../threads/pauses.ts';
import type { SourceRecord } from '../../record/record.ts';
import type { EventKind, OrganizationEvent } from '../answers.ts';

export interface EventFilter {
  /** The days of the events are included: `YYYY-MM-DD`. */
  readonly since?: string;
  readonly until?: string;
  /**
   * Only what no edition knew before this day: what the current edition says, and the last one that
   * was published before the day did not.
   */
  readonly knownSince?: string;
  /** The same by the number of that earlier edition. Not both. */
  readonly sinceEdition?: number;
  /** The code of an organisation: events of it, and of those that belong to it on the day of the event. */
  readonly of?: string;
  /** Organisations that have, had or will have one of the roles. Without `RO`. */
  readonly roles?: readonly string[];
  /** Any of these. */
  readonly kinds?: readonly EventKind[];
}

export interface EventPage {
  readonly events: readonly OrganizationEvent[];
  /** Where the next page begins, in the same edition. Absent on the last page. */
  readonly next?: EventPosition;
}

export interface EventPosition {
  /** The place in the index of days, or in the list of codes that editions changed. */
  readonly place: number;
  /** How many events of this place are on earlier pages. */
  readonly skip: number;
}

export interface EventPageOptions {
  readonly after?: EventPosition | undefined;
  readonly limit: number;
  /** Awaited after each organisation. Absent: its own pauses. */
  readonly pause?: Pause | undefined;
  /** Aborts when no request waits for the page. */
  readonly signal?: AbortSignal | undefined;
}

/** The pauses of a page, which end it after a while. */
export class PageTime {
  readonly #pause: Pause;
  #slices = 0;

  constructor(pause: Pause) {
    this.#pause = pause;
  }

  /** To await after each organisation, if it gives a promise. */
  pause(): Promise<void> | undefined {
    const turn = this.#pause();
    if (turn !== undefined) this.#slices += 1;
    return turn;
  }

  get isOver(): boolean {
    return this.#slices >= SLICES_MAX;
  }
}

/** About half a second's work. */
const SLICES_MAX = 60;

/** Who left one organisation for another also left. */
export function isOfKind(
  { kind, from }: { readonly kind: EventKind; readonly from?: unknown },
  { kinds }: EventFilter,
): boolean {
  if (kinds === undefined || kinds.includes(kind)) return true;
  return from !== undefined && kinds.includes('left');
}

export function isInDays({ day }: Pick<OrganizationEvent, 'day'>, filter: EventFilter): boolean {
  const { since = '', until } = filter;
  return day >= since && (until === undefined || day <= until);
}

/** Whether the record has one of the roles of the filter. */
export function hasRole({ roles }: Pick<SourceRecord, 'roles'>, filter: EventFilter): boolean {
  const { roles: wanted } = filter;
  return wanted === undefined || roles.some(({ code }) => wanted.includes(code));
}

/**
 * Whether an event is one of the organisation of the filter, or of what belongs to it on the day of
 * the event. `belongs`: whether the record of the event does on a day.
 */
export function isOf(
  { code, day, other, from }: OrganizationEvent,
  belongs: (day: string) => boolean,
  { of }: EventFilter,
): boolean {
  return of === undefined || [code, other?.code, from?.code].includes(of) || belongs(day);
}
