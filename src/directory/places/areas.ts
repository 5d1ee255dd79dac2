/** The areas that a postcode belongs to, and the answer to the question about a postcode. */
import type { NamedCode } from '../record/named-code.ts';

/** The kinds of areas in the order in which they are shown. */
export const AREA_KINDS = [
  'localAuthority',
  'subIcb',
  'icb',
  'region',
  'lsoa11',
  'lsoa21',
  'country',
] as const;

export type AreaKind = (typeof AREA_KINDS)[number];

/** All kinds that the imported postcodes have. New kinds come last: stored files name theirs. */
export const STORED_AREA_KINDS = [
  ...AREA_KINDS,
  'ward',
  'constituency',
  'cancerAlliance',
  'nhsRegion',
] as const;

export type StoredAreaKind = (typeof STORED_AREA_KINDS)[number];

/** An area of the Office for National Statistics. */
export interface PostcodeArea {
  /** The code of the Government Statistical Service: `E08000035`. */
  readonly code: string;
  /** Only if the file of postcodes came with a table of names. */
  readonly name?: string;
  /** The organisation of this directory that the area is, if the file names its code. */
  readonly organisation?: NamedCode;
}

/** Where a postcode is, and what it belongs to, as the imported file says. */
export interface PostcodeAnswer extends Readonly<Partial<Record<AreaKind, PostcodeArea>>> {
  /** As people write it, `LS1 4AP`; as it was asked, if it is not a postcode. */
  readonly postcode: string;
  /** `terminated`: it was out of use on the day. `unknown`: the file does not have it. */
  readonly outcome: 'found' | 'terminated' | 'unknown' | 'malformed';
  /** Degrees, WGS 84. Absent if the file does not know the position. */
  readonly latitude?: number;
  readonly longitude?: number;
  /** Metres on the National Grid of Great Britain. */
  readonly easting?: number;
  readonly northing?: number;
  /** The month in which it went out of use: `2019-03`. */
  readonly terminated?: string;
}
