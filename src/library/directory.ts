/** The directory as the library gives it: its methods, their answers and their error. */

import type {
  Belonging,
  Match,
  NameToMatch,
  NearOptions,
  Neighbours,
  OrganizationEvent,
  ResolvedCode,
} from '../directory/ask/answers.ts';
import type { PostcodeAnswer } from '../directory/places/areas.ts';
import type { FhirResource, FhirVersionName, Organization, R4Affiliation } from './organization.ts';

export interface Directory<Version extends FhirVersionName = 'STU3'> {
  /** The Organization with this code; undefined if there is none. Rejects with a `DirectoryError`. */
  read(code: string): Promise<Organization<Version> | undefined>;
  /**
   * Searches Organizations. Rejects with a `DirectoryError` if the search is not valid.
   *
   * @param query the query of a search URL, such as `name=leeds&_count=5`, or the URL of a `next` link
   */
  search(query: string): Promise<SearchBundle<Version>>;
  /**
   * All Organizations that match, one after the other. It reads the pages of the search as they are
   * needed. Without a query: the whole directory.
   */
  all(query?: string): AsyncGenerator<Organization<Version>, void>;
  /**
   * The codes that are in use on a day in place of this one. Rejects with a RangeError if the day is
   * not a date.
   *
   * @param on the day, `YYYY-MM-DD`. Default: today in England
   */
  resolve(code: string, on?: string): Promise<ResolvedCode>;
  /** What the organisation belongs to on a day, from the nearest level upwards. */
  hierarchy(code: string, on?: string): Promise<Belonging>;
  /** The organisations that a name means, the best first. Closed ones on the day count less. */
  match(name: string | NameToMatch, on?: string): Promise<Match>;
  /**
   * The active organisations nearest to a place. Rejects with a RangeError without the option
   * `postcodes`, and if a value is not valid.
   *
   * @param place a postcode, or a latitude, a comma and a longitude
   */
  near(place: string, options?: NearOptions): Promise<Neighbours>;
  /** What happened between two days, one after the other. Throws a RangeError if a value is not valid. */
  events(wanted: WantedEvents): AsyncGenerator<OrganizationEvent, void>;
  /** Where a postcode is, and what it belongs to. Rejects without the option `postcodes`. */
  postcode(postcode: string, on?: string): Promise<PostcodeAnswer>;
}

/** A Bundle of the type `searchset`. */
export interface SearchBundle<Version extends FhirVersionName = 'STU3'> extends FhirResource {
  readonly resourceType: 'Bundle';
  /** The number of all matches. */
  readonly total: number;
  readonly link: readonly { readonly relation: string; readonly url: string }[];
  /** The matches of one page; absent if there are none. */
  readonly entry?: readonly { readonly fullUrl: string; readonly resource: Found<Version> }[];
}

type Found<Version extends FhirVersionName> =
  | Organization<Version>
  | (Version extends 'R4' ? R4Affiliation : never);

/** The directory refused a read or a search. The message names the problem and the remedy. */
export class DirectoryError extends Error {
  override readonly name = 'DirectoryError';
  /** The HTTP status that a server would answer with. */
  readonly status: number;
  readonly outcome: FhirResource;

  constructor(message: string, status: number, outcome: FhirResource) {
    super(message);
    this.status = status;
    this.outcome = outcome;
  }
}

/**
 * What must hold of the events. The values are those of `GET /events`: one of `since`, `knownSince`
 * and `sinceEdition` is needed.
 */
export interface WantedEvents {
  readonly since?: string | undefined;
  readonly knownSince?: string | undefined;
  readonly sinceEdition?: string | undefined;
  readonly until?: string | undefined;
  readonly of?: string | undefined;
  readonly role?: string | undefined;
  readonly kind?: string | undefined;
}
