/** The options and the state of a sync. */
import type { EditionInfo } from '../../directory/edition/edition-store.ts';
import type { FetchOptions } from '../fetch-options.ts';
import type { HttpClient } from '../http/http-options.ts';
import type { Spool } from '../http/spool.ts';
import type { PeerAddress } from './peer-address.ts';
import type { SyncFolder } from './sync-state.ts';

export interface SyncOptions extends Omit<FetchOptions, 'temporaryFolder'> {
  readonly folder: SyncFolder;
  readonly peer: PeerAddress;
  readonly client: HttpClient;
  /** The number of days of changes that each sync fetches again. */
  readonly overlapDays: number;
  /** The number of days after which a sync fetches everything again. */
  readonly fullDays: number;
  /** Whether to fetch everything now. */
  readonly isFull: boolean;
}

/** One run of a sync. */
export interface Sync {
  readonly options: SyncOptions;
  readonly spool: Spool;
  readonly current: EditionInfo | undefined;
}
