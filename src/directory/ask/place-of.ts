/** Where a postcode is and what areas it is in, and where organisations are by their postcodes. */

import { FhirError } from '../../fhir/request/fhir-error.ts';
import type { Edition } from '../edition/edition.ts';
import { namedCode } from '../edition/source-record.ts';
import {
  AREA_KINDS,
  type AreaKind,
  type PostcodeAnswer,
  type PostcodeArea,
} from '../places/areas.ts';
import { type Area, type PostcodeFile, partsOfPostcode } from '../places/postcodes.ts';
import type { OrganizationRecord } from '../record/record.ts';
import { IMPORT_POSTCODES } from './near.ts';

/** Throws a FhirError with the remedy if no postcodes were imported. */
export function requirePostcodes({ postcodes }: Pick<Edition, 'postcodes'>): PostcodeFile {
  if (postcodes !== undefined) return postcodes;
  throw FhirError.of('invalid-request', `This needs postcodes. ${IMPORT_POSTCODES}`);
}

/** Where a postcode in any spelling is. Throws a FhirError if no postcodes were imported. */
export function placeOf(edition: Edition, text: string, day: string): PostcodeAnswer {
  const postcodes = requirePostcodes(edition);
  const parts = partsOfPostcode(text);
  if (parts === undefined) return { postcode: text, outcome: 'malformed' };
  const found = postcodes.find(text);
  if (found === undefined) return { postcode: parts.join(' '), outcome: 'unknown' };
  const { postcode, position, grid, areas, terminated } = found;
  const answered: Partial<Record<AreaKind, PostcodeArea>> = {};
  for (const kind of AREA_KINDS) {
    const area = areas[kind];
    if (area !== undefined) answered[kind] = areaIn(edition, area);
  }
  return {
    postcode,
    outcome: isOutOfUse(terminated, day) ? 'terminated' : 'found',
    ...position,
    ...grid,
    ...(terminated !== undefined && { terminated }),
    ...answered,
  };
}

/**
 * Whether a postcode was out of use on the day: `YYYY-MM-DD`. In its month of termination, `YYYY-MM`,
 * it may still be in use.
 */
export function isOutOfUse(terminated: string | undefined, day: string): boolean {
  return terminated !== undefined && terminated < day.slice(0, MONTH_LENGTH);
}

const MONTH_LENGTH = 'YYYY-MM'.length;

/** Codes of statistics are no codes of organisations, so only the code of the table of names counts. */
function areaIn(edition: Edition, { code, name, odsCode = '' }: Area): PostcodeArea {
  const organisation = namedCode(edition, odsCode);
  return {
    code,
    ...(name !== undefined && { name }),
    ...(organisation.name !== undefined && { organisation }),
  };
}

/** Degrees of WGS 84, and metres on the National Grid. Each is absent if it is not known. */
export type PlaceCells = Readonly<Partial<Record<PlaceColumn, number>>>;

export type PlaceColumn = (typeof PLACE_COLUMNS)[number];

export const PLACE_COLUMNS = ['latitude', 'longitude', 'easting', 'northing'] as const;

/** For the columns of files. Empty if the edition has no postcodes, or these do not have that of the organisation. */
export function placeCells(
  { postcodes }: Pick<Edition, 'postcodes'>,
  { address }: Pick<OrganizationRecord, 'address'>,
): PlaceCells {
  const { position, grid } = postcodes?.find(address?.postalCode ?? '') ?? {};
  return { ...position, ...grid };
}
