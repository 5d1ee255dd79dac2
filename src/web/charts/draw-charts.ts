/** Draws charts in a separate thread, which ends after the last chart. */

import { Worker } from 'node:worker_threads';
import { FOR_BACKGROUND } from '../../threads/heap-limits.ts';
import type { ChartOrder } from './chart.ts';

/**
 * One SVG for each order. Loading the library takes a tenth of a second and 30 MB: too long for a
 * thread that answers requests, and too much to keep in each of them.
 */
export function drawCharts(orders: readonly ChartOrder[]): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(THREAD, { workerData: orders, resourceLimits: FOR_BACKGROUND });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread that draws charts ended too soon')));
  });
}

const THREAD = new URL('./chart-thread.ts', import.meta.url);
