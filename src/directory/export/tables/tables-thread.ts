/** The thread that writes a file for analysis, and sends a message when it is complete. */
import { parentPort, workerData } from 'node:worker_threads';
import { openEdition } from '../../edition/edition.ts';
import { findMatches } from '../export-matches.ts';
import type { TablesOrder } from './table.ts';
import { writeTables } from './write-tables.ts';

const { identity, arrays, form, path, programVersion }: TablesOrder = workerData;
const edition = openEdition(identity, arrays);
const matches = findMatches(edition, { criteria: [] }, true);
await writeTables(form, path, { edition, ...matches, programVersion }, { mode: 0o600 });
parentPort?.postMessage('written');
