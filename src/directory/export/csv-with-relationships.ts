/** Matches as CSV, with the codes of the organisations that each match belongs to. */

import type { Edition } from '../edition/edition.ts';
import { inTime } from '../time/in-force.ts';
import { csvColumns } from './csv.ts';
import { csvLine } from './csv-line.ts';
import type { MakeExportFormat } from './export-format.ts';
import {
  createFindGeography,
  type FindGeography,
  type Geography,
  relationshipsOf,
} from './relation-columns.ts';

export const csvWithRelationships: MakeExportFormat = ({ edition }, _baseUrl, day) => {
  const columns = csvColumns(edition);
  const findGeography = createFindGeography(edition, day);
  const names = [...columns.map(([name]) => name), ...RELATION_COLUMNS.map(([name]) => name)];
  return {
    begin: (writer) => writer.text(csvLine(names)),
    row: (row, _isFirst, writer) => {
      const record = edition.rows.recordAt(row);
      const related = relatedOf(edition, row, findGeography, day);
      const cells = [
        ...columns.map(([, cellOf]) => cellOf(record) ?? ''),
        ...RELATION_COLUMNS.map(([, cellOf]) => cellOf(related)),
      ];
      writer.text(csvLine(cells));
    },
    end: () => {},
  };
};

/** The relationships of a row that are in force, and its successions. */
interface Related extends Geography {
  /** The codes of the targets, by the type of the relationship without `RE`. */
  readonly targets: ReadonlyMap<string, readonly string[]>;
  readonly predecessors: readonly string[];
  readonly successors: readonly string[];
}

type RelationColumn = readonly [name: string, cellOf: (related: Related) => string];

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

const RELATION_COLUMNS: readonly RelationColumn[] = [
  ['nationalGrouping', ({ region = '' }) => region],
  ['healthGeography', ({ board = '' }) => board],
  ...TYPE_COLUMNS.map(
    ([type, name]): RelationColumn => [name, ({ targets }) => (targets.get(type) ?? []).join(' ')],
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

function relatedOf(
  edition: Edition,
  row: number,
  findGeography: FindGeography,
  day: string,
): Related {
  const relationships = relationshipsOf(edition, row);
  const targets = new Map<string, string[]>();
  for (const relationship of relationships) {
    if (inTime(relationship, day).phase !== 'now') continue;
    const { type, target } = relationship;
    const codes = targets.get(type);
    if (codes === undefined) targets.set(type, [target.code]);
    else if (!codes.includes(target.code)) codes.push(target.code);
  }
  const { relations } = edition;
  const stated = relations.successionsOf(row);
  const about = relations.successionsTo(relations.codeOf(row));
  const codesOf = (own: string, other: string) => [
    ...new Set([
      ...stated.filter(({ kind }) => kind === own).map(({ target }) => target.code),
      ...about
        .filter(({ kind }) => kind === other)
        .map(({ sourceRow }) => relations.codeOf(sourceRow)),
    ]),
  ];
  return {
    ...findGeography(relationships),
    targets,
    predecessors: codesOf('Predecessor', 'Successor'),
    successors: codesOf('Successor', 'Predecessor'),
  };
}
