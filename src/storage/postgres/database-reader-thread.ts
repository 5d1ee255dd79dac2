/** The program of a reader thread that reads a database. */
import { workerData } from 'node:worker_threads';
import { serveReader } from '../threads/serve-reader.ts';
import type { DatabaseAddress } from './connection/database-address.ts';
import type { SettledChangesOptions } from './orders/settled-changes.ts';
import { DatabaseReader } from './orders/snapshot-reader.ts';

export interface DatabaseReaderData {
  readonly address: DatabaseAddress;
  readonly settled?: SettledChangesOptions | undefined;
}

const { address, settled }: DatabaseReaderData = workerData;

serveReader(new DatabaseReader(address, settled));
