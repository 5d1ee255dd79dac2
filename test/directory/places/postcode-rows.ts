/** Postcodes for tests. */
import {
  type PostcodeRow,
  PostcodesBuilder,
} from '../../../src/directory/places/build-postcodes.ts';
import { gridReferenceOf } from '../../../src/directory/places/national-grid.ts';
import {
  type Coordinates,
  type PostcodeFile,
  partsOfPostcode,
} from '../../../src/directory/places/postcodes.ts';
import {
  type AreaTables,
  monthNumber,
  openPostcodes,
  type StoredPostcodes,
} from '../../../src/directory/places/stored-postcodes.ts';
import { decodeTable, encodeTable } from '../../../src/storage/tables/table-bytes.ts';
import { POSTCODE_TABLE } from '../../../src/storage/tables/table-kinds.ts';

export interface TestPostcode extends Partial<Pick<PostcodeRow, 'position' | 'grid' | 'areas'>> {
  readonly postcode: string;
  /** `201903` */
  readonly terminated?: string;
}

/** A postcode at a position, with the grid reference of that position. */
export function placed(postcode: string, latitude: number, longitude: number): TestPostcode {
  const position: Coordinates = { latitude, longitude };
  const { easting, northing } = gridReferenceOf(position);
  return {
    postcode,
    position,
    grid: { easting: Math.round(easting), northing: Math.round(northing) },
  };
}

/** The file of these postcodes as a store keeps it. */
export function postcodeBytes(
  rows: readonly TestPostcode[],
  named?: AreaTables['named'],
): Uint8Array {
  const builder = new PostcodesBuilder();
  for (const { postcode, position, grid, areas = {}, terminated = '' } of rows) {
    const parts = partsOfPostcode(postcode);
    if (parts === undefined) throw new RangeError(`${postcode} is not a postcode`);
    builder.add({ parts, position, grid, areas, terminated: monthNumber(terminated) ?? 0 });
  }
  const { arrays, ...counts } = builder.finish(named);
  const about = {
    source: 'postcodes.csv',
    form: 'onspd',
    importedAt: '2026-11-26T00:00:00.000Z',
  } as const;
  return encodeTable(POSTCODE_TABLE, { ...about, ...counts }, arrays);
}

export function storedPostcodes(
  rows: readonly TestPostcode[],
  named?: AreaTables['named'],
): StoredPostcodes {
  const bytes = postcodeBytes(rows, named);
  const memory = new SharedArrayBuffer(bytes.length);
  new Uint8Array(memory).set(bytes);
  return decodeTable(POSTCODE_TABLE, 'postcodes of a test', memory);
}

export function postcodeFile(rows: readonly TestPostcode[]): PostcodeFile {
  return openPostcodes(storedPostcodes(rows));
}
