/** The options, the state and the report of a sync. */
import type { EditionInfo, EditionStore } from '../../directory/edition-store.ts';
import type { OnProgress } from '../../directory/import/collector.ts';
import type { ImportReport } from '../../directory/import/import-edition.ts';
import type { DirectorySettings } from '../../directory/settings.ts';
import type { PeerAddress } from './peer-address.ts';
import type { PeerClient } from './peer-client.ts';
import type { Spool } from './spool.ts';
import type { SyncFolder } from './sync-state.ts';

export interface SyncOptions {
  readonly store: EditionStore;
  readonly folder: SyncFolder;
  readonly peer: PeerAddress;
  readonly client: PeerClient;
  /** The number of days of changes that each sync fetches again. */
  readonly overlapDays: number;
  /** The number of days after which a sync fetches everything again. */
  readonly fullDays: number;
  /** Whether to fetch everything now. */
  readonly isFull: boolean;
  readonly allowShrink: boolean;
  readonly keep: number;
  /** The largest amount of data that a sync fetches. */
  readonly bytesMax: number;
  /** The sync understands the URIs of each of these settings. */
  readonly settings: readonly DirectorySettings[];
  /** The clock, in milliseconds. */
  readonly now: () => number;
  readonly say: (line: string) => void;
  readonly onProgress: OnProgress;
  readonly onBuild: () => void;
  readonly stopped: AbortSignal;
}

export interface SyncReport {
  /** Counts the records that were fetched. The edition is the current one, new or not. */
  readonly report: ImportReport;
  readonly isPublished: boolean;
  /** `nothing` if the peer answered that it has not changed. */
  readonly fetched: 'everything' | 'changes' | 'nothing';
}

/** One run of a sync. */
export interface Sync {
  readonly options: SyncOptions;
  readonly spool: Spool;
  readonly current: EditionInfo | undefined;
}
