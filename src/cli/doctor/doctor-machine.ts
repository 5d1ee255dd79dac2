/** What `gazetteer doctor` checks of the machine: the runtime, the ports and the clock. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/settings.ts';
import { METRICS_FLAGS } from '../../server/operations/operation-server.ts';
import { type ListenFlags, reservePort } from '../../server/port.ts';
import type { DataFolder } from '../../storage/data-folder.ts';
import { acquireLock } from '../../storage/lock.ts';
import { StorageError } from '../../storage/storage-error.ts';
import { isNodeEnough, NODE_MIN, SOFTWARE } from '../../version.ts';
import { openConfiguredStore } from '../open-store.ts';
import { type DoctorFinding, failure, findingsOf, ok } from './doctor-finding.ts';

export function runtimeFindings(version: string = process.versions.node): Promise<DoctorFinding[]> {
  return findingsOf('runtime', () => {
    if (!isNodeEnough(version)) {
      return [failure(`Node ${version} is too old. Use ${NODE_MIN} or newer.`)];
    }
    return [ok(`Gazetteer ${SOFTWARE.version} runs on Node ${version}.`)];
  });
}

export async function portFindings(config: Config, folder: DataFolder): Promise<DoctorFinding[]> {
  const { host, port, 'metrics.host': metricsHost, 'metrics.port': metricsPort } = config;
  return [
    ...(await findingsOf('port', async () => [await portOf(host, port, folder)])),
    ...(await findingsOf('metrics port', async () => {
      if (metricsPort === 'off') return [ok('Health and metrics are switched off.')];
      if (metricsPort === port && port !== 0) {
        return [failure(`port and metrics.port are both ${port}. Change one of them.`)];
      }
      return [await portOf(metricsHost, metricsPort, folder, METRICS_FLAGS)];
    })),
  ];
}

async function portOf(host: string, port: number, folder: DataFolder, flags?: ListenFlags) {
  if (port === 0) return ok('The system chooses a free port.');
  try {
    (await reservePort(host, port, flags)).release();
    return ok(`Port ${port} on ${host} is free.`);
  } catch (error) {
    if (!isServed(folder)) throw error;
    return ok(`Port ${port} on ${host} is taken, and a server uses this data folder.`);
  }
}

/** Whether a server uses the folder now. */
function isServed({ path }: DataFolder): boolean {
  if (!existsSync(join(path, 'serve.lock'))) return false;
  try {
    acquireLock(path, 'serve').release();
    return false;
  } catch (error) {
    return error instanceof StorageError && error.kind === 'locked';
  }
}

/** `canRead`: whether nothing keeps the audit log from being read. */
export function clockFindings(
  config: Config,
  folder: DataFolder,
  canRead: boolean,
  nowMs: number = Date.now(),
): Promise<DoctorFinding[]> {
  return findingsOf('clock', async () => {
    const known = [
      { name: 'the release of this program', ms: Date.parse(SOFTWARE.releaseDate) },
      ...(existsSync(folder.path) ? filesIn(folder.path) : []),
      ...(canRead ? await newestEntry(config, folder) : []),
    ];
    const latest = known.reduce((a, b) => (b.ms > a.ms ? b : a));
    const now = new Date(nowMs).toISOString();
    if (latest.ms <= nowMs + CLOCK_MARGIN_MS) {
      return [ok(`The clock shows ${now}, which is after all that is stored.`)];
    }
    return [
      failure(
        `The clock shows ${now}, which is before the time of ${latest.name} ` +
          `(${new Date(latest.ms).toISOString()}). Set the clock, and start a time service.`,
      ),
    ];
  });
}

const CLOCK_MARGIN_MS = 60_000;

function filesIn(path: string): { name: string; ms: number }[] {
  return readdirSync(path).map((name) => {
    const file = join(path, name);
    return { name: file, ms: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 };
  });
}

/** Empty if there is no audit log yet. */
async function newestEntry(config: Config, folder: DataFolder) {
  const hasLog =
    config['database.url'] === undefined
      ? existsSync(folder.ordersDatabase)
      : existsSync(config['orders.auditKeyFile'] ?? folder.auditKey);
  const found: { name: string; ms: number }[] = [];
  if (!hasLog) return found;
  const store = await openConfiguredStore(config);
  for await (const { recordedAt } of store.auditEntries({ newest: 1 })) {
    found.push({ name: 'the newest audit entry', ms: Date.parse(recordedAt) });
  }
  return found;
}
