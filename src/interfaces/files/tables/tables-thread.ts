/** The thread that writes a file for analysis, and sends a message when it is complete. */
import { parentPort, workerData } from 'node:worker_threads';
import { openEdition } from '../../../directory/edition/edition.ts';
import { openPostcodes } from '../../../directory/places/stored-postcodes.ts';
import type { TablesOrder } from './table.ts';
import { writeTables } from './write-tables.ts';

const { identity, arrays, postcodes, form, path, programVersion }: TablesOrder = workerData;
const edition = openEdition(identity, arrays, postcodes && openPostcodes(postcodes));
// Outside of the heap, whose limit does not depend on the edition.
const rows = Uint32Array.from({ length: edition.links.rowCount }, (_, row) => row);
const source = { edition, rows, isComplete: true, programVersion };
await writeTables(form, path, source, { mode: 0o600 });
parentPort?.postMessage('written');
