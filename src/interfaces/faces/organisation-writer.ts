/** The memory that a thread writes organisations into, in all faces. */

import { ByteWriter } from '../answer/byte-writer.ts';
import type { Editions } from '../answer/editions.ts';

/** The writer of the thread that has these editions. */
export function writerOf(editions: Editions): ByteWriter {
  let writer = writers.get(editions);
  if (writer === undefined) {
    writer = new ByteWriter(SLABS_KEPT);
    writers.set(editions, writer);
  }
  return writer;
}

/** In megabytes: the bodies of the last 400 pages. */
const SLABS_KEPT = 16;

const writers = new WeakMap<Editions, ByteWriter>();
