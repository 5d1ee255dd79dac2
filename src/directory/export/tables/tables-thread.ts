/** The thread that writes a file for analysis, and sends a message when it is complete. */
import { parentPort, workerData } from 'node:worker_threads';
import { type EditionIdentity, openEdition } from '../../edition/edition.ts';
import type { NamedArrays } from '../../record/arrays.ts';
import { findMatches } from '../export-matches.ts';
import type { TableForm } from './table-forms.ts';
import { writeTables } from './write-tables.ts';

export interface TablesThreadData {
  readonly identity: EditionIdentity;
  readonly arrays: NamedArrays;
  readonly form: TableForm;
  readonly path: string;
  readonly programVersion: string;
}

const { identity, arrays, form, path, programVersion }: TablesThreadData = workerData;
const edition = openEdition(identity, arrays);
const matches = findMatches(edition, { criteria: [] }, true);
await writeTables(form, path, { edition, ...matches, programVersion }, { mode: 0o600 });
parentPort?.postMessage('written');
