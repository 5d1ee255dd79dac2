/**
 * What a report is: which organisations it has, and how it writes each of them as lines of CSV. The
 * reports are those of the national service Data Search and Export; `report-table.ts` lists them.
 */

import type { Edition } from '../../../directory/edition/edition.ts';

/**
 * `present`: the values of the service of today. `former`: those of the zip files that were published
 * until 2025.
 */
export type Dialect = 'present' | 'former';

export interface Report {
  /** In lower case, as clients write it: `epraccur`. */
  readonly name: string;
  /** What it lists: `Branch surgeries`. */
  readonly title: string;
  /** Absent: the release does not have its data. Somebody else's file can answer for it. */
  readonly content?: ReportContent;
  /** Whether a file in the folder of the operator comes before what the release has. */
  readonly prefersFile?: boolean;
  /** Whether the national service gives it without a date of the last change only. */
  readonly isWithoutAmendments?: boolean;
}

export interface ReportContent {
  /** Absent: every record of the edition, the reference-only ones too. */
  readonly organisations?: Organisations;
  readonly layout: Layout;
}

/** Roles by their codes without `RO`, or by their displays in the code system of the edition. */
export type Roles = readonly (string | RegExp)[];

/** Organisations with one of these primary roles, and one of these other roles. */
export interface Organisations {
  readonly primary?: Roles;
  readonly other?: Roles;
}

export interface Layout {
  /** The heading of each column. */
  readonly headings: readonly string[];
  /** Whether it needs the relationships or successions of the edition. */
  readonly needsLinks: boolean;
  /** How it fills the 27 columns of the standard layout. Absent: it has other columns. */
  readonly standard?: StandardOptions;
  /** Whether each line is an organisation. */
  readonly isOfOrganisations?: boolean;
  /** The lines of the record in a row, each with a cell for each heading. */
  lines(view: ReportView, row: number): Iterable<readonly string[]>;
}

export interface StandardOptions {
  /** The numbers of the columns that the report fills, besides those that every report fills. */
  readonly columns: readonly number[];
  /** The types of relationships to the parent, such as `4`. The first one counts most. */
  readonly parent?: readonly string[];
  /** Whether the sub-type says if the organisation has a parent, as for GP practices. */
  readonly hasAllocation?: boolean;
  /** Whether it lists what had closed before the archive date, and nothing else. */
  readonly isOfArchive?: boolean;
}

/** An edition as a report shows it. */
export interface ReportView {
  readonly edition: Edition;
  readonly dialect: Dialect;
  /** `YYYY-MM-DD`. Relationships and roles are those in force on it. */
  readonly day: string;
  /** Whether the client asked for this day. Otherwise it is today, and the status is as published. */
  readonly isAsAt: boolean;
}
