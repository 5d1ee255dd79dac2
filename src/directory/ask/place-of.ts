/** Where organisations are, by their postcodes, for the columns of files. */
import type { Edition } from '../edition/edition.ts';
import type { OrganizationRecord } from '../record/record.ts';

/** Degrees of WGS 84, and metres on the National Grid. Each is absent if it is not known. */
export type PlaceCells = Readonly<Partial<Record<PlaceColumn, number>>>;

export type PlaceColumn = (typeof PLACE_COLUMNS)[number];

export const PLACE_COLUMNS = ['latitude', 'longitude', 'easting', 'northing'] as const;

/** Empty if the edition has no postcodes, or these do not have that of the organisation. */
export function placeOf(
  { postcodes }: Pick<Edition, 'postcodes'>,
  { address }: Pick<OrganizationRecord, 'address'>,
): PlaceCells {
  const { position, grid } = postcodes?.find(address?.postalCode ?? '') ?? {};
  return { ...position, ...grid };
}
