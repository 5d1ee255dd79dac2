/** `gazetteer editions`: lists the published editions, and which one is current. */
import type { EditionInfo } from '../directory/edition-store.ts';
import { RELATIONS_UNKNOWN_TEXT } from '../directory/require-relations.ts';
import type { Command } from './command.ts';
import { openConfiguredServerStore, STORE_SETTINGS } from './open-store.ts';

export const editionsCommand: Command = {
  name: 'editions',
  summary: 'List the editions of the directory',
  examples: ['editions', 'editions --json'],
  settings: STORE_SETTINGS,
  options: [{ syntax: '--json', help: 'Print JSON' }],
  run: async ({ config, options, streams }) => {
    const store = await (await openConfiguredServerStore(config)).openEditions({ mustExist: true });
    try {
      const editions = await store.list();
      const text =
        options.json === true ? JSON.stringify(editions, null, 2) : describeEditions(editions);
      streams.output.write(`${text}\n`);
      const current = await store.current();
      if (current !== undefined && !(await store.knowsRelations(current.number))) {
        streams.errors.write(`${RELATIONS_UNKNOWN_TEXT}\n`);
      }
    } finally {
      await store.close();
    }
  },
};

function describeEditions(editions: readonly EditionInfo[]): string {
  if (editions.length === 0) {
    return 'There is no edition yet. Import one with "gazetteer import FILE".';
  }
  const rows = [
    ['edition', 'published', 'records', 'imported', 'added', 'changed', 'removed', ''],
    ...editions.map((edition) => [
      String(edition.number),
      edition.publicationDate,
      String(edition.records),
      edition.importedAt.slice(0, 19).replace('T', ' '),
      String(edition.added),
      String(edition.changed),
      String(edition.removed),
      edition.isCurrent ? 'current' : edition.isOnDisk ? '' : 'no longer kept',
    ]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) => row.map((cell, column) => align(cell, widths[column]!, column)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}

/** Columns that are aligned to the right. */
const NUMERIC_COLUMNS = new Set([0, 2, 4, 5, 6]);

function align(cell: string, width: number, column: number): string {
  return NUMERIC_COLUMNS.has(column) ? cell.padStart(width) : cell.padEnd(width);
}
