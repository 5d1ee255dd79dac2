/** The file of postcodes: whatever happens to its bytes, it is read as it was written, or refused. */
import assert from 'node:assert/strict';
import { readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { replaceFile } from '../../../src/storage/files/data-folder.ts';
import { readStoredTable } from '../../../src/storage/tables/table-file.ts';
import { POSTCODE_TABLE } from '../../../src/storage/tables/table-kinds.ts';
import { postcodeBytes } from '../../directory/places/postcode-rows.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const BYTES = postcodeBytes([{ postcode: 'LS1 4AP' }, { postcode: 'M1 1AE' }]);

it('a file that was cut off or changed anywhere is refused, with the remedy', (context) => {
  const path = join(temporaryFolder(context), 'postcodes.bin');
  const message = /^.*postcodes\.bin: .*; import the postcodes again with "gazetteer import-/;
  for (let at = 0; at < BYTES.length; at += 7) {
    writeFileSync(path, BYTES);
    truncateSync(path, at);
    assert.throws(
      () => readStoredTable(POSTCODE_TABLE, path),
      { name: 'StorageError', message },
      `cut at ${at}`,
    );
  }
  const dataStart = BYTES.indexOf(10) + 1;
  for (let at = dataStart; at < BYTES.length; at += 3) {
    const changed = Uint8Array.from(BYTES);
    changed[at]! ^= 1;
    writeFileSync(path, changed);
    assert.throws(() => readStoredTable(POSTCODE_TABLE, path), { name: 'StorageError', message });
  }
});

it('a file of another version of the program is refused, with the remedy', (context) => {
  const path = join(temporaryFolder(context), 'postcodes.bin');
  writeFileSync(path, Buffer.from(BYTES).toString('latin1').replace('"format":1', '"format":2'), {
    encoding: 'latin1',
  });
  assert.throws(() => readStoredTable(POSTCODE_TABLE, path), {
    name: 'StorageError',
    message: /made by another version; import the postcodes again/,
  });
});

it('a draft that an interrupted import left is replaced', (context) => {
  const folder = temporaryFolder(context);
  const path = join(folder, 'postcodes.bin');
  writeFileSync(`${path}.draft`, 'half of it');
  assert.equal(readStoredTable(POSTCODE_TABLE, path), undefined);
  replaceFile(path, BYTES);
  assert.equal(readStoredTable(POSTCODE_TABLE, path)?.about.postcodes, 2);
  assert.deepEqual(readdirSync(folder), ['postcodes.bin']);
});
