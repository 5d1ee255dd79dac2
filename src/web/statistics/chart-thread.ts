/** The thread that draws charts: it takes its orders at the start, and answers them all at once. */
import { parentPort, workerData } from 'node:worker_threads';
import { drawChart } from './chart.ts';
import type { ChartOrder } from './draw-charts.ts';

const orders: readonly ChartOrder[] = workerData;
parentPort?.postMessage(
  await Promise.all(orders.map(({ chart, width }) => drawChart(chart, width))),
);
