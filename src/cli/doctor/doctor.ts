/** `gazetteer doctor`: checks the machine, the settings and the data before or while a server runs. */
import { isSettingPath } from '../../config/load-config.ts';
import { type Config, SETTINGS } from '../../config/settings.ts';
import { dataFolderAt } from '../../storage/data-folder.ts';
import { checkDatabase } from '../../storage/open.ts';
import { loadTracePackages } from '../../telemetry/span-export.ts';
import { type Command, type CommandContext, CommandError } from '../command.ts';
import { storeAddressOf } from '../open-store.ts';
import { JSON_OPTION } from '../options.ts';
import { printResult } from '../output.ts';
import { requireAcceptedTokens, requireService } from '../serve/serve-settings.ts';
import { givesTokens } from '../serve/serve-thread-data.ts';
import { type DoctorFinding, failure, findingsOf, ok, warning } from './doctor-finding.ts';
import { folderFindings } from './doctor-folder.ts';
import { keyFindings } from './doctor-keys.ts';
import { clockFindings, portFindings, runtimeFindings } from './doctor-machine.ts';

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Check the machine, the settings and the keys, also while a server runs',
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

async function findingsFor(context: CommandContext): Promise<DoctorFinding[]> {
  const { config } = context;
  const folder = dataFolderAt(config.data);
  const local = await folderFindings(folder, config['database.url'] !== undefined);
  const database = await databaseFindings(config);
  const isUsable = [...local, ...database].every(({ level }) => level !== 'error');
  const isReadable = local.every(
    ({ level, check }) => level !== 'error' || check !== 'data folder',
  );
  return [
    ...(await runtimeFindings()),
    ...(await findingsOf('settings', () => [settingsOf(context)])),
    ...tokenFindings(config),
    ...local,
    ...database,
    ...(await portFindings(config, folder)),
    ...(await clockFindings(config, folder, isUsable)),
    ...(await keyFindings(context, folder, isReadable)),
    ...(await telemetryFindings(config)),
  ];
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

function tokenFindings(config: Config): DoctorFinding[] {
  if (!givesTokens(config)) return [];
  const text =
    'Everyone who can reach the server gets a token from it, and can read and write order ' +
    'responses. Set pages.giveTokens to false, unless all order responses are invented.';
  return [{ check: 'tokens', ...warning(text) }];
}

async function telemetryFindings(config: Config): Promise<DoctorFinding[]> {
  if (config['telemetry.endpoint'] === undefined) return [];
  return findingsOf('telemetry', async () => {
    await loadTracePackages();
    return [ok('The packages of OpenTelemetry are installed.')];
  });
}

/** No finding contains the URL, because it can have a password. */
async function databaseFindings(config: Config): Promise<DoctorFinding[]> {
  if (config['database.url'] === undefined) return [];
  return findingsOf('database', async () => {
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
  });
}

/** `aheadMs`: how far the clock of the database is ahead of the clock of this machine. */
export function skewFinding(host: string, aheadMs: number) {
  if (Math.abs(aheadMs) < CLOCK_MARGIN_MS) {
    return ok(`${host}: its clock agrees with the clock of this machine.`);
  }
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  return warning(
    `${host}: its clock is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the clock of this ` +
      'machine. Start a time service on both.',
  );
}

const CLOCK_MARGIN_MS = 10_000;

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

function lineOf({ level, check, text }: DoctorFinding): string {
  return `${level.padEnd('warning'.length)}  ${check}: ${text}\n`;
}
