/** The layouts of reports about networks, members and successions. */

import { NETWORK, PARTNER_TO } from '../../../directory/ask/ways-up.ts';
import { primaryRoles } from '../../../directory/edition/edition.ts';
import { recordAt } from '../../../directory/edition/edition-records.ts';
import { relationshipsOf } from '../../../directory/edition/source-record.ts';
import type {
  RelatedTarget,
  Relationship,
  Succession,
} from '../../../directory/links/edition-links.ts';
import { firstDay } from '../../../directory/record/day.ts';
import { prefixedId } from '../../../directory/record/ids.ts';
import { inTime } from '../../../directory/record/in-force.ts';
import { addressCells } from '../../../directory/record/record-facts.ts';
import {
  ARCHIVE_DATE,
  compactDate,
  compactPeriod,
  datesOf,
  isListed,
  isRowOpen,
  parentOf,
  periodOfKind,
  targetName,
} from './facts.ts';
import type { Layout, ReportView } from './report.ts';
import { NOT_AMENDED } from './standard-layout.ts';

/** The relationship "is commissioned by". */
const COMMISSIONED_BY = ['4'];

/** Primary care networks, with the part of an integrated care board that commissions each. */
export const NETWORKS: Layout = {
  headings: [
    'PCN Code',
    'PCN Name',
    'Current Sub ICB Location Code',
    'Sub ICB Location Name',
    'Open Date',
    'Close Date',
    ...[1, 2, 3, 4, 5].map((line) => `Address Line ${line}`),
    'Postcode',
  ],
  needsLinks: true,
  isOfOrganisations: true,
  *lines(view, row) {
    const { edition } = view;
    const record = recordAt(edition, row);
    if (!isListed(record, view)) return;
    const board = parentOf(relationshipsOf(edition, row), COMMISSIONED_BY, view)?.target;
    const { start, end } = compactPeriod(inTime(record, view.day, 'Legal').period);
    yield [
      record.code,
      record.name ?? '',
      board?.code ?? '',
      targetName(view, board),
      start,
      end,
      ...addressCells(record),
      record.address?.postalCode ?? '',
    ];
  },
};

/** A line for each practice and each network that it is or was a member of. */
export const NETWORK_PARTNERS: Layout = {
  headings: [
    'Partner Organisation Code',
    'Partner Name',
    'Practice Parent Sub ICB Location Code',
    'Practice Parent Sub ICB Location Name',
    'PCN Code',
    'PCN Name',
    'PCN Parent Sub ICB Location Code',
    'PCN Parent Sub ICB Location Name',
    'Practice to PCN Relationship Start Date',
    'Practice to PCN Relationship End Date',
    'Practice Sub ICB and PCN Sub ICB Match?',
  ],
  needsLinks: true,
  *lines(view, row) {
    const { edition, day } = view;
    const relationships = relationshipsOf(edition, row);
    const partnerships = known(relationships, view).filter(
      ({ type, target }) => type === PARTNER_TO && target.primaryRole === NETWORK,
    );
    if (partnerships.length === 0) return;
    const record = recordAt(edition, row);
    if (!isListed(record, view)) return;
    const { code, name = '' } = record;
    const own = parentOf(relationships, COMMISSIONED_BY, view)?.target;
    for (const partnership of partnerships) {
      const { target: network } = partnership;
      const ofNetwork = network.row === undefined ? [] : relationshipsOf(edition, network.row);
      const board = parentOf(ofNetwork, COMMISSIONED_BY, view)?.target;
      const { joined, left } = datesOf(partnership, day);
      yield [
        code,
        name,
        own?.code ?? '',
        targetName(view, own),
        network.code,
        targetName(view, network),
        board?.code ?? '',
        targetName(view, board),
        joined,
        left,
        own !== undefined && own.code === board?.code ? 'TRUE' : 'FALSE',
      ];
    }
  },
};

/** A line for each relationship of one of the types, such as `4`. */
export function memberLayout(types: readonly string[]): Layout {
  return {
    headings: [
      'Organisation Code',
      'Parent Organisation Code',
      'Parent Organisation Type',
      'Join Parent Date',
      'Left Parent Date',
      'Amended Record Indicator',
    ],
    needsLinks: true,
    *lines(view, row) {
      const { edition, day } = view;
      const record = recordAt(edition, row);
      if (!isListed(record, view)) return;
      for (const relationship of known(relationshipsOf(edition, row), view)) {
        const { type, target } = relationship;
        if (!types.includes(type)) continue;
        const { joined, left } = datesOf(relationship, day);
        const role = prefixedId('RO', target.primaryRole);
        yield [record.code, target.code, role ?? '', joined, left, NOT_AMENDED];
      }
    },
  };
}

/** Also relationships that begin later. A report as at a day has only those that had begun. */
function known(
  relationships: readonly Relationship[],
  { day, isAsAt }: ReportView,
): readonly Relationship[] {
  if (!isAsAt) return relationships;
  return relationships.filter((each) => inTime(each, day).phase !== 'later');
}

/**
 * A line for each succession that has begun, once, even if both organisations state it. `older`: the
 * former service published those before the archive date in a separate file.
 */
export function successionLayout(isOlder: boolean): Layout {
  return {
    headings: [
      'Old Organisation Code',
      'New Organisation Code',
      'Reason',
      'Effective Date',
      'Indicator',
    ],
    needsLinks: true,
    *lines(view, row) {
      const { links } = view.edition;
      const successions = links.successionsOf(row);
      // Most organisations replaced none.
      if (successions.length === 0) return;
      const own: RelatedTarget = { code: links.codeOf(row), row };
      for (const succession of successions) {
        const { kind, target } = succession;
        const start = startOf(succession);
        if (start > view.day || !isInPart(start, isOlder, view)) continue;
        if (kind === 'Predecessor' && isStatedBy(view, target, succession)) continue;
        const [from, to] = kind === 'Successor' ? [own, target] : [target, own];
        yield [
          from.code,
          to.code,
          reasonOf(view, from, to),
          compactDate(firstDay(start)),
          fateOf(view, to),
        ];
      }
    },
  };
}

function startOf({ periods }: Succession): string {
  return periodOfKind(periods, 'Legal')?.start ?? '';
}

function isInPart(start: string, isOlder: boolean, { dialect }: ReportView): boolean {
  if (isOlder) return start < ARCHIVE_DATE;
  return dialect === 'present' || start >= ARCHIVE_DATE;
}

/** Whether the old organisation states the same succession. */
function isStatedBy(
  { edition: { links } }: ReportView,
  { row }: RelatedTarget,
  { sourceRow }: Succession,
): boolean {
  if (row === undefined) return false;
  return links
    .successionsOf(row)
    .some(({ kind, target }) => kind === 'Successor' && target.row === sourceRow);
}

/** `O`: the type of the organisation changed. The release does not tell the other reasons apart. */
function reasonOf(view: ReportView, from: RelatedTarget, to: RelatedTarget): string {
  const [before, after] = [from, to].map((each) => roleOf(view, each));
  return before === undefined || after === undefined || before === after ? '' : 'O';
}

function roleOf({ edition }: ReportView, { row, primaryRole }: RelatedTarget): string | undefined {
  return row === undefined ? primaryRole : primaryRoles(edition)(row);
}

/** `F`: the new organisation was succeeded in its turn. `X`: it has closed. */
function fateOf(view: ReportView, { code, row }: RelatedTarget): string {
  const { links } = view.edition;
  const own = row === undefined ? [] : links.successionsOf(row);
  const ends = [
    ...links.successionsTo(code).filter(({ kind }) => kind === 'Predecessor'),
    ...own.filter(({ kind }) => kind === 'Successor'),
  ];
  if (ends.some((end) => startOf(end) <= view.day)) return 'F';
  return row !== undefined && !isRowOpen(row, view) ? 'X' : '';
}
