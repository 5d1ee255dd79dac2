/**
 * Where organisations and postcodes are, in the areas that the national service has for a postcode.
 *
 * An organisation is where its postcode is. If that is not known, its relationships say in which board
 * and region it is, and no other area is known.
 */

import type { Edition } from '../edition/edition.ts';
import { namedCode } from '../edition/source-record.ts';
import type { StoredAreaKind } from '../places/areas.ts';
import type { Area, FoundPostcode } from '../places/postcodes.ts';
import type { NamedCode } from '../record/named-code.ts';
import type { OrganizationRecord } from '../record/record.ts';
import { geographyOf, regionOfBoard } from './geography.ts';

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
  const found = areasIn(edition, areas);
  // A file of postcodes can name the board and not its region.
  const board = areas.icb?.odsCode;
  const region =
    areas.nhsRegion?.odsCode ??
    (board === undefined ? undefined : regionOfBoard(edition, board, day));
  return { ...found, ...(region !== undefined && { NHSER: namedCode(edition, region) }) };
}

function areasIn(edition: Edition, areas: FoundPostcode['areas']): GeographyAreas {
  const found: Partial<Record<GeographyKind, NamedCode>> = {};
  for (const kind of Object.keys(AREAS) as GeographyKind[]) {
    const area = areas[AREAS[kind]!];
    if (area !== undefined) found[kind] = geographyArea(edition, area);
  }
  return found;
}

/** The code and the name that the area has where codes of organisations count. */
export function geographyArea(edition: Edition, { code, odsCode, name }: Area): NamedCode {
  const known = name ?? (odsCode && namedCode(edition, odsCode).name);
  return { code: odsCode ?? code, ...(known !== undefined && { name: known }) };
}

/** `row` is numbered as in `links`. The board and the region are those of `geographyOf`. */
export function geographyOfOrganization(
  edition: Edition,
  row: number,
  record: Pick<OrganizationRecord, 'address'>,
  day: string,
): GeographyAreas {
  const { board, region, areas } = geographyOf(edition, row, record, day);
  const { icb, nhsRegion, ...others } = areas;
  return {
    ...areasIn(edition, others),
    ...(board !== undefined && { ICB: placedBody(edition, board, icb) }),
    ...(region !== undefined && { NHSER: placedBody(edition, region, nhsRegion) }),
  };
}

/** The code of a body, with its name. The edition may lack it, and the postcodes may have its name. */
function placedBody(edition: Edition, code: string, area: Area | undefined): NamedCode {
  const named = namedCode(edition, code);
  const isNamedByArea = named.name === undefined && area?.odsCode === code;
  return isNamedByArea ? geographyArea(edition, area) : named;
}
