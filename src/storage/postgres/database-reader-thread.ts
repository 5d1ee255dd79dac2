/** The program of a reader thread that reads a database. */
import { workerData } from 'node:worker_threads';
import { serveReader } from '../threads/serve-reader.ts';
import type { DatabaseAddress } from './connection/database-address.ts';
import { DatabaseReader } from './orders/snapshot-reader.ts';

export interface DatabaseReaderData {
  readonly address: DatabaseAddress;
  /** How long a page of changes waits for older transactions. */
  readonly settledWaitMaxMs?: number | undefined;
}

const { address, settledWaitMaxMs }: DatabaseReaderData = workerData;

serveReader(new DatabaseReader(address, settledWaitMaxMs));
