/** The state that a sync keeps for the next one. */
import * as z from 'zod';
import { openStateFolder } from '../state-folder.ts';

export const partSchema = z.object({
  /** The query of the search; empty to fetch everything. */
  query: z.string(),
  /** The time of the request for the first page: an ISO 8601 instant. */
  startedAt: z.iso.datetime(),
  /** The address of the next page to fetch; null if all pages are in the spool. */
  next: z.string().nullable(),
  total: z.int().min(0).optional(),
  /** The length of the complete pages in the spool. */
  bytes: z.int().min(0),
  /** Whether it was complete, but would have removed too many organisations. */
  isRefused: z.boolean(),
});

const stateSchema = z.object({
  /** The base of the peer that this state belongs to. */
  peer: z.string(),
  /** How the peer is read: as one document, or page by page. Absent before the first request. */
  way: z.enum(['document', 'pages']).optional(),
  /** The edition that had the state of the peer when the last sync ended. */
  inStep: z
    .object({
      number: z.int(),
      publishedAt: z.string(),
      /** When the last sync of everything began: an ISO 8601 instant. */
      fullAt: z.iso.datetime(),
      /** The entity tag of the document that the edition was read from. */
      etag: z.string().optional(),
    })
    .optional(),
  /** Pages that were fetched and are not yet in an edition. */
  part: partSchema.optional(),
});

export type Part = Readonly<z.infer<typeof partSchema>>;
export type SyncState = Readonly<z.infer<typeof stateSchema>>;

/** The folder of the files of syncs, which only this user can read. */
export interface SyncFolder {
  /** A line of JSON for each organisation fetched. */
  readonly spool: string;
  /** Empty for another peer, or if the file cannot be read. */
  read(peer: string): SyncState;
  /** Writes the file completely or not at all, and durably. */
  write(state: SyncState): void;
}

export function openSyncFolder(path: string): SyncFolder {
  const { filePath, read, write } = openStateFolder(path, stateSchema);
  return {
    spool: filePath('organizations.ndjson'),
    read: (peer) => {
      const known = read();
      return known?.peer === peer ? known : { peer };
    },
    write,
  };
}
