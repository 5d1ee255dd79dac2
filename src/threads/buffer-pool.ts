/**
 * The size of the pools from which Node allocates small buffers. One buffer that is in use keeps its
 * whole pool, so pools outlive most of their buffers, and only a full garbage collection frees them.
 */
import { Buffer } from 'node:buffer';

/**
 * Call this when a server thread starts. Node's own size is 64 KiB since version 26: under a modest
 * load, a thread then has 25 MB of pools that no buffer uses.
 */
export function keepBufferPoolSmall(): void {
  Buffer.poolSize = POOL_BYTES;
}

/** Small enough to be freed with the objects of the same requests. */
const POOL_BYTES = 8 * 1024;
