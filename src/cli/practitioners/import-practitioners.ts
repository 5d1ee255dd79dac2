/** `gazetteer import-practitioners`: keeps the reports of practitioners beside the editions. */
import { basename } from 'node:path';
import { EditionFormatError, openEdition } from '../../directory/edition/edition.ts';
import type { AboutPractitioners } from '../../directory/practitioners/practitioners.ts';
import {
  type ReadPractitioners,
  readPractitionerFiles,
} from '../../sources/practitioners/read-practitioner-files.ts';
import { printable } from '../../sources/text/source-text.ts';
import { inDataFolder } from '../../storage/files/in-data-folder.ts';
import { StorageError } from '../../storage/files/storage-error.ts';
import type { ServerStore } from '../../storage/store/store.ts';
import type { Command, CommandContext } from '../parts/command.ts';
import { allowShrinkOption, publishTable } from '../parts/import-table.ts';
import { openConfiguredServerStore } from '../parts/open-store.ts';
import { QUIET_OPTION, STORE_SETTINGS } from '../parts/options.ts';
import { printResult, reportMade } from '../parts/output.ts';

export const importPractitionersCommand: Command = {
  name: 'import-practitioners',
  summary: 'Import the reports of people who prescribe: GPs, nurses, consultants',
  examples: [
    'import-practitioners egpcur.csv epracmem.csv egmcmem.csv',
    'import-practitioners prescribingDataPack.zip econcur.zip --json',
  ],
  settings: STORE_SETTINGS,
  argument: {
    syntax: '<file...>',
    help: 'Reports of practitioners, such as egpcur.csv, or zips of them. They replace all earlier ones',
  },
  options: [
    allowShrinkOption('practitioners'),
    { syntax: '--json', help: 'Print the result as JSON' },
    QUIET_OPTION,
  ],
  whenStopped: 'The import was stopped. The practitioners have not changed.',
  run: importPractitioners,
};

async function importPractitioners(context: CommandContext): Promise<void> {
  const { config, options, streams, stopped } = context;
  const files = context.arguments;
  const startMs = performance.now();
  const { arrays, organisations, placeholders, ...read } = await readPractitionerFiles(
    files,
    stopped,
  );
  await inDataFolder(config.data, reportMade(streams), async () => {
    const source = files.map((file) => printable(basename(file))).join(', ');
    const about = { source, importedAt: new Date().toISOString(), ...read };
    const store = await openConfiguredServerStore(config);
    const unknown = await unknownOrganisations(store, organisations);
    await publishTable(store.practitioners, about, arrays, options.allowShrink === true);
    for (const warning of warningsOf(unknown, read)) streams.errors.write(`${warning}\n`);
    const seconds = Math.round((performance.now() - startMs) / 100) / 10;
    if (options.quiet === true) return;
    const result = { ...about, placeholders, unknownOrganisations: unknown.length, seconds };
    printResult(context, result, describe(about, placeholders, seconds));
  });
}

/** The organisations that the current edition lacks. None if there is no edition that can be read. */
async function unknownOrganisations(
  { readEditions }: ServerStore,
  codes: readonly string[],
): Promise<readonly string[]> {
  try {
    await using store = await readEditions();
    const current = await store.current();
    if (current === undefined) return [];
    const { links } = openEdition(current, await store.load(current.number));
    return codes.filter((code) => links.rowOf(code) === undefined);
  } catch (error) {
    if (error instanceof StorageError || error instanceof EditionFormatError) return [];
    throw error;
  }
}

const SHOWN_MAX = 5;

function* warningsOf(
  unknown: readonly string[],
  { rows }: Pick<ReadPractitioners, 'rows'>,
): Generator<string> {
  if (unknown.length > 0) {
    const shown = unknown.slice(0, SHOWN_MAX).join(', ');
    const more = unknown.length > SHOWN_MAX ? ', …' : '';
    yield `Warning: the directory does not have ${unknown.length} of the organisations that ` +
      `practitioners work for (${shown}${more}). They are kept.`;
  }
  if (rows.egpcur === undefined && (rows.epracmem ?? rows.egmcmem) !== undefined) {
    yield 'Warning: without egpcur, the rows of epracmem and egmcmem have no effect.';
  }
}

function describe(
  { practitioners, memberships, rows }: Omit<AboutPractitioners, 'version'>,
  placeholders: number,
  seconds: number,
): string {
  const count = (value: number) => value.toLocaleString('en-GB');
  const files = Object.entries(rows).map(([name, number]) => `${name} ${count(number)}`);
  return (
    `Imported ${count(practitioners)} practitioners with ${count(memberships)} memberships in ` +
    `${seconds} s. Rows: ${files.join(', ')}. Placeholder codes left out: ${count(placeholders)}.\n`
  );
}
