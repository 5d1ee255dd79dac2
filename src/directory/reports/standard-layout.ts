/** The layout of most reports: 27 columns, of which each report fills some. */

import { recordAt } from '../edition/edition-records.ts';
import type { Relationship } from '../edition/relations.ts';
import type { Geography } from '../export/relation-columns.ts';
import type { OrganizationRecord } from '../record/record.ts';
import { relationshipsOf } from '../record/source-record.ts';
import {
  addressCells,
  compactDate,
  isListed,
  isOpen,
  otherRoles,
  otherRolesText,
  type Parent,
  parentOf,
  periodOfKind,
} from './facts.ts';
import type { Dialect, Layout, ReportView } from './report.ts';

/** What the columns of an organisation are made from. */
interface Facts {
  readonly record: OrganizationRecord;
  readonly view: ReportView;
  readonly geography: Geography;
  readonly parent: Parent | undefined;
  /** Whether the sub-type says if the organisation has a parent, as for GP practices. */
  readonly hasAllocation: boolean;
}

export interface StandardColumn {
  readonly heading: string;
  /** A column without cells is always empty. */
  readonly cell?: (facts: Facts) => string | undefined;
  /** The cell in the former dialect, if it differs. */
  readonly formerCell?: (facts: Facts) => string | undefined;
  /** What the release does not tell. */
  readonly unknown?: string;
}

const EMPTY: StandardColumn = { heading: 'Null' };

const addressColumn = (line: number): StandardColumn => ({
  heading: `Address Line ${line}`,
  cell: ({ record }) => addressCells(record)[line - 1],
});

const dateColumn = (heading: string, end: 'start' | 'end'): StandardColumn => ({
  heading,
  cell: ({ record }) => compactDate(periodOfKind(record.periods, 'Legal')?.[end]),
  formerCell: ({ record }) => compactDate(periodOfKind(record.periods, 'Operational')?.[end]),
});

/** The place of a column in this list is its number, from 1. */
export const STANDARD_COLUMNS: readonly StandardColumn[] = [
  { heading: 'Organisation Code', cell: ({ record }) => record.code },
  { heading: 'Name', cell: ({ record }) => record.name },
  { heading: 'National Grouping', cell: ({ geography }) => geography.region },
  { heading: 'High Level Health Geography', cell: ({ geography }) => geography.board },
  addressColumn(1),
  addressColumn(2),
  addressColumn(3),
  addressColumn(4),
  addressColumn(5),
  { heading: 'Postcode', cell: ({ record }) => record.address?.postalCode },
  dateColumn('Open Date', 'start'),
  dateColumn('Close Date', 'end'),
  {
    heading: 'Status',
    cell: ({ record, view }) => (isOpen(record, view) ? 'ACTIVE' : 'INACTIVE'),
    formerCell: ({ record, view }) => (isOpen(record, view) ? 'A' : 'C'),
    unknown: 'the former values `D` (dormant) and `P` (proposed)',
  },
  {
    heading: 'Organisation Sub-Type',
    cell: (facts) =>
      facts.hasAllocation ? allocation(facts) : otherRolesText(facts.record, facts.view),
    formerCell: (facts) => (facts.hasAllocation ? allocation(facts) : ''),
    unknown: 'the letters of the former dialect, except `B` and `Z` of `epraccur`',
  },
  { heading: 'Parent Organisation', cell: ({ parent }) => parent?.target.code },
  { heading: 'Join Parent Date', cell: ({ parent }) => parent?.joined },
  { heading: 'Left Parent Date', cell: ({ parent }) => parent?.left },
  {
    heading: 'Contact Telephone Number',
    cell: ({ record }) => record.telecoms.find(({ system }) => system === 'phone')?.value,
  },
  EMPTY,
  EMPTY,
  EMPTY,
  {
    heading: 'Amended Record Indicator',
    cell: () => NOT_AMENDED,
    unknown: 'whether the record was amended: it is always `0`',
  },
  EMPTY,
  { heading: 'Current Care Organisation', cell: ({ parent }) => parent?.target.code },
  EMPTY,
  {
    heading: 'Prescribing Setting',
    cell: ({ record, view }) => otherRolesText(record, view),
    formerCell: ({ record, view }) => settingOf(otherRoles(record, view)),
  },
  EMPTY,
];

/** The release does not say what changed. */
export const NOT_AMENDED = '0';

/** `B`: allocated to a parent. `Z`: not allocated. */
function allocation({ parent }: Facts): string {
  return parent === undefined ? 'Z' : 'B';
}

/** The columns that every report fills: code, name, address, postcode, open and close date. */
export const COMMON_COLUMNS: readonly number[] = [1, 2, 5, 6, 7, 8, 9, 10, 11, 12];

export interface StandardOptions {
  /** The numbers of the columns that the report fills, besides those that every report fills. */
  readonly columns: readonly number[];
  /** The types of relationships to the parent, such as `4`. The first type that there is counts. */
  readonly parent?: readonly string[];
  readonly hasAllocation?: boolean;
}

const GEOGRAPHY_COLUMNS: readonly number[] = [3, 4];

export function standardLayout({
  columns,
  parent: types = [],
  hasAllocation = false,
}: StandardOptions): Layout {
  const filled = new Set([...COMMON_COLUMNS, ...columns]);
  const hasGeography = columns.some((column) => GEOGRAPHY_COLUMNS.includes(column));
  const needsRelations = hasGeography || types.length > 0;
  const cellsOf = (dialect: Dialect) =>
    STANDARD_COLUMNS.map(({ cell, formerCell = cell }, at) => {
      if (!filled.has(at + 1)) return undefined;
      return dialect === 'former' ? formerCell : cell;
    });
  const cells = { present: cellsOf('present'), former: cellsOf('former') };
  return {
    headings: STANDARD_COLUMNS.map(({ heading }, at) =>
      heading === EMPTY.heading ? `${heading} ${at + 1}` : heading,
    ),
    needsRelations,
    isOfOrganisations: true,
    *lines(view, row) {
      const record = recordAt(view.edition, row);
      if (!isListed(record, view)) return;
      const relationships: readonly Relationship[] = needsRelations
        ? relationshipsOf(view.edition, row)
        : [];
      const facts: Facts = {
        record,
        view,
        geography: hasGeography ? view.findGeography(relationships) : {},
        parent: parentOf(relationships, types, view.day),
        hasAllocation,
      };
      yield cells[view.dialect].map((cell) => cell?.(facts) ?? '');
    },
  };
}

/** The prescribing setting, by the codes of roles. The first role that the practice has decides. */
const SETTINGS: readonly (readonly [role: string, setting: string])[] = [
  ['76', '4'],
  ['255', '8'],
  ['247', '9'],
  ['250', '10'],
  ['252', '11'],
  ['259', '12'],
  ['249', '13'],
  ['246', '14'],
  ['260', '16'],
  ['257', '17'],
  ['256', '18'],
  ['251', '19'],
  ['235', '20'],
  ['234', '21'],
  ['258', '22'],
  ['82', '25'],
];

const WALK_IN = '87';
const OUT_OF_HOURS = '80';

function settingOf(roles: readonly string[]): string {
  const known = SETTINGS.find(([role]) => roles.includes(role));
  if (known !== undefined) return known[1];
  if (roles.includes(WALK_IN)) return roles.includes(OUT_OF_HOURS) ? '3' : '1';
  return roles.includes(OUT_OF_HOURS) ? '2' : '0';
}
