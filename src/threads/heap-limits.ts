/**
 * What threads get for objects that were just made. Without a limit, V8 lets this part of a heap grow
 * to 64 MB in each thread, and seldom makes it smaller again. The limits are three times the part
 * that V8 fills before it collects: the largest power of two.
 */
import type { ResourceLimits } from 'node:worker_threads';

/** For a thread that answers requests: it makes megabytes of objects for one answer. */
export const FOR_REQUESTS: ResourceLimits = { maxYoungGenerationSizeMb: 24 };

/** For other threads: their objects live only briefly, so more would not make them faster. */
export const FOR_BACKGROUND: ResourceLimits = { maxYoungGenerationSizeMb: 8 };
