/** `gazetteer import-postcodes`: keeps the postcodes of an open file beside the editions. */
import { basename } from 'node:path';
import type { AboutPostcodes, PostcodeForm } from '../../directory/places/postcodes.ts';
import { readPostcodeFile } from '../../sources/postcodes/read-postcode-file.ts';
import { requireReadable } from '../../sources/release-file/open-release.ts';
import { inDataFolder } from '../../storage/files/in-data-folder.ts';
import type { Command, CommandContext } from '../parts/command.ts';
import { allowShrinkOption, publishTable } from '../parts/import-table.ts';
import { openConfiguredServerStore } from '../parts/open-store.ts';
import { QUIET_OPTION, STORE_SETTINGS } from '../parts/options.ts';
import { printResult, reportMade } from '../parts/output.ts';

export const importPostcodesCommand: Command = {
  name: 'import-postcodes',
  summary: 'Import an open file of postcodes: where they are, and what they belong to',
  examples: ['import-postcodes sample/postcodes.zip', 'import-postcodes ONSPD_FEB_2026.zip --json'],
  settings: STORE_SETTINGS,
  argument: {
    syntax: '<file>',
    help: 'An ONS Postcode Directory or a Code-Point Open, as CSV or as the zip that is published',
  },
  options: [
    allowShrinkOption('postcodes'),
    { syntax: '--json', help: 'Print the result as JSON' },
    QUIET_OPTION,
  ],
  whenStopped: 'The import was stopped. The postcodes have not changed.',
  run: importPostcodes,
};

async function importPostcodes(context: CommandContext): Promise<void> {
  const { config, options, streams, stopped } = context;
  const [file = ''] = context.arguments;
  await requireReadable(file);
  const startMs = performance.now();
  await inDataFolder(config.data, reportMade(streams), async () => {
    const { arrays, ...read } = await readPostcodeFile(file, { stopped });
    const about = { source: basename(file), importedAt: new Date().toISOString(), ...read };
    const { postcodes } = await openConfiguredServerStore(config);
    await publishTable(postcodes, about, arrays, options.allowShrink === true);
    const seconds = Math.round((performance.now() - startMs) / 100) / 10;
    if (options.quiet === true) return;
    printResult(context, { ...about, seconds }, describe(about, seconds));
  });
}

const FORMS: Readonly<Record<PostcodeForm, string>> = {
  onspd: 'ONS Postcode Directory',
  'code-point-open': 'Code-Point Open',
};

function describe(
  { postcodes, withoutPosition, terminated, form }: Omit<AboutPostcodes, 'version'>,
  seconds: number,
): string {
  const count = (value: number) => value.toLocaleString('en-GB');
  return (
    `Imported ${count(postcodes)} postcodes (${FORMS[form]}) in ${seconds} s. ` +
    `No longer in use: ${count(terminated)}. Without a position: ${count(withoutPosition)}.\n`
  );
}
