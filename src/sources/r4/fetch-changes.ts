/** Fetches the changes since the current edition from a national R4 service, and imports them. */
import * as z from 'zod';
import { SourceError } from '../../directory/import/source.ts';
import { canContinue, fetchChanges } from '../changes.ts';
import type { ChangesOptions, FetchReport } from '../fetch-options.ts';
import { bytesOf } from '../http/answer-body.ts';
import type { Spool } from '../http/spool.ts';
import { ACCEPT, fetchPages, type Part, partSchema, startPart } from './fetch-pages.ts';
import { DELETION_LISTS } from './resources.ts';

export function fetchR4Changes(options: ChangesOptions): Promise<FetchReport> {
  const { baseUrl, now, say } = options;
  return fetchChanges(options, stateSchema, async ({ since, spool, state }) => {
    const query =
      `lastChangeDate=gt${since}&_revinclude=OrganizationAffiliation:primary-organization` +
      `&_count=${PAGE_SIZE}`;
    const keep = (part: Part) => state.write({ part });
    const known = state.read()?.part;
    const isContinued = known?.query === query && canContinue(known.startedAt, now());
    const part = isContinued ? known : startPart(query, baseUrl, now());
    keep(part);
    say(`Fetching the changes since ${since} from ${baseUrl} …`);
    await fetchPages({ ...options, spool, part, keep });
    await fetchDeletions(spool, options);
    return {};
  });
}

/** The pages that were fetched and are not yet in an edition. */
const stateSchema = z.object({ part: partSchema.optional() });

const PAGE_SIZE = 100;

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
