/**
 * A program for tests that die: `repository-program.ts <folder> endless` creates order responses in
 * batches and prints their ids once they are stored; `… until-full` creates until it cannot, then
 * tries again, and prints how many were stored.
 */
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { openDataFolder } from '../../../src/storage/files/data-folder.ts';
import { createOperation, openStore } from '../repository-place.ts';

const [folder = '', mode = ''] = process.argv.slice(2);
const store = openStore(openDataFolder(folder));

if (mode === 'endless') {
  for (;;) {
    const ids = Array.from({ length: 5 }, () => randomUUID());
    store.runBatch(ids.map((id) => createOperation(id)));
    writeSync(1, `${ids.join('\n')}\n`);
  }
}
let answered = 0;
let failures = 0;
while (failures < 2) {
  const note = 'x'.repeat(5000);
  const [result] = store.runBatch([createOperation(randomUUID(), undefined, note)]);
  if (result?.kind === 'create') answered++;
  else failures++;
}
writeSync(1, JSON.stringify({ answered }));
store.close();
