/** The files of a zip, for tests. */
import { text } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';

/** The text of each file, by its name and in the order of the zip. */
export async function filesInZip(bytes: Buffer): Promise<ReadonlyMap<string, string>> {
  const zip = await fromBufferPromise(bytes);
  const files = new Map<string, string>();
  for await (const entry of zip.eachEntry()) {
    files.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)));
  }
  return files;
}
