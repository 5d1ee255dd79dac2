/** The thread that draws charts: it receives all orders at its start, and sends all charts together. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ChartOrder } from './chart.ts';
import { drawChart } from './svg-chart.ts';

const orders: readonly ChartOrder[] = workerData;
parentPort?.postMessage(
  await Promise.all(orders.map(({ chart, width }) => drawChart(chart, width))),
);
