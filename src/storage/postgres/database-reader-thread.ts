/** The program of a reader thread that reads a database. */
import { workerData } from 'node:worker_threads';
import { serveReader } from '../threads/serve-reader.ts';
import type { DatabaseAddress } from './connection/database-address.ts';
import { DatabaseReader } from './orders/snapshot-reader.ts';

const address: DatabaseAddress = workerData;

serveReader(new DatabaseReader(address));
