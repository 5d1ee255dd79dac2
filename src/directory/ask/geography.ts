/** Where organisations are: the areas of their postcodes, or what they belong to if none is known. */
import type { Edition } from '../edition/edition.ts';
import type { FoundPostcode } from '../places/postcodes.ts';
import type { OrganizationRecord } from '../record/record.ts';
import { boardAndRegionOf } from './belongs-to.ts';

export interface Geography {
  /** The code of the integrated care board. */
  readonly board?: string;
  /** The code of the region of NHS England that the board belongs to. */
  readonly region?: string;
  /** The areas of the postcode. Empty if no postcodes were imported, or they do not have it. */
  readonly areas: FoundPostcode['areas'];
}

/**
 * The board is that of the postcode, if postcodes were imported with a table that names its
 * organisation. Otherwise board and region are those that the organisation belongs to on the day.
 */
export function geographyOf(
  edition: Edition,
  row: number,
  { address }: Pick<OrganizationRecord, 'address'>,
  day: string,
): Geography {
  const areas = edition.postcodes?.find(address?.postalCode ?? '')?.areas ?? {};
  const placed = areas.icb?.odsCode;
  const { board, region } =
    placed === undefined
      ? boardAndRegionOf(edition, row, day)
      : { board: placed, region: regionOfBoard(edition, placed, day) ?? areas.nhsRegion?.odsCode };
  return {
    ...(board !== undefined && { board }),
    ...(region !== undefined && { region }),
    areas,
  };
}

/** The region that a board belongs to; undefined if the edition does not know it. */
export function regionOfBoard(edition: Edition, board: string, day: string): string | undefined {
  const row = edition.links.rowOf(board);
  return row === undefined ? undefined : boardAndRegionOf(edition, row, day).region;
}
