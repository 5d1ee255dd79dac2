/** Matches as CSV, also with the codes of the organisations that each match belongs to. */

import { displaysOf } from '../answer/resource-parts.ts';
import type { Edition } from '../edition/edition.ts';
import type { OrganizationRecord } from '../record/record.ts';
import { firstPeriod, primaryRoleOf, telecomOf } from '../record/record-facts.ts';
import { relationshipsOf } from '../record/source-record.ts';
import { statusText } from '../release/ids.ts';
import { inTime } from '../time/in-force.ts';
import { csvLine } from './csv-line.ts';
import type { ExportFormat, MakeExportFormat } from './export-matches.ts';
import { allSuccessions, createFindGeography, type Geography } from './relation-columns.ts';

export const csvFormat: MakeExportFormat = ({ edition }) =>
  csv(edition, recordColumns(edition), () => NOT_RELATED);

export const csvWithRelationships: MakeExportFormat = ({ edition }, _baseUrl, day) =>
  csv(edition, [...recordColumns(edition), ...RELATION_COLUMNS], createRelatedOf(edition, day));

function csv(
  { rows }: Edition,
  columns: readonly Column[],
  relatedOf: (row: number) => Related,
): ExportFormat {
  return {
    head: csvLine(columns.map(([name]) => name)),
    row: (row, writer) => {
      const organization = { ...rows.recordAt(row), ...relatedOf(row) };
      writer.text(csvLine(columns.map(([, cellOf]) => cellOf(organization) ?? '')));
    },
  };
}

type Column = readonly [
  name: string,
  cellOf: (organization: OrganizationRecord & Related) => string | undefined,
];

/** The relationships of a row that are in force, and its successions. */
interface Related extends Geography {
  /** The codes of the targets, by the type of the relationship without `RE`. */
  readonly targets: ReadonlyMap<string, readonly string[]>;
  readonly predecessors: readonly string[];
  readonly successors: readonly string[];
}

const NOT_RELATED: Related = { targets: new Map(), predecessors: [], successors: [] };

function recordColumns({ codeSystems }: Edition): readonly Column[] {
  const roleDisplays = displaysOf(codeSystems.roles);
  return [
    ['code', ({ code }) => code],
    ['name', ({ name }) => name],
    ['status', ({ isActive }) => statusText(isActive)],
    ['primaryRole', (record) => primaryRoleOf(record)?.code],
    ['primaryRoleDisplay', (record) => roleDisplays.get(primaryRoleOf(record)?.code ?? '')],
    ['roles', ({ roles }) => roles.map(({ code }) => code).join(' ')],
    ['addressLines', ({ address }) => address?.lines.join(', ')],
    ['city', ({ address }) => address?.city],
    ['district', ({ address }) => address?.district],
    ['postalCode', ({ address }) => address?.postalCode],
    ['country', ({ address }) => address?.country],
    ['uprn', ({ address }) => address?.uprn],
    ['phone', (record) => telecomOf(record, 'phone')],
    ['lastUpdated', ({ lastUpdated }) => lastUpdated],
    ['recordClass', ({ recordClass }) => recordClass],
    ['operationalStart', ({ periods }) => firstPeriod(periods, 'Operational')?.start],
    ['operationalEnd', ({ periods }) => firstPeriod(periods, 'Operational')?.end],
    ['legalStart', ({ periods }) => firstPeriod(periods, 'Legal')?.start],
    ['legalEnd', ({ periods }) => firstPeriod(periods, 'Legal')?.end],
  ];
}

/** The types of relationships that have a column. */
const TYPE_COLUMNS: readonly (readonly [type: string, name: string])[] = [
  ['4', 'commissionedBy'],
  ['6', 'operatedBy'],
  ['8', 'partnerTo'],
  ['5', 'locatedIn'],
  ['2', 'partOf'],
  ['3', 'directedBy'],
];

const WITH_COLUMN: ReadonlySet<string> = new Set(TYPE_COLUMNS.map(([type]) => type));

const RELATION_COLUMNS: readonly Column[] = [
  ['nationalGrouping', ({ region }) => region],
  ['healthGeography', ({ board }) => board],
  ...TYPE_COLUMNS.map(
    ([type, name]): Column => [name, ({ targets }) => targets.get(type)?.join(' ')],
  ),
  [
    'otherRelationships',
    ({ targets }) =>
      [...targets]
        .filter(([type]) => !WITH_COLUMN.has(type))
        .flatMap(([type, codes]) => codes.map((code) => `RE${type}:${code}`))
        .join(' '),
  ],
  ['predecessors', ({ predecessors }) => predecessors.join(' ')],
  ['successors', ({ successors }) => successors.join(' ')],
];

function createRelatedOf(edition: Edition, day: string): (row: number) => Related {
  const findGeography = createFindGeography(edition, day);
  return (row) => {
    const relationships = relationshipsOf(edition, row);
    const targets = new Map<string, string[]>();
    for (const relationship of relationships) {
      if (inTime(relationship, day).phase !== 'now') continue;
      const { type, target } = relationship;
      const codes = targets.get(type);
      if (codes === undefined) targets.set(type, [target.code]);
      else if (!codes.includes(target.code)) codes.push(target.code);
    }
    const successions = allSuccessions(edition, row);
    const codesOf = (wanted: string) =>
      successions.filter(({ kind }) => kind === wanted).map(({ code }) => code);
    return {
      ...findGeography(relationships),
      targets,
      predecessors: codesOf('Predecessor'),
      successors: codesOf('Successor'),
    };
  };
}
