/** The thread that finds the places of the records of an edition by their postcodes. */
import { parentPort, workerData } from 'node:worker_threads';
import { transferablesOf } from '../../threads/transferables.ts';
import { buildPlaces } from '../edition/edition.ts';
import type { NamedArrays } from '../record/arrays.ts';
import { openPostcodes, type StoredPostcodes } from './stored-postcodes.ts';

/** The data that the thread gets at its start. It answers with the arrays of the places. */
export interface PlacesThreadData {
  readonly arrays: NamedArrays;
  readonly stored: StoredPostcodes;
}

const { arrays, stored }: PlacesThreadData = workerData;
const places = buildPlaces(arrays, openPostcodes(stored));
parentPort?.postMessage(places, transferablesOf(places));
