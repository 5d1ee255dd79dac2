/** Fetches the latest release from TRUD and imports it, unless the directory has it already. */
import { rmSync } from 'node:fs';
import * as z from 'zod';
import { type FetchOptions, type FetchReport, nothingFetched } from '../fetch-options.ts';
import type { HttpClient } from '../http/http-options.ts';
import { importSources } from '../import-sources.ts';
import { openStateFolder } from '../state-folder.ts';
import { downloadRelease } from './download-release.ts';
import { latestRelease, type Trud, type TrudRelease } from './latest-release.ts';

export interface FetchReleaseOptions extends FetchOptions {
  readonly trud: Trud;
  readonly client: HttpClient;
  /** A private folder for the download and the state. */
  readonly folder: string;
  readonly includeArchive: boolean;
  /** Fetch and import the release even if the directory has it. */
  readonly isAgain: boolean;
}

/** Throws a SourceError if the release cannot be used. The current edition then stays. */
export async function fetchRelease(options: FetchReleaseOptions): Promise<FetchReport> {
  const { trud, client, store, say } = options;
  const state = openStateFolder(options.folder, stateSchema);
  const release = await latestRelease(trud, client);
  const current = await store.current();
  if (
    current !== undefined &&
    !options.isAgain &&
    (await isImported(release, state.read(), options))
  ) {
    say(`The latest release, ${release.name}, is in the directory already.`);
    return nothingFetched(current);
  }
  say(`Downloading ${release.name} …`);
  const file = await downloadRelease({ ...options, release });
  say(`Importing ${release.name} …`);
  const { isPublished, ...report } = await importSources({
    ...options,
    files: [file],
    source: release.name,
    onlyChanges: true,
    refuseOlder: !options.isAgain,
  });
  state.write({ name: release.name, sha256: release.sha256 });
  rmSync(file, { force: true });
  return { report, isPublished, fetched: 'everything' };
}

/** The release that was imported last. */
const stateSchema = z.object({ name: z.string(), sha256: z.string() });

/** A release that an operator imported, or rolled back, is not fetched again. */
async function isImported(
  { name, sha256 }: TrudRelease,
  state: z.infer<typeof stateSchema> | undefined,
  { store }: FetchReleaseOptions,
): Promise<boolean> {
  if (state?.name === name) return state.sha256 === sha256;
  return (await store.list()).some(({ source }) => source === name);
}
