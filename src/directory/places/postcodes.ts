/** What an open file of postcodes says of one postcode: where it is, and the areas it belongs to. */

import type { AboutTable } from '../arrays/stored-table.ts';
import { compactPostalCode, outwardCodeOf } from '../record/postal-code.ts';
import type { StoredAreaKind } from './areas.ts';

export interface Coordinates {
  /** Degrees north of the equator, WGS 84. */
  readonly latitude: number;
  /** Degrees east of Greenwich, WGS 84. */
  readonly longitude: number;
}

/** Metres east and north of the origin of the National Grid. */
export interface GridReference {
  readonly easting: number;
  readonly northing: number;
}

/** The postcodes of one version of the file that the operator has imported. */
export interface Postcodes {
  /** Changes whenever the operator imports another file. */
  readonly version: string;
  /**
   * The position of a postcode in any spelling that people write, such as `ls14ap`; undefined for
   * a postcode that the file does not have, and for one without a position, such as those of PO
   * boxes in some files. A terminated postcode keeps its position.
   */
  positionOf(postcode: string): Coordinates | undefined;
}

/** The same with all that the file says. */
export interface PostcodeFile extends Postcodes {
  readonly about: AboutPostcodes;
  /** Undefined for a postcode that the file does not have. The spelling as in `positionOf`. */
  find(postcode: string): FoundPostcode | undefined;
  /** From 0, in the order of the postcodes. */
  at(place: number): FoundPostcode;
  /** The month in which the postcode at a place went out of use: `2019-03`. */
  terminatedAt(place: number): string | undefined;
  readonly areas: PostcodeAreas;
}

/** The areas that the file names, of all kinds. */
export interface PostcodeAreas {
  readonly count: number;
  /** From 0. */
  at(place: number): Area;
  /** By the code of the Organisation Data Service; by the other code only if it has no such code. */
  find(code: string): Area | undefined;
}

/** Where the postcodes come from. */
export interface AboutPostcodes extends AboutTable {
  readonly form: PostcodeForm;
  readonly postcodes: number;
  /** Those without a position, and those that are no longer in use. */
  readonly withoutPosition: number;
  readonly terminated: number;
}

/** The file is an ONS Postcode Directory, or a Code-Point Open of Ordnance Survey. */
export type PostcodeForm = 'onspd' | 'code-point-open';

export interface FoundPostcode {
  /** As people write it: `LS1 4AP`. */
  readonly postcode: string;
  readonly position?: Coordinates;
  /** In whole metres. Only in Great Britain and on the Isle of Man, which the grid covers. */
  readonly grid?: GridReference;
  /** The areas that the file names. */
  readonly areas: Readonly<Partial<Record<StoredAreaKind, Area>>>;
  /** The month in which the postcode went out of use: `2019-03`. */
  readonly terminated?: string;
}

/** An area of the Office for National Statistics. */
export interface Area {
  /** The code of the Government Statistical Service: `E08000035`. */
  readonly code: string;
  /** Only if the file came with a table of names. */
  readonly name?: string;
  /** The code of the Organisation Data Service, if that table has it: `QWO`. */
  readonly odsCode?: string;
}

/** A postcode in two parts, in capitals: `['LS1', '4AP']`. Undefined if the text is not a postcode. */
export function partsOfPostcode(text: string): readonly [string, string] | undefined {
  if (text.length > LENGTH_MAX) return undefined;
  const compact = compactPostalCode(text);
  const outward = outwardCodeOf(compact);
  return outward === undefined ? undefined : [outward, compact.slice(outward.length)];
}

/** With generous white space. */
const LENGTH_MAX = 20;
