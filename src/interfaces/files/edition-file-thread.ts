/** The thread that writes a file of an edition, and sends a message when it is complete. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { openEdition } from '../../directory/edition/edition.ts';
import { openPostcodes } from '../../directory/places/stored-postcodes.ts';
import { gzipPieces } from '../../fhir/http/gzip.ts';
import type { FileOrder } from './edition-files.ts';
import { releasePieces } from './release-xml.ts';
import { writeTables } from './tables/write-tables.ts';

const { identity, arrays, postcodes, form, path, programVersion }: FileOrder = workerData;
const edition = openEdition(identity, arrays, postcodes && openPostcodes(postcodes));
// Outside of the heap, whose limit does not depend on the edition.
const rows = Uint32Array.from({ length: edition.links.rowCount }, (_, row) => row);
const mode = 0o600;
if (form === 'release') {
  const file = createWriteStream(path, { flags: 'wx', mode });
  await pipeline(gzipPieces(releasePieces(edition, rows)), file);
} else {
  await writeTables(form, path, { edition, rows, isComplete: true, programVersion }, { mode });
}
parentPort?.postMessage('written');
