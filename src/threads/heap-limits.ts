/**
 * How much memory each thread has for new objects. Without a limit, V8 lets this part of the heap
 * grow to 64 MB in each thread, and seldom makes it smaller again.
 */
import type { ResourceLimits } from 'node:worker_threads';

/**
 * For a thread that answers requests: it makes megabytes of objects for one answer. With 24 MB,
 * the first reports after a start took a fifth more CPU time than with 64, and new connections among
 * clients that leave waited longer than with 48.
 */
export const FOR_REQUESTS: ResourceLimits = { maxYoungGenerationSizeMb: 48 };

/** For other threads: their objects live only briefly, so more would not make them faster. */
export const FOR_BACKGROUND: ResourceLimits = { maxYoungGenerationSizeMb: 8 };
