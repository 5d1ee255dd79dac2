/** Fetches the changes since the current edition from a national R4 service, and imports them. */
import { rmSync } from 'node:fs';
import * as z from 'zod';
import { SourceError } from '../../directory/import/source.ts';
import { changesSince, currentRecords, importChanges } from '../changes.ts';
import { type ChangesOptions, type FetchReport, nothingFetched } from '../fetch-options.ts';
import { bytesOf } from '../http/answer-body.ts';
import { Spool } from '../http/spool.ts';
import { openStateFolder } from '../state-folder.ts';
import { ACCEPT, fetchPages, type Part, partSchema, startPart } from './fetch-pages.ts';
import { DELETION_LISTS } from './resources.ts';

/** Throws a SourceError if the service cannot be used. The current edition then stays. */
export async function fetchR4Changes(options: ChangesOptions): Promise<FetchReport> {
  const { baseUrl, folder, now, say } = options;
  const { edition, rows } = await currentRecords(options);
  const state = openStateFolder(folder, stateSchema);
  const spool = new Spool(state.filePath('changes.ndjson'));
  try {
    const since = changesSince(rows, now(), options.overlapDays);
    const query =
      `lastChangeDate=gt${since}&_revinclude=OrganizationAffiliation:primary-organization` +
      `&_count=${PAGE_SIZE}`;
    const keep = (part: Part) => state.write({ part });
    const known = state.read()?.part;
    const canContinue = known?.query === query && now() - Date.parse(known.startedAt) < PART_MS_MAX;
    const part = canContinue ? known : startPart(query, baseUrl, now());
    keep(part);
    say(`Fetching the changes since ${since} from ${baseUrl} …`);
    await fetchPages({ ...options, spool, part, keep });
    await fetchDeletions(spool, options);
    const isEmpty = spool.bytes === 0;
    const report = isEmpty ? nothingFetched(edition) : await importChanges(spool.path, options);
    state.write({});
    rmSync(spool.path, { force: true });
    return report;
  } finally {
    spool.close();
  }
}

/** The pages that were fetched and are not yet in an edition. */
const stateSchema = z.object({ part: partSchema.optional() });

const PAGE_SIZE = 100;

/** Changes during an interrupted fetch must be younger than the overlap of the next one. */
const PART_MS_MAX = 86_400_000;

/** A service may lack some of the lists. */
async function fetchDeletions(spool: Spool, { client, baseUrl }: ChangesOptions): Promise<void> {
  for (const id of Object.keys(DELETION_LISTS)) {
    const url = `${baseUrl}/List/${id}`;
    await client.ask({ url, accept: ACCEPT, taken: [404, 410] }, async ({ status, chunks }) => {
      if (status !== 200) return;
      const body = await bytesOf(url, chunks, LIST_BYTES_MAX);
      spool.add(Buffer.from(`${lineOf(body, url)}\n`));
    });
  }
}

const LIST_BYTES_MAX = 32 * 1024 ** 2;

function lineOf(body: Buffer, url: string): string {
  try {
    const resource = JSON.parse(body.toString('utf8'));
    if (resource?.resourceType === 'List') return JSON.stringify(resource);
  } catch {
    // The body is not JSON.
  }
  throw new SourceError(`${url} did not answer with a List. Check r4.url.`);
}
