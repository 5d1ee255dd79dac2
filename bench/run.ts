/**
 * The benchmark: what the program does, each figure beside what the design asks of it, and beside
 * yardsticks that were measured in the same minute. `npm run bench -- --help` says what can be
 * chosen. Figures are printed, and kept as JSON for `bench/publish.ts`.
 */
import { runCluster } from './cluster/run.ts';
import { runImport } from './editions/import.ts';
import { runNextImport } from './editions/next-import.ts';
import { runPostcodes } from './editions/postcodes.ts';
import { runStart } from './editions/start.ts';
import { runSwitches } from './editions/switches.ts';
import { runTopUps } from './editions/top-ups.ts';
import { runBodies, runCodes, runSearches } from './engine/run.ts';
import { markdownOf, type Table } from './figures.ts';
import { runGrowth } from './growth/run.ts';
import { runHttp } from './http/run.ts';
import { runLeaving } from './leaving/run.ts';
import { describeMachine } from './machine.ts';
import { type Options, readOptions, USAGE } from './options.ts';
import { runOrderSearch } from './order-search/run.ts';
import { runCatchUp } from './orders/catch-up.ts';
import { runDeliveries } from './orders/deliveries.ts';
import { runOrderCases, runOrders } from './orders/run.ts';
import { runTransactions } from './orders/transactions.ts';
import { runWaiting } from './orders/waiting.ts';
import { runPages } from './pages/run.ts';
import { runReports } from './reports/run.ts';
import { keepFigures } from './results.ts';
import { answerHelp } from './usage.ts';
import { runEndpoints } from './worst/endpoints/run.ts';
import { runWorst } from './worst/run.ts';
import { runXml } from './xml/run.ts';

/** In the order in which they are measured. */
const PARTS: readonly ((options: Options) => Table[] | Promise<Table[]>)[] = [
  runSearches,
  runBodies,
  runCodes,
  runWorst,
  runEndpoints,
  runLeaving,
  runXml,
  runHttp,
  runGrowth,
  runOrderCases,
  runOrders,
  runTransactions,
  runWaiting,
  runDeliveries,
  runCatchUp,
  runOrderSearch,
  runImport,
  runNextImport,
  runTopUps,
  runPostcodes,
  runStart,
  runSwitches,
  runPages,
  runReports,
  runCluster,
];

answerHelp(USAGE);
const words = process.argv.slice(2);
await runBench(readOptions(words));

async function runBench(options: Options): Promise<void> {
  const machine = describeMachine();
  const command = ['npm run bench --', ...words].join(' ');
  process.stdout.write(`${machine}; ${options.records} records\n`);
  for (const part of PARTS) {
    for (const table of await part(options)) {
      process.stdout.write(`\n${table.title}\n\n${markdownOf(table)}\n`);
      keepFigures({ ...table, machine, commands: [command], records: options.records });
    }
  }
}
