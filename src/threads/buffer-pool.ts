/**
 * How large the memory is that small buffers share. A part that is in use keeps all of it, so the
 * memory lives longer than most buffers in it, and then waits for a complete collection.
 */
import { Buffer } from 'node:buffer';

/**
 * Call this when a server thread starts. Node's own size is 64 KiB since version 26: under a modest
 * load, a thread then has 25 MB of it that no buffer needs any longer.
 */
export function keepBufferPoolSmall(): void {
  Buffer.poolSize = POOL_BYTES;
}

/** Small enough to be freed with the objects of the same requests. */
const POOL_BYTES = 8 * 1024;
