/** The tables of the files for analysis, and their description for programs. */
import { newestDate } from '../../../directory/record/source.ts';
import { relationshipTable, successionTable } from './link-tables.ts';
import { organisationTable, roleTable } from './organisation-tables.ts';
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
      ({ edition }) => newestDate(edition.manifests),
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

/**
 * Describes the tables for programs: https://datapackage.org/standard/data-package/
 *
 * @param describeFile the place and the format of a table
 */
export function dataPackage(
  { edition: { number, publishedAt } }: TableSource,
  describeFile: (table: string) => object,
): string {
  const description = {
    $schema: `${PROFILES}/datapackage.json`,
    name: 'organisation-directory',
    title: `Edition ${number} of a directory of organisations`,
    version: String(number),
    created: publishedAt,
    resources: TABLES.map((table) => ({
      name: table.name,
      description: table.description,
      type: 'table',
      ...describeFile(table.name),
      schema: schemaOf(table),
    })),
  };
  return `${JSON.stringify(description, null, 2)}\n`;
}

const PROFILES = 'https://datapackage.org/profiles/2.0';

function schemaOf({ columns, primaryKey, organisationColumn }: Table) {
  return {
    $schema: `${PROFILES}/tableschema.json`,
    fields: columns.map(({ name, type, description, isRequired }) => ({
      name,
      type,
      description,
      ...(isRequired && { constraints: { required: true } }),
    })),
    ...(primaryKey.length > 0 && { primaryKey }),
    ...(organisationColumn !== undefined && {
      foreignKeys: [{ fields: [organisationColumn], reference: ORGANISATION_CODE }],
    }),
  };
}

const ORGANISATION_CODE = { resource: 'organisation', fields: ['code'] };
