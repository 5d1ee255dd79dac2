/** Matches as CSV, also with the codes of the organisations that each match belongs to. */

import type { Level } from '../../directory/ask/answers.ts';
import { belongsTo, levelNamed } from '../../directory/ask/belongs-to.ts';
import { kilometres } from '../../directory/ask/near.ts';
import { PLACE_COLUMNS, type PlaceCells, placeCells } from '../../directory/ask/place-of.ts';
import { allSuccessions } from '../../directory/ask/successors.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import { relationshipsOf } from '../../directory/edition/source-record.ts';
import { displaysOf } from '../../directory/record/concepts.ts';
import { statusText } from '../../directory/record/ids.ts';
import { inTime } from '../../directory/record/in-force.ts';
import type { OrganizationRecord } from '../../directory/record/record.ts';
import { firstPeriod, primaryRoleOf, telecomOf } from '../../directory/record/record-facts.ts';
import type { NearCriterion } from '../../fhir/search/criterion.ts';
import { csvLine } from '../answer/csv-line.ts';
import type { ExportFormat, MakeExportFormat } from '../faces/export-matches.ts';

export const csvFormat: MakeExportFormat = ({ edition }, _baseUrl, _day, { near }) =>
  csv(edition, near, [], () => NOT_RELATED);

export const csvWithRelationships: MakeExportFormat = ({ edition }, _baseUrl, day, { near }) =>
  csv(edition, near, RELATION_COLUMNS, createRelatedOf(edition, day));

function csv(
  edition: Edition,
  near: NearCriterion | undefined,
  linkColumns: readonly Column[],
  relatedOf: (row: number) => Related,
): ExportFormat {
  const { rows, index } = edition;
  const columns = [...recordColumns(edition), ...linkColumns];
  const distanceOf = (row: number) => {
    const metres = near && index.distanceOf(near, row);
    return metres === undefined ? [] : [kilometres(metres)];
  };
  return {
    head: csvLine([...columns.map(([name]) => name), ...(near ? ['kilometres'] : [])]),
    row: (row, writer) => {
      const organization = { ...rows.recordAt(row), ...relatedOf(row) };
      const cells = columns.map(([, cellOf]) => cellOf(organization) ?? '');
      writer.text(csvLine([...cells, ...distanceOf(row)]));
    },
  };
}

type Column = readonly [
  name: string,
  /** A number is written as it is, also a negative one. */
  cellOf: (organization: OrganizationRecord & Related) => string | number | undefined,
];

/** The relationships of a row that are in force, its levels upwards, and its successions. */
interface Related {
  readonly levels: readonly Level[];
  /** The codes of the targets, by the type of the relationship without `RE`. */
  readonly targets: ReadonlyMap<string, readonly string[]>;
  readonly predecessors: readonly string[];
  readonly successors: readonly string[];
}

const NOT_RELATED: Related = { levels: [], targets: new Map(), predecessors: [], successors: [] };

function recordColumns(edition: Edition): readonly Column[] {
  const { codeSystems } = edition;
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
    ...placeColumns(edition),
  ];
}

function placeColumns(edition: Edition): readonly Column[] {
  let last: OrganizationRecord | undefined;
  let place: PlaceCells = {};
  return PLACE_COLUMNS.map((name) => [
    name,
    (record) => {
      if (record !== last) place = placeCells(edition, record);
      last = record;
      return place[name];
    },
  ]);
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
  ['nationalGrouping', ({ levels }) => levelNamed(levels, 'region')?.code],
  ['healthGeography', ({ levels }) => levelNamed(levels, 'icb')?.code],
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
      levels: belongsTo(edition, row, day),
      targets,
      predecessors: codesOf('Predecessor'),
      successors: codesOf('Successor'),
    };
  };
}
