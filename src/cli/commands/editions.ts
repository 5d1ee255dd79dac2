/** `gazetteer editions` and `rollback`: lists the published editions, and publishes the content of an earlier one again. */

import { LINKS_UNKNOWN_TEXT } from '../../directory/edition/edition.ts';
import type { EditionInfo } from '../../directory/edition/edition-store.ts';
import { rollBack } from '../../directory/import/roll-back.ts';
import type { Command } from '../parts/command.ts';
import { openConfiguredServerStore } from '../parts/open-store.ts';
import { JSON_OPTION, NUMBER_OF_EDITION, STORE_SETTINGS } from '../parts/options.ts';
import { printResult, tableText } from '../parts/output.ts';
import { writeWarnings } from '../sources/import-report.ts';

export const editionsCommand: Command = {
  name: 'editions',
  summary: 'List the editions of the directory',
  examples: ['editions', 'editions --json'],
  settings: STORE_SETTINGS,
  options: [JSON_OPTION],
  run: async (context) => {
    const { config, streams } = context;
    const { readEditions } = await openConfiguredServerStore(config);
    await using store = await readEditions();
    const editions = await store.list();
    printResult(context, editions, describeEditions(editions));
    const current = await store.current();
    if (current !== undefined && !(await store.knowsLinks(current.number))) {
      streams.errors.write(`${LINKS_UNKNOWN_TEXT}\n`);
    }
  },
};

export const rollbackCommand: Command = {
  name: 'rollback',
  summary: 'Publish an earlier edition again, by default the one before the current edition',
  examples: ['rollback', 'rollback --to 3'],
  settings: STORE_SETTINGS,
  options: [
    {
      syntax: '--to <number>',
      help: 'The edition whose content becomes current',
      value: NUMBER_OF_EDITION,
    },
  ],
  run: async ({ config, options: { to }, streams }) => {
    const { openEditions } = await openConfiguredServerStore(config);
    await using store = await openEditions({ mustExist: true });
    const { edition, from, problem } = await rollBack(
      store,
      to === undefined ? undefined : Number(to),
    );
    if (problem !== undefined) writeWarnings(streams.errors, { problems: [problem] });
    const { number, publicationDate, added, changed, removed } = edition;
    streams.output.write(
      `Edition ${number}, published ${publicationDate}, is now current. It has the content of ` +
        `edition ${from.number}: ${added} added, ${changed} changed, ${removed} removed.\n`,
    );
  },
};

function describeEditions(editions: readonly EditionInfo[]): string {
  if (editions.length === 0) {
    return 'There is no edition yet. Import one with "gazetteer import FILE".\n';
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
  return tableText(rows, NUMERIC_COLUMNS);
}

const NUMERIC_COLUMNS = new Set([0, 2, 4, 5, 6]);
