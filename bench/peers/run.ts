/**
 * Compares the program with a HAPI FHIR JPA server in the same run, with the same data, load and
 * cores: `npm run bench:peers -- --help`. It needs a JDK, Maven and PostgreSQL, and access to Maven
 * Central in the first run. If something is missing, it says so and succeeds.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresBin, startPrimary } from '../cluster/database.ts';
import { markdownOf, type Table } from '../figures.ts';
import { startLoadProcesses } from '../load-processes.ts';
import { CORES, describeMachine, LOAD_CORES, pin, SERVER_CORES } from '../machine.ts';
import { keepFigures } from '../results.ts';
import { answerHelp } from '../usage.ts';
import { compareDirectories } from './directories.ts';
import { buildHapi, hapiVersion } from './hapi.ts';
import { type PeerOptions, readPeerOptions, USAGE } from './options.ts';
import { compareOrders } from './orders.ts';

/** The settings that PostgreSQL and HAPI FHIR recommend for a machine of this size. */
const POSTGRES_SETTINGS = [
  'shared_buffers=2GB',
  'effective_cache_size=6GB',
  'work_mem=32MB',
  'maintenance_work_mem=512MB',
  'max_wal_size=4GB',
  'checkpoint_completion_target=0.9',
  'random_page_cost=1.1',
  'max_connections=100',
];

answerHelp(USAGE);
const words = process.argv.slice(2);
await runPeers(readPeerOptions(words));

async function runPeers(options: PeerOptions): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'gazetteer-bench-peers-'));
  try {
    const bin = postgresBin();
    const built = buildHapi(scratch);
    if (bin === undefined) skip('there is no pgbench; install postgresql');
    else if ('missing' in built) skip(built.missing);
    else await compare(options, bin, built.classPath, scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function skip(reason: string): void {
  process.stdout.write(`Skipped bench:peers: ${reason}.\n`);
}

async function compare(
  options: PeerOptions,
  bin: string,
  classPath: string,
  scratch: string,
): Promise<void> {
  const postgres = await startPrimary(bin, SERVER_CORES, POSTGRES_SETTINGS);
  const loaders = startLoadProcesses(LOAD_CORES);
  // The preparation of the data must not use the cores of the servers.
  pin(process.pid, LOAD_CORES.join());
  const [{ server_version: version = '' } = {}] = await postgres.run('SHOW server_version');
  const machine = `${describeMachine()}, PostgreSQL ${version}, HAPI FHIR ${hapiVersion()}`;
  const cores = `servers on cores ${SERVER_CORES}, the load on ${LOAD_CORES.length} of ${CORES}`;
  process.stdout.write(`${machine}; ${cores}\n`);
  const keep = (records: number) => (table: Table) => {
    const shown = words.map((word) => word || "''");
    const commands = [['npm run bench:peers --', ...shown].join(' ')];
    process.stdout.write(`\n${table.title}\n\n${markdownOf(table)}\n`);
    keepFigures({ ...table, machine, commands, records });
  };
  try {
    const comparison = { options, classPath, postgres, loaders, scratch };
    for (const size of options.sizes) {
      (await compareDirectories(size, comparison)).forEach(keep(size));
    }
    if (options.orders > 0) (await compareOrders(comparison)).forEach(keep(options.orders));
  } finally {
    await loaders.stop();
    await postgres.stop();
  }
}
