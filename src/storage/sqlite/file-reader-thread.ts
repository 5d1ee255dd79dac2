/** The program of a reader thread that reads `orders.db`. */
import { workerData } from 'node:worker_threads';
import { serveReader } from '../threads/serve-reader.ts';
import { SnapshotReader } from './snapshot-reader.ts';

/** The path of the database. */
const path: string = workerData;

serveReader(new SnapshotReader(path));
