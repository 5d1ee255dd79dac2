/** Invented organisations among many others, and 362 names written by hand with the code that each means. */
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { Edition } from '../../../src/directory/edition/edition.ts';
import type { CodeSystems, OrganizationRecord } from '../../../src/directory/record/record.ts';
import { editionOf } from '../directory-server.ts';
import { CODE_SYSTEMS, organization, role } from '../records.ts';

const ROLES: Readonly<Record<string, string>> = {
  101: 'CARE HOME SITE',
  110: 'DENTAL PRACTICE',
  141: 'LOCAL AUTHORITY',
  166: 'OPTICAL SITE',
  182: 'PHARMACY',
  272: 'PRIMARY CARE NETWORK',
  284: 'SCHOOL',
  318: 'INTEGRATED CARE BOARD',
};

const SYSTEMS: CodeSystems = {
  ...CODE_SYSTEMS,
  roles: [
    ...CODE_SYSTEMS.roles,
    ...Object.entries(ROLES).map(([code, display]) => ({ code, display })),
  ],
};

type Line = Readonly<Record<string, string>>;

function linesOf(file: string): readonly Line[] {
  const path = new URL(`../../fixtures/match/${file}`, import.meta.url);
  return parse(readFileSync(path), { columns: true });
}

/** Rows as clients send them. An empty `code`: nothing is meant, or several organisations may be. */
export const NAMES: readonly Line[] = linesOf('names.csv');

function recordOf({ code = '', name = '', ...line }: Line): OrganizationRecord {
  const { town = '', postcode = '', role: primary = '', closed = '' } = line;
  const period = { kind: 'Operational', start: '2001-04-01' } as const;
  return organization(code, {
    name,
    isActive: closed === '',
    periods: [closed === '' ? period : { ...period, end: closed }],
    roles: [role(primary, { isPrimary: true })],
    address: { lines: [], city: town, postalCode: postcode },
  });
}

const FIRSTS =
  'OAK ELM ASH ROWAN MAPLE LIME CHESTNUT HAZEL HOLLY POPLAR SYCAMORE JUNIPER LAUREL HEATHER BRAMBLE ' +
  'FERN CLOVER SWAN HERON ROBIN WREN FALCON OTTER BADGER FOX STABLE FOUNTAIN SILVER AMBER GRANGE';
const SECONDS = 'LANE ROAD HOUSE STREET HILL VALLEY PARK';
const KINDS: readonly (readonly [kind: string, role: string])[] = [
  ['SURGERY', '177'],
  ['MEDICAL CENTRE', '177'],
  ['MEDICAL PRACTICE', '177'],
  ['HEALTH CENTRE', '177'],
  ['PHARMACY', '182'],
  ['CHEMISTS LTD', '182'],
  ['DENTAL PRACTICE', '110'],
  ['DENTAL CARE', '110'],
  ['NURSING HOME', '101'],
  ['CARE HOME', '101'],
  ['COMMUNITY HOSPITAL', '198'],
  ['OPTICIANS', '166'],
];
const TOWNS = 'LEEDS DERBY BATH YORK EXETER LUTON HULL IPSWICH NORWICH LINCOLN READING'.split(' ');

/** They make the usual words of names as frequent as they are in the directory. */
function others(): OrganizationRecord[] {
  const names = FIRSTS.split(' ').flatMap((first) =>
    SECONDS.split(' ').flatMap((second) =>
      KINDS.map(([kind, code]) => ({ name: `${first} ${second} ${kind}`, role: code })),
    ),
  );
  return names.map((line, i) =>
    recordOf({
      ...line,
      code: `Z${String(i).padStart(4, '0')}`,
      town: TOWNS[i % TOWNS.length]!,
      postcode: `ZZ${(i % 90) + 1} ${i % 10}AA`,
    }),
  );
}

export function namedEdition(): Edition {
  const records = [...linesOf('organisations.csv').map(recordOf), ...others()];
  return editionOf(
    records.toSorted((a, b) => (a.code < b.code ? -1 : 1)),
    1,
    SYSTEMS,
  );
}
