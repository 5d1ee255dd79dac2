/** Rows of the reference that say nearly the same become one row, with all of their names. */

/** The names of a family of columns or members, in their order, and what they mean together. */
const FAMILIES: readonly (readonly [names: string, meaning: string])[] = [
  [
    'operational_start operational_end legal_start legal_end',
    'First and last day of the operational and of the legal period.',
  ],
  [
    'opStartDate opEndDate legStartDate legEndDate',
    'The start and the end of the operational and of the legal period.',
  ],
  [
    'address_line_1 address_line_2 address_line_3',
    'The lines of the address; all others are in the third, after commas.',
  ],
  ['address1 address2 address3', 'The lines of the address.'],
  ['town county postcode country', 'The other parts of the address.'],
  ['phone fax email url', 'The first of each.'],
  ['telephone fax email website', 'Each of them.'],
  [
    'operator network sub_icb icb region',
    'Codes of what the organisation [belongs to](codes.md#what-an-organisation-belongs-to) on the day when the edition was published here.',
  ],
  ['latitude longitude', 'The position of the postcode (WGS 84), if postcodes were imported.'],
  ['easting northing', 'The same in metres on the National Grid of Great Britain.'],
  [
    'LSOA11 LA LAName GOR GORName',
    'The lower layer super output area of 2011, the local authority and the region of the postcode, if postcodes were imported.',
  ],
];

/** Rows begin with a name in backticks, and end with the meaning. */
export function foldFamilies(rows: readonly string[][]): string[][] {
  const folded: string[][] = [];
  for (let at = 0; at < rows.length; ) {
    const names = rows.slice(at).map(([name = '']) => name.replaceAll('`', ''));
    const family = FAMILIES.find(([all]) => `${names.join(' ')} `.startsWith(`${all} `));
    const row = rows[at] ?? [];
    const size = family?.[0].split(' ').length ?? alikeCount(rows, at);
    const cells = family === undefined ? row.slice(1) : [...row.slice(1, -1), family[1]];
    folded.push([
      rows
        .slice(at, at + size)
        .map(([name]) => name)
        .join(', '),
      ...cells,
    ]);
    at += size;
  }
  return folded;
}

/** The number of rows from this one on that differ only in their names. */
function alikeCount(rows: readonly string[][], at: number): number {
  const text = String(rows[at]?.slice(1));
  const end = rows.findIndex((row, i) => i > at && String(row.slice(1)) !== text);
  return (end === -1 ? rows.length : end) - at;
}
