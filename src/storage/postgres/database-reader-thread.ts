/** The program of a reader thread that reads a database. */
import { workerData } from 'node:worker_threads';
import type { DatabaseAddress } from '../files/database-address.ts';
import { serveReader } from '../threads/serve-reader.ts';
import { DatabaseReader } from './orders/snapshot-reader.ts';

const address: DatabaseAddress = workerData;

serveReader(new DatabaseReader(address));
