/** Fetches the records that changed since the current edition from ORD, and imports them. */
import * as z from 'zod';
import { SourceError } from '../../directory/record/source.ts';
import { bytesOf, jsonIn } from '../http/answer-body.ts';
import { requireBytes, type Spool } from '../http/spool.ts';
import { isCode, printable } from '../text/source-text.ts';
import { canContinue, fetchChanges } from './changes.ts';
import type { ChangesOptions, FetchReport } from './fetch-options.ts';

export function fetchOrdChanges(options: ChangesOptions): Promise<FetchReport> {
  const { baseUrl, now, say } = options;
  return fetchChanges(options, stateSchema, async ({ since, spool, state }) => {
    const known = state.read();
    const isContinued = known?.since === since && canContinue(known.startedAt, now());
    if (!isContinued || !spool.cutTo(known.bytes)) spool.cutTo(0);
    const startedAt = isContinued ? known.startedAt : new Date(now()).toISOString();
    const keep = () => state.write({ since, startedAt, bytes: spool.bytes });
    keep();
    say(`Fetching the records that changed since ${since} from ${baseUrl} …`);
    const codes = await changedCodes(since, options);
    await fetchRecords(codes, spool, keep, options);
    return { since, startedAt, bytes: 0 };
  });
}

/** The records that were fetched and are not yet in an edition. */
const stateSchema = z.object({
  since: z.string(),
  startedAt: z.iso.datetime(),
  /** The length of the complete records in the spool. */
  bytes: z.int().min(0),
});

/** The codes in the list of changes. */
async function changedCodes(
  since: string,
  { client, baseUrl }: ChangesOptions,
): Promise<readonly string[]> {
  const url = `${baseUrl}/sync?LastChangeDate=${since}`;
  return await client.ask({ url, accept: ACCEPT }, async ({ chunks }) => {
    const parsed = listSchema.safeParse(jsonIn(await bytesOf(url, chunks, LIST_BYTES_MAX)));
    if (!parsed.success) {
      throw new SourceError(`${url} did not answer with a list of organisations. Check ord.url.`);
    }
    return parsed.data.Organisations.map(({ OrgLink }) => {
      const code = OrgLink.replace(/[?#].*$/, '').replace(/^.*\//, '');
      if (isCode(code)) return code;
      throw new SourceError(`${url} has a link without a code: ${printable(OrgLink)}.`);
    });
  });
}

/** The service calls this form JSON too. */
const ACCEPT = 'application/json';

/** A link has about 80 bytes, so this is enough for links to all organisations. */
const LIST_BYTES_MAX = 64 * 1024 ** 2;

const listSchema = z.object({ Organisations: z.array(z.object({ OrgLink: z.string() })) });

async function fetchRecords(
  codes: readonly string[],
  spool: Spool,
  keep: () => void,
  options: ChangesOptions,
): Promise<void> {
  const { client, baseUrl, bytesMax, onProgress } = options;
  const done = await codesIn(spool);
  for (const code of codes) {
    if (done.has(code)) continue;
    const url = `${baseUrl}/organisations/${code}`;
    // A record can disappear after the list was made.
    const ask = { url, accept: ACCEPT, taken: [404], isKept: true };
    const line = await client.ask(ask, async ({ status, chunks }) =>
      status === 200 ? lineOf(await bytesOf(url, chunks, RECORD_BYTES_MAX), url) : '',
    );
    done.add(code);
    requireBytes(spool.bytes + line.length, bytesMax, baseUrl, ' of changes');
    spool.add(Buffer.from(line));
    if (done.size % RECORDS_PER_SYNC === 0) {
      spool.sync();
      keep();
    }
    onProgress({ records: done.size, bytes: spool.bytes, bytesTotal: undefined });
  }
  spool.sync();
  keep();
}

const RECORD_BYTES_MAX = 1024 ** 2;

/** An interrupted fetch repeats at most this many requests. */
const RECORDS_PER_SYNC = 50;

async function codesIn(spool: Spool): Promise<Set<string>> {
  const codes = new Set<string>();
  for await (const line of spool.lines()) {
    codes.add(String(JSON.parse(line).Organisation.OrgId.extension));
  }
  return codes;
}

function lineOf(body: Buffer, url: string): string {
  const record = recordSchema.safeParse(jsonIn(body));
  if (record.success) return `${JSON.stringify(record.data)}\n`;
  throw new SourceError(`${url} did not answer with a record. Check ord.url.`);
}

const recordSchema = z.looseObject({
  Organisation: z.looseObject({ OrgId: z.looseObject({ extension: z.string() }) }),
});
