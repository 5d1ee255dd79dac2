/** A request for the dearest answer of an endpoint, and what the tables of such requests share. */
import { DIRECTORY } from '../ask.ts';

export interface EndpointCase {
  /** The path of the request, if that of the endpoint has parameters. */
  readonly path?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** By endpoint: `GET /STU3/metadata`. */
export type EndpointCases = Readonly<Record<string, EndpointCase>>;

/** What the cases must know of the data. */
export interface CaseFacts {
  /** The code of the organisation to which the most others have a relationship. */
  readonly code: string;
  readonly affiliation: string;
  readonly version: string;
  readonly order: string;
}

export interface AskedRequest extends EndpointCase {
  readonly method: string;
  readonly path: string;
}

export const JSON_TYPE = { 'content-type': 'application/json' };
export const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
export const PRETTY = '_format=xml&_pretty=true';
export const R4_PAGE = `_count=${DIRECTORY['r4.countMax']}&${PRETTY}`;
