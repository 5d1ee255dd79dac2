/** The state of fetches in the data folder: the results of the last ones, and the time of the next one. */
import { join } from 'node:path';
import * as z from 'zod';
import {
  type FetchStatus,
  NO_FETCHES,
  type SourceStatus,
} from '../../directory/edition/fetch-status.ts';
import { openStateFolder, readStateFile } from './state-folder.ts';

const sourceSchema = z.object({
  lookedAt: z.iso.datetime(),
  outcome: z.enum(['published', 'unchanged', 'failed']),
  problem: z.string().optional(),
  succeededAt: z.iso.datetime().optional(),
  failures: z.int().min(0),
  notBefore: z.iso.datetime().optional(),
});

const sourcesSchema = z.record(z.string(), sourceSchema);

const plannedSchema = z.object({
  nextAt: z.iso.datetime(),
  /** The settings that it was computed from. A server with other settings plans again. */
  settings: z.string(),
  /** The machine of the server that planned it. */
  host: z.string().optional(),
});

export type PlannedFetch = Readonly<z.infer<typeof plannedSchema>>;

/** A command writes the results of its fetches. */
const SOURCES = 'sources.json';
/** A server writes when it fetches next. */
const PLANNED = 'planned.json';

const DOCUMENTS = {
  sources: { file: SOURCES, schema: sourcesSchema },
  planned: { file: PLANNED, schema: plannedSchema },
} as const;

/** One of the files as JSON; undefined if it is missing or not valid. */
export function readFetchDocument(
  folder: string,
  name: keyof typeof DOCUMENTS,
): string | undefined {
  const { file, schema } = DOCUMENTS[name];
  return JSON.stringify(readStateFile<unknown>(join(folder, file), schema));
}

/** Writes one of the files. Does nothing if the content is not valid. */
export function writeFetchDocument(
  folder: string,
  name: keyof typeof DOCUMENTS,
  content: string,
): void {
  const { file, schema } = DOCUMENTS[name];
  const { data } = schema.safeParse(JSON.parse(content));
  if (data !== undefined) openStateFolder<unknown>(folder, schema, file).write(data);
}

/** Reads the files of both. `folder` need not exist. */
export function readFetchStatus(folder: string): FetchStatus {
  const sources = readStateFile(join(folder, SOURCES), sourcesSchema);
  const planned = readPlannedFetch(folder);
  return {
    sources: sources ?? NO_FETCHES.sources,
    ...(planned !== undefined && { nextAt: planned.nextAt }),
  };
}

export function readPlannedFetch(folder: string): PlannedFetch | undefined {
  return readStateFile(join(folder, PLANNED), plannedSchema);
}

export function writePlannedFetch(folder: string, planned: PlannedFetch): void {
  openStateFolder(folder, plannedSchema, PLANNED).write(planned);
}

export type Attempt = Pick<SourceStatus, 'outcome' | 'problem' | 'notBefore'>;

/** Only one fetch runs at a time, so no other attempt is lost. */
export function recordAttempt(folder: string, name: string, attempt: Attempt, nowMs: number): void {
  const file = openStateFolder(folder, sourcesSchema, SOURCES);
  const sources = file.read() ?? {};
  const before = sources[name];
  const lookedAt = new Date(nowMs).toISOString();
  const isFailed = attempt.outcome === 'failed';
  file.write({
    ...sources,
    [name]: {
      ...attempt,
      lookedAt,
      succeededAt: isFailed ? before?.succeededAt : lookedAt,
      failures: isFailed ? (before?.failures ?? 0) + 1 : 0,
    },
  });
}
