/** `gazetteer import-postcodes`: keeps the postcodes of an open file beside the editions. */
import { basename } from 'node:path';
import type { AboutPostcodes, PostcodeForm } from '../../directory/places/postcodes.ts';
import { readPostcodeFile } from '../../sources/postcodes/read-postcode-file.ts';
import { requireReadable } from '../../sources/release-file/open-release.ts';
import { inDataFolder } from '../../storage/files/in-data-folder.ts';
import { encodePostcodes } from '../../storage/postcodes/postcode-bytes.ts';
import type { PostcodeStore } from '../../storage/postcodes/postcode-store.ts';
import { type Command, type CommandContext, CommandError } from '../parts/command.ts';
import { openConfiguredServerStore } from '../parts/open-store.ts';
import { QUIET_OPTION, STORE_SETTINGS } from '../parts/options.ts';
import { printResult, reportMade } from '../parts/output.ts';

/** Of the postcodes of the version before. Without them, a file was probably cut off. */
const SHARE_MIN = 0.9;

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
    {
      syntax: '--allow-shrink',
      help: `Import even if the file has less than ${SHARE_MIN * 100} % of the postcodes of the version before`,
    },
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
    if (options.allowShrink !== true) await refuseShrinking(postcodes, about);
    await postcodes.publish(encodePostcodes(about, arrays));
    const seconds = Math.round((performance.now() - startMs) / 100) / 10;
    if (options.quiet === true) return;
    printResult(context, { ...about, seconds }, describe(about, seconds));
  });
}

async function refuseShrinking(
  store: PostcodeStore,
  { source, postcodes }: Pick<AboutPostcodes, 'source' | 'postcodes'>,
): Promise<void> {
  // Postcodes that are damaged are replaced.
  const before = await store.read().catch(() => undefined);
  const known = before?.about.postcodes ?? 0;
  if (postcodes >= known * SHARE_MIN) return;
  throw new CommandError(
    `${source} has ${postcodes} postcodes, and the version before has ${known}. If this is correct, ` +
      'import it with --allow-shrink.',
  );
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
