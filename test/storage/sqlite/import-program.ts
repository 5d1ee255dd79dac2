/**
 * A program for tests that die: imports editions into a data folder.
 * `import-program.ts <folder> kill <step>` makes one edition and kills itself before that step;
 * `… endless` makes one after the other and prints a dot for each step, the number of each edition
 * once it is published; `… array <bytes>` and `… difference <codes>` make a large one.
 */
import { hash } from 'node:crypto';
import { writeSync } from 'node:fs';
import type { EditionStore } from '../../../src/directory/edition/edition-store.ts';
import { openDataFolder } from '../../../src/storage/files/data-folder.ts';
import { openEditionStore } from '../../../src/storage/sqlite/editions/edition-store.ts';
import { descriptionOf, NO_DIFFERENCE, smallEdition } from '../edition-store.contract.ts';
import { withAsyncSteps } from '../steps.ts';

const [folder = '', mode = '', size = '0'] = process.argv.slice(2);
const amount = Number(size);
const write = writeSync; // as it is now: unwatched
const store = openEditionStore(openDataFolder(folder));

try {
  await importEditions(store);
  await store.close();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function importEditions(store: EditionStore): Promise<void> {
  switch (mode) {
    case 'kill':
      await withAsyncSteps(
        (_, step) => step === amount && die(),
        async () => smallEdition(store, await nextSeed(store), 2),
      );
      return;
    case 'endless':
      for (;;) {
        const seed = await nextSeed(store);
        await withAsyncSteps(
          () => print('.'),
          () => smallEdition(store, seed, 2),
        );
        print(`${seed}\n`);
      }
    case 'array': {
      const draft = await store.begin();
      await draft.write('large', new Uint8Array(amount));
      await draft.publish(descriptionOf(await nextSeed(store)), { keep: 2 });
      return;
    }
    case 'difference': {
      // Not to be deflated to nothing.
      const added = Array.from({ length: amount }, (_, at) => hash('sha1', String(at)));
      const description = descriptionOf(await nextSeed(store), { ...NO_DIFFERENCE, added });
      await (await store.begin()).publish(description, { keep: 2 });
      return;
    }
    default:
      throw new Error(`No such mode: ${mode}`);
  }
}

/** The tests rely on it: the edition of number n is made from seed n. */
async function nextSeed(store: EditionStore): Promise<number> {
  return (await store.list()).length + 1;
}

/** Waits while the pipe is full, because the test is slower than this program. */
function print(text: string): void {
  for (;;) {
    try {
      write(1, text);
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    }
  }
}

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  for (;;); // the signal is on its way
}
