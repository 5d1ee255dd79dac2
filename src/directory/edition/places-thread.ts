/** The thread that finds the places of the records of an edition by their postcodes. */
import { parentPort, workerData } from 'node:worker_threads';
import { transferablesOf } from '../../threads/transferables.ts';
import type { NamedArrays } from '../arrays/arrays.ts';
import { openPostcodes, type StoredPostcodes } from '../places/stored-postcodes.ts';
import { buildPlaces } from './edition.ts';

/** The data that the thread gets at its start. It answers with the arrays of the places. */
export interface PlacesThreadData {
  readonly arrays: NamedArrays;
  readonly stored: StoredPostcodes;
}

const { arrays, stored }: PlacesThreadData = workerData;
const places = buildPlaces(arrays, openPostcodes(stored));
parentPort?.postMessage(places, transferablesOf(places));
