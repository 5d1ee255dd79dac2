/** `gazetteer doctor`: checks the machine, the settings and the data before or while a server runs. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isSettingPath } from '../../config/load-config.ts';
import { type Config, SETTINGS } from '../../config/settings.ts';
import { isNodeEnough, NODE_MIN, SOFTWARE } from '../../config/version.ts';
import { descriptorLimit, descriptorProblem } from '../../server/monitoring/file-descriptors.ts';
import { METRICS_FLAGS } from '../../server/monitoring/operation-server.ts';
import { type ListenFlags, PortTakenError, reservePort } from '../../server/sockets/port.ts';
import { type DataFolder, dataFolderAt } from '../../storage/files/data-folder.ts';
import { acquireLock } from '../../storage/files/lock.ts';
import { StorageError } from '../../storage/files/storage-error.ts';
import { checkDatabase } from '../../storage/open.ts';
import { loadTracePackages } from '../../telemetry/span-export.ts';
import { type Command, type CommandContext, CommandError } from '../parts/command.ts';
import { openConfiguredStore, storeAddressOf } from '../parts/open-store.ts';
import { JSON_OPTION } from '../parts/options.ts';
import { printResult } from '../parts/output.ts';
import { requireAcceptedTokens, requireOwnPorts, requireService } from '../serve/serve-settings.ts';
import { givesTokens } from '../serve/threads/serve-thread-data.ts';
import {
  type CheckResult,
  failure,
  fileSystemOf,
  ok,
  ownershipOf,
  spaceOf,
  speedOf,
  warning,
} from './doctor-folder.ts';
import { auditKeyOf, certificateOf, filesOf, tokenKeyOf } from './doctor-keys.ts';

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Check the machine, the settings and the keys, even while a server runs',
  examples: ['doctor --data /srv/gazetteer', 'doctor --json'],
  settings: Object.keys(SETTINGS).filter(isSettingPath),
  options: [JSON_OPTION],
  // A missing file is a finding.
  needsFiles: () => false,
  run: async (context) => {
    const findings = await findingsFor(context);
    printResult(context, findings, findings.map(lineOf).join(''));
    const errors = findings.filter(({ level }) => level === 'error').length;
    if (errors === 0) return;
    throw new CommandError(
      `${errors === 1 ? 'One check' : `${errors} checks`} failed. Do what the ` +
        `${errors === 1 ? 'line says' : 'lines say'}, and run the command again.`,
    );
  },
};

export interface DoctorFinding extends CheckResult {
  /** The name of the check: `data folder`. */
  readonly check: string;
}

interface Doctor {
  readonly context: CommandContext;
  readonly config: Config;
  readonly folder: DataFolder;
  readonly hasDatabase: boolean;
  /** Whether the check found no error. */
  isSound(check: string): boolean;
}

type Found = CheckResult | readonly CheckResult[] | undefined;

/** In the order of the output. A check that throws has found an error: the message names the remedy. */
const CHECKS: Readonly<Record<string, (doctor: Doctor) => Found | Promise<Found>>> = {
  runtime: () => runtimeFindings(),
  settings: ({ context }) => settingsOf(context),
  tokens: ({ config }) => (givesTokens(config) ? warning(GIVES_TOKENS) : undefined),
  'data folder': ({ folder }) => ownershipOf(folder),
  // With a database, the order responses are not in the folder.
  'file system': ({ folder, hasDatabase }) => (hasDatabase ? undefined : fileSystemOf(folder)),
  'free space': ({ folder }) => spaceOf(folder),
  disk: ({ folder: { path }, isSound }) =>
    isSound('data folder') && existsSync(path) ? speedOf(path) : undefined,
  database: ({ config, hasDatabase }) => (hasDatabase ? databaseFindings(config) : undefined),
  port: ({ config, folder }) => portOf(config.host, config.port, folder),
  'metrics port': ({ context, folder }) => metricsPortOf(context, folder),
  'open files': ({ config }) => openFilesOf(config),
  clock: ({ config, folder, isSound }) => clockOf(config, folder, DATA_CHECKS.every(isSound)),
  'audit key': ({ config, folder, isSound }) => auditKeyOf(config, folder, isSound('data folder')),
  'token key': ({ config, folder, isSound }) => tokenKeyOf(config, folder, isSound('data folder')),
  certificate: ({ config }) => certificateOf(config),
  'files of settings': ({ context }) => filesOf(context),
  telemetry: ({ config }) => telemetryOf(config),
};

/** Where one of these finds an error, the audit log is not read. */
const DATA_CHECKS = ['data folder', 'file system', 'free space', 'disk', 'database'];

async function findingsFor(context: CommandContext): Promise<DoctorFinding[]> {
  const { config } = context;
  const findings: DoctorFinding[] = [];
  const doctor: Doctor = {
    context,
    config,
    folder: dataFolderAt(config.data),
    hasDatabase: config['database.url'] !== undefined,
    isSound: (check) => !findings.some((one) => one.check === check && one.level === 'error'),
  };
  for (const [check, find] of Object.entries(CHECKS)) {
    const found = await Promise.try(find, doctor).catch((error: unknown) =>
      failure(error instanceof Error ? error.message : String(error)),
    );
    findings.push(...[found ?? []].flat().map(({ level, text }) => ({ level, check, text })));
  }
  return findings;
}

export function runtimeFindings(version: string = process.versions.node): CheckResult[] {
  return isNodeEnough(version)
    ? [ok(`Gazetteer ${SOFTWARE.version} runs on Node ${version}.`)]
    : [failure(`Node ${version} is too old. Use ${NODE_MIN} or newer.`)];
}

/** The program has checked each value already. Throws if the server refuses them together. */
function settingsOf({ config, origins, options }: CommandContext) {
  requireService(config);
  requireAcceptedTokens(config);
  const set = Object.values(origins).filter((origin) => origin !== 'default').length;
  const file = typeof options.config === 'string' ? `, with those of ${options.config}` : '';
  const count = set === 0 ? 'All have' : set === 1 ? '1 differs from' : `${set} differ from`;
  return ok(`The settings are valid${file}. ${count} the default value.`);
}

const GIVES_TOKENS =
  'Everyone who can reach the server gets a token from it, and can read and write order ' +
  'responses. Set pages.giveTokens to false, unless all order responses are invented.';

async function telemetryOf(config: Config): Promise<CheckResult | undefined> {
  if (config['telemetry.endpoint'] === undefined) return undefined;
  await loadTracePackages();
  return ok('The packages of OpenTelemetry are installed.');
}

/** No finding contains the URL, because it can have a password. */
async function databaseFindings(config: Config): Promise<CheckResult[]> {
  const { url, options } = storeAddressOf(config);
  const role = config['orders.retentionDays'] > 0 ? 'erase' : 'serve';
  const facts = await checkDatabase(url, options, role);
  const { host, version, isDurable, replicas, waitsForReplica, clockAheadMs } = facts;
  return [
    ok(`${host}: PostgreSQL ${version} has the schema and the rights that a server needs.`),
    isDurable
      ? ok(`${host}: fsync and full_page_writes are on.`)
      : failure(`${host}: a crash can lose data. Set fsync and full_page_writes to on.`),
    replicationOf(host, replicas, waitsForReplica),
    skewFinding(host, clockAheadMs),
  ];
}

/** `aheadMs`: how far the clock of the database is ahead of the clock of this machine. */
export function skewFinding(host: string, aheadMs: number): CheckResult {
  if (Math.abs(aheadMs) < SKEW_MS_MAX) {
    return ok(`${host}: its clock agrees with the clock of this machine.`);
  }
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  return warning(
    `${host}: its clock is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the clock of this ` +
      'machine. Start a time service on both.',
  );
}

const SKEW_MS_MAX = 10_000;

function replicationOf(host: string, replicas: number, waitsForReplica: boolean) {
  const count = `${replicas} ${replicas === 1 ? 'replica is' : 'replicas are'} connected`;
  if (replicas === 0 && waitsForReplica) {
    return failure(
      `${host}: ${count}, but each write waits for one. Start a replica, or clear ` +
        'synchronous_standby_names.',
    );
  }
  if (replicas > 0 && !waitsForReplica) {
    return warning(
      `${host}: ${count}, but no write waits for one, so a failover can lose the last writes. Set ` +
        'synchronous_standby_names.',
    );
  }
  return ok(`${host}: ${count}${replicas > 0 ? ', and each write waits for one' : ''}.`);
}

async function metricsPortOf(
  { config, origins }: CommandContext,
  folder: DataFolder,
): Promise<CheckResult> {
  const { 'metrics.host': metricsHost, 'metrics.port': metricsPort } = config;
  if (metricsPort === 'off') return ok('Health and metrics are switched off.');
  requireOwnPorts(config);
  try {
    return await portOf(metricsHost, metricsPort, folder, METRICS_FLAGS);
  } catch (error) {
    const isDefault = origins['metrics.port'] === 'default';
    if (!(isDefault && error instanceof PortTakenError)) throw error;
    return warning(`${error.message} Until then, the server has no health and metrics.`);
  }
}

/** Of this process: a service manager may give the server another limit. */
function openFilesOf(config: Config): CheckResult | undefined {
  const limit = descriptorLimit();
  if (limit === undefined) return undefined;
  const problem = descriptorProblem(config['limits.connections'], limit);
  return problem === undefined
    ? ok(`The process may have ${limit} open files, enough for limits.connections.`)
    : warning(problem);
}

async function portOf(host: string, port: number, folder: DataFolder, flags?: ListenFlags) {
  if (port === 0) return ok('The system chooses a free port.');
  try {
    (await reservePort(host, port, flags)).release();
    return ok(`Port ${port} on ${host} is free.`);
  } catch (error) {
    if (!isServed(folder)) throw error;
    return ok(
      `Port ${port} on ${host} is taken. A server uses this data folder; if it does not listen ` +
        'there, another program has the port.',
    );
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
async function clockOf(config: Config, folder: DataFolder, canRead: boolean): Promise<CheckResult> {
  const nowMs = Date.now();
  const known = [
    { name: 'the release of this program', ms: Date.parse(SOFTWARE.releaseDate) },
    ...(existsSync(folder.path) ? filesIn(folder.path) : []),
    ...(canRead ? await newestEntry(config, folder) : []),
  ];
  const latest = known.reduce((a, b) => (b.ms > a.ms ? b : a));
  const now = new Date(nowMs).toISOString();
  if (latest.ms <= nowMs + CLOCK_MARGIN_MS) {
    return ok(`The clock shows ${now}, which is after all that is stored.`);
  }
  return failure(
    `The clock shows ${now}, which is before the time of ${latest.name} ` +
      `(${new Date(latest.ms).toISOString()}). Set the clock, and start a time service.`,
  );
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

function lineOf({ level, check, text }: DoctorFinding): string {
  return `${level.padEnd('warning'.length)}  ${check}: ${text}\n`;
}
