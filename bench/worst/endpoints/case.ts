/** A request for the dearest answer of an endpoint, and what the tables of such requests share. */
import { DIRECTORY } from '../ask.ts';

/** The parts of a request besides its method. */
interface RequestParts {
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface EndpointCase extends RequestParts {
  /** The path of the request, if that of the endpoint has parameters. */
  readonly path?: string;
  /** The status of the answer, if it is not 200. No case measures a refusal. */
  readonly status?: 201 | 204 | 303;
  /** A request before each time, so that each time has the same to do. It is not measured. */
  readonly before?: AskedRequest;
}

/** By endpoint: `GET /STU3/metadata`. */
export type EndpointCases = Readonly<Record<string, EndpointCase>>;

/** What the cases must know of the data. */
export interface CaseFacts extends EditionFacts, StoredFacts {}

export interface EditionFacts {
  /** The code of the organisation to which the most others have a relationship. */
  readonly code: string;
  readonly affiliation: string;
  readonly version: string;
  /** Three letters that the names of the most organisations contain. */
  readonly text: string;
  /** Postcodes of organisations, without spaces. */
  readonly postcodes: readonly string[];
  /** The code of the organisation for which the most practitioners work. */
  readonly employer: string;
  /** The number of the practitioner with the most codes. */
  readonly practitioner: string;
}

/** The ids of resources in the store. */
export interface StoredFacts {
  /** With more versions than a page has. */
  readonly order: string;
  readonly subscription: string;
  /** A subscription that no other case reads. */
  readonly ended: string;
  readonly auditEvent: string;
}

/** For cases that need no other facts, and for tests. */
export const EXAMPLE_FACTS: CaseFacts = {
  code: 'RTG',
  affiliation: '1',
  version: '1',
  text: 'the',
  postcodes: ['LS14AP'],
  employer: 'RTG',
  practitioner: 'G1234567',
  order: 'a',
  subscription: 'b',
  ended: 'c',
  auditEvent: '1',
};

export interface AskedRequest extends RequestParts {
  readonly method: string;
  readonly path: string;
}

export interface AskedAnswer {
  readonly status: number;
  readonly bytes: number;
  readonly location?: string | undefined;
  /** The beginning of a refusal. */
  readonly text?: string;
}

/** Asks one after the other. Resolves with the last answer when its last byte is read. */
export type Ask = (...asked: readonly AskedRequest[]) => Promise<AskedAnswer>;

export const JSON_TYPE = { 'content-type': 'application/json' };
export const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
/** All organisations with a position, the nearest first: for pages and downloads of results. */
export const NEAR_ALL = 'near=51.5,-0.12&within=1000';
/** The same in FHIR. */
export const FHIR_NEAR_ALL = '51.5,-0.12|1000';
export const PRETTY = '_format=xml&_pretty=true';
export const R4_PAGE = `_count=${DIRECTORY['r4.countMax']}&${PRETTY}`;
