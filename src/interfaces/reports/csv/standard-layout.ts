/** The layout of most reports: 27 columns, of which each report fills some. */

import type { Level } from '../../../directory/ask/answers.ts';
import { belongsTo, levelNamed } from '../../../directory/ask/belongs-to.ts';
import { recordAt } from '../../../directory/edition/edition-records.ts';
import { relationshipsOf } from '../../../directory/edition/source-record.ts';
import type { Relationship } from '../../../directory/links/edition-links.ts';
import { inTime } from '../../../directory/record/in-force.ts';
import type { OrganizationRecord } from '../../../directory/record/record.ts';
import { addressCells, telecomOf } from '../../../directory/record/record-facts.ts';
import {
  compactPeriod,
  isArchived,
  isListed,
  isOpen,
  otherRoles,
  otherRolesText,
  type Parent,
  parentOf,
} from './facts.ts';
import type { Dialect, Layout, ReportView, StandardOptions } from './report.ts';

/** What the columns of an organisation are made from. */
interface Facts {
  readonly record: OrganizationRecord;
  readonly view: ReportView;
  /** What it belongs to on the day of the view. */
  readonly levels: readonly Level[];
  readonly parent: Parent | undefined;
  /** Whether the sub-type says if the organisation has a parent, as for GP practices. */
  readonly hasAllocation: boolean;
}

export interface StandardColumn {
  readonly heading: string;
  /** What it contains, and what it contains in the former dialect if that differs. For documents. */
  readonly value?: string;
  readonly formerValue?: string;
  /** A column without cells is always empty. */
  readonly cell?: (facts: Facts) => string | undefined;
  /** The cell in the former dialect, if it differs. */
  readonly formerCell?: (facts: Facts) => string | undefined;
  /** What the release does not tell. */
  readonly unknown?: string;
}

const EMPTY: StandardColumn = { heading: 'Null' };

const addressColumn = (line: number, value: string): StandardColumn => ({
  heading: `Address Line ${line}`,
  value,
  cell: ({ record }) => addressCells(record)[line - 1],
});

const dateColumn = (heading: string, end: 'start' | 'end'): StandardColumn => ({
  heading,
  value: `the ${end} of the legal period`,
  formerValue: `the ${end} of the operational period`,
  cell: ({ record, view }) => compactPeriod(inTime(record, view.day, 'Legal').period)[end],
  formerCell: ({ record, view }) => compactPeriod(inTime(record, view.day).period)[end],
});

/** The place of a column in this list is its number, from 1. */
export const STANDARD_COLUMNS: readonly StandardColumn[] = [
  { heading: 'Organisation Code', value: 'the code', cell: ({ record }) => record.code },
  { heading: 'Name', value: 'the name', cell: ({ record }) => record.name },
  {
    heading: 'National Grouping',
    value: 'the code of the region of NHS England that it belongs to',
    cell: ({ levels }) => levelNamed(levels, 'region')?.code,
  },
  {
    heading: 'High Level Health Geography',
    value: 'the code of the integrated care board that it belongs to',
    cell: ({ levels }) => levelNamed(levels, 'icb')?.code,
  },
  addressColumn(1, 'the first line'),
  addressColumn(2, 'the second line'),
  addressColumn(3, 'the other lines'),
  addressColumn(4, 'the town'),
  addressColumn(5, 'the county'),
  {
    heading: 'Postcode',
    value: 'the postcode',
    cell: ({ record }) => record.address?.postalCode,
  },
  dateColumn('Open Date', 'start'),
  dateColumn('Close Date', 'end'),
  {
    heading: 'Status',
    value: '`ACTIVE` or `INACTIVE`',
    formerValue: '`A` or `C`',
    cell: ({ record, view }) => (isOpen(record, view) ? 'ACTIVE' : 'INACTIVE'),
    formerCell: ({ record, view }) => (isOpen(record, view) ? 'A' : 'C'),
    unknown: 'the former values `D` (dormant) and `P` (proposed)',
  },
  {
    heading: 'Organisation Sub-Type',
    value:
      'the roles besides the primary one, joined by `|`; in `epraccur` `B` with a parent and `Z` without',
    formerValue: 'empty, except `B` or `Z` in `epraccur`',
    cell: (facts) =>
      facts.hasAllocation ? allocation(facts) : otherRolesText(facts.record, facts.view),
    formerCell: (facts) => (facts.hasAllocation ? allocation(facts) : ''),
    unknown: 'the former letters, except `B` and `Z` of `epraccur`',
  },
  {
    heading: 'Parent Organisation',
    value: 'the code of the parent',
    cell: ({ parent }) => parent?.target.code,
  },
  {
    heading: 'Join Parent Date',
    value: 'the start of the relationship to the parent',
    cell: ({ parent }) => parent?.joined,
  },
  {
    heading: 'Left Parent Date',
    value: 'its end',
    cell: ({ parent }) => parent?.left,
  },
  {
    heading: 'Contact Telephone Number',
    value: 'the first telephone number',
    cell: ({ record }) => telecomOf(record, 'phone'),
  },
  EMPTY,
  EMPTY,
  EMPTY,
  {
    heading: 'Amended Record Indicator',
    value: '`0`',
    cell: () => NOT_AMENDED,
    unknown: 'whether the record was amended',
  },
  EMPTY,
  {
    heading: 'Current Care Organisation',
    value: 'the code of the parent',
    cell: ({ parent }) => parent?.target.code,
  },
  EMPTY,
  {
    heading: 'Prescribing Setting',
    value: 'the roles besides the primary one, such as `RO76` or `RO80|RO87`',
    formerValue:
      'a number: `4` GP practice, `1` walk-in centre, `2` out of hours, `3` both, `8` to `25` other settings, `0` not known',
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

const GEOGRAPHY_COLUMNS: readonly number[] = [3, 4];

export function standardLayout(standard: StandardOptions): Layout {
  const { columns, parent: types = [], hasAllocation = false, isOfArchive = false } = standard;
  const filled = new Set([...COMMON_COLUMNS, ...columns]);
  const hasGeography = columns.some((column) => GEOGRAPHY_COLUMNS.includes(column));
  const needsLinks = hasGeography || types.length > 0;
  const cellsOf = (dialect: Dialect) =>
    STANDARD_COLUMNS.map(({ cell, formerCell = cell }, at) => {
      if (!filled.has(at + 1)) return undefined;
      return dialect === 'former' ? formerCell : cell;
    });
  const cells = { present: cellsOf('present'), former: cellsOf('former') };
  return {
    standard,
    headings: STANDARD_COLUMNS.map(({ heading }, at) =>
      heading === EMPTY.heading ? `${heading} ${at + 1}` : heading,
    ),
    needsLinks,
    isOfOrganisations: true,
    *lines(view, row) {
      const record = recordAt(view.edition, row);
      if (isOfArchive ? !isArchived(record, view) : !isListed(record, view)) return;
      const relationships: readonly Relationship[] =
        types.length > 0 ? relationshipsOf(view.edition, row) : [];
      const facts: Facts = {
        record,
        view,
        levels: hasGeography ? belongsTo(view.edition, row, view.day) : [],
        parent: parentOf(relationships, types, view),
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
