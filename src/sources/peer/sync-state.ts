/** What a sync leaves for the next one, in a small file that is always whole. */
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const partSchema = z.object({
  /** The query of the search; empty where everything is wanted. */
  query: z.string(),
  /** When its first page was asked for: an ISO 8601 instant. */
  startedAt: z.iso.datetime(),
  /** The page to go on with, the first one to begin with; null where all are there. */
  next: z.string().nullable(),
  total: z.int().min(0).optional(),
  /** How much of the spool is complete pages. */
  bytes: z.int().min(0),
  /** It was whole, and would have dropped too many organisations. */
  isRefused: z.boolean(),
});

const stateSchema = z.object({
  /** The base of the peer that all of this is about. */
  peer: z.string(),
  /** How it is read: in one document, or page by page; absent where it was not asked yet. */
  way: z.enum(['document', 'pages']).optional(),
  /** The edition that was in step with the peer when the last sync ended. */
  inStep: z
    .object({
      number: z.int(),
      publishedAt: z.string(),
      /** When the last sync of everything began: an ISO 8601 instant. */
      fullAt: z.iso.datetime(),
      /** Of the document it was read from. */
      etag: z.string().optional(),
    })
    .optional(),
  /** Pages that were fetched, and are not in an edition yet. */
  part: partSchema.optional(),
});

export type Part = Readonly<z.infer<typeof partSchema>>;
export type SyncState = Readonly<z.infer<typeof stateSchema>>;

/** Where a sync keeps its things: a folder for nobody else. */
export interface SyncFolder {
  /** A line of JSON for each organisation fetched. */
  readonly spool: string;
  /** Of another peer, or where there is none that can be read, nothing is known. */
  read(peer: string): SyncState;
  /** Whole or not at all, and durably. */
  write(state: SyncState): void;
}

export function openSyncFolder(path: string): SyncFolder {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700); // whatever the umask
  const file = join(path, 'state.json');
  return {
    spool: join(path, 'organizations.ndjson'),
    read: (peer) => {
      const known = readState(file);
      return known?.peer === peer ? known : { peer };
    },
    write: (state) => {
      const draft = `${file}.new`;
      const descriptor = openSync(draft, 'w', 0o600);
      try {
        writeSync(descriptor, `${JSON.stringify(state)}\n`);
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      renameSync(draft, file);
    },
  };
}

/** Nothing where there is no such file, or none of ours: everything is then fetched again. */
function readState(file: string): SyncState | undefined {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return undefined;
    throw error;
  }
  return stateSchema.safeParse(content).data;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
