/** Has charts drawn in a thread of their own, which ends with the last of them. */
import { Worker } from 'node:worker_threads';
import type { ChartWidth } from './chart.ts';
import type { ChartDescription } from './statistics.ts';

export interface ChartOrder {
  readonly chart: ChartDescription;
  readonly width: ChartWidth;
}

/**
 * One SVG for each order. To load the library takes half a second and a hundred megabytes: too
 * long for a thread that answers requests, and too much to keep in each of them.
 */
export function drawCharts(orders: readonly ChartOrder[]): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(THREAD, { workerData: orders });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread that draws charts ended too soon')));
  });
}

const THREAD = new URL('./chart-thread.ts', import.meta.url);
