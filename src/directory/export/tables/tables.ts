/** The tables of the files for analysis. All descriptions of them are derived from this list. */
import { organisationTable, roleTable } from './organisation-tables.ts';
import { relationshipTable, successionTable } from './relation-tables.ts';
import { defineTable, type Table, type TableSource } from './table.ts';

const editionTable = defineTable<TableSource>({
  name: 'edition',
  description: 'One row about the file.',
  primaryKey: ['number'],
  indexes: [],
  columns: [
    ['number', 'integer!', 'The number of the edition.', ({ edition }) => edition.number],
    ['published_at', 'datetime!', 'When it was published.', ({ edition }) => edition.publishedAt],
    [
      'publication_date',
      'date',
      'The date of the latest release in the edition.',
      ({ edition }) =>
        edition.manifests
          .map((each) => each.publicationDate)
          .sort()
          .at(-1),
    ],
    ['records', 'integer!', 'The number of rows of `organisation`.', ({ rows }) => rows.length],
    ['is_complete', 'boolean!', 'False for what a search found.', ({ isComplete }) => isComplete],
    ['program_version', 'string!', 'The version of Gazetteer.', (each) => each.programVersion],
  ],
  items: (source) => [source],
});

export const TABLES: readonly Table[] = [
  editionTable,
  organisationTable,
  roleTable,
  relationshipTable,
  successionTable,
];
