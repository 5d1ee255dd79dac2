/**
 * Where organisations and postcodes are, in the areas that the national service has for a postcode.
 *
 * An organisation is where its postcode is. Only in a directory without postcodes, its relationships
 * say in which board and region it is, and no other area is known.
 */

import { type Edition, perEdition } from '../edition/edition.ts';
import { namedCode, relationshipsOf } from '../edition/source-record.ts';
import type { Relationship } from '../links/edition-links.ts';
import type { StoredAreaKind } from '../places/areas.ts';
import type { Area, FoundPostcode } from '../places/postcodes.ts';
import type { NamedCode } from '../record/named-code.ts';
import type { OrganizationRecord } from '../record/record.ts';
import { createFindGeography, type FindGeography } from './geography.ts';

/** The kinds of areas as the national service names them, in its order, and what they are. */
export const GEOGRAPHY = {
  CA: 'cancer alliance',
  EW: 'electoral ward',
  GOR: 'region of the Office for National Statistics',
  ICB: 'integrated care board',
  LA: 'local authority',
  LSOA11: 'lower layer super output area of 2011',
  NHSER: 'region of NHS England',
  PC: 'parliamentary constituency',
  PCO: 'part of an integrated care board',
  'SMHPC AED': 'provider collaborative for adult eating disorders',
  'SMHPC AS': 'provider collaborative for adult secure services',
  'SMHPC CT4': 'provider collaborative for children and young people',
} as const;

export type GeographyKind = keyof typeof GEOGRAPHY;

/** The areas with these codes: of the Organisation Data Service, or of national statistics. */
export type GeographyAreas = Readonly<Partial<Record<GeographyKind, NamedCode>>>;

/** No published file of postcodes has the provider collaboratives. */
const AREAS: Readonly<Partial<Record<GeographyKind, StoredAreaKind>>> = {
  CA: 'cancerAlliance',
  EW: 'ward',
  GOR: 'region',
  ICB: 'icb',
  LA: 'localAuthority',
  LSOA11: 'lsoa11',
  NHSER: 'nhsRegion',
  PC: 'constituency',
  PCO: 'subIcb',
};

/** `day`: `YYYY-MM-DD`. */
export function geographyOfPostcode(
  edition: Edition,
  { areas }: Pick<FoundPostcode, 'areas'>,
  day: string,
): GeographyAreas {
  const found: Partial<Record<GeographyKind, NamedCode>> = {};
  for (const kind of Object.keys(AREAS) as GeographyKind[]) {
    const area = areas[AREAS[kind]!];
    if (area !== undefined) found[kind] = geographyArea(edition, area);
  }
  // A file of postcodes can name the board and not its region.
  const region = found.NHSER ?? (found.ICB && regionOf(edition, found.ICB.code, day));
  return { ...found, ...(region !== undefined && { NHSER: region }) };
}

/** The code and the name that the area has where codes of organisations count. */
export function geographyArea(edition: Edition, area: Area): NamedCode {
  const code = codeOfArea(area);
  const name = area.name ?? (area.odsCode && namedCode(edition, area.odsCode).name);
  return { code, ...(name !== undefined && { name }) };
}

/** The code of the Organisation Data Service, or else that of national statistics. */
function codeOfArea({ code, odsCode }: Area): string {
  return odsCode ?? code;
}

function regionOf(edition: Edition, board: string, day: string): NamedCode | undefined {
  const row = edition.links.rowOf(board);
  const { region } =
    row === undefined ? {} : belongingOf(edition, day)(relationshipsOf(edition, row));
  return region === undefined ? undefined : namedCode(edition, region);
}

export function geographyOfOrganization(
  edition: Edition,
  { address }: Pick<OrganizationRecord, 'address'>,
  relationships: () => readonly Relationship[],
  day: string,
): GeographyAreas {
  const { postcodes } = edition;
  if (postcodes !== undefined) {
    const found = postcodes.find(address?.postalCode ?? '');
    return found === undefined ? {} : geographyOfPostcode(edition, found, day);
  }
  const { board, region } = belongingOf(edition, day)(relationships());
  return {
    ...(board !== undefined && { ICB: namedCode(edition, board) }),
    ...(region !== undefined && { NHSER: namedCode(edition, region) }),
  };
}

/** Kept for the day, because many organisations belong to the same few. */
function belongingOf(edition: Edition, day: string): FindGeography {
  const kept = keptBelonging(edition);
  if (kept.day !== day) {
    kept.find = createFindGeography(edition, day);
    kept.day = day;
  }
  return kept.find;
}

const keptBelonging = perEdition(() => ({
  day: '',
  find: (() => ({})) as FindGeography,
}));
