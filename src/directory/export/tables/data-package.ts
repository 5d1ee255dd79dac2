/** The description of the tables for programs: https://datapackage.org/standard/data-package/ */
import type { Table, TableSource } from './table.ts';
import { TABLES } from './tables.ts';

/** `describeFile`: how the file of a table is called, and its format. */
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
      foreignKeys: [
        {
          fields: [organisationColumn],
          reference: { resource: 'organisation', fields: ['code'] },
        },
      ],
    }),
  };
}
