/** The thread that builds a part of the index of an edition from the arrays of the edition. */
import { parentPort, workerData } from 'node:worker_threads';
import { transferablesOf } from '../../threads/transferables.ts';
import { INDEX_PARTS, type IndexThreadData } from './edition-records.ts';

const { part, arrays }: IndexThreadData = workerData;
const built = INDEX_PARTS[part].build(arrays);
parentPort?.postMessage(built, transferablesOf(built));
