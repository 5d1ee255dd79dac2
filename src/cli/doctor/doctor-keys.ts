/** What `gazetteer doctor` checks of keys: that they are there, private and valid. No key is shown. */
import { existsSync, statSync } from 'node:fs';
import { openOwnKey } from '../../auth/own-key.ts';
import { isSettingPath, requireSettingFiles, type Settled } from '../../config/load-config.ts';
import type { Config, SettingPath } from '../../config/settings.ts';
import { readCertificate, validFrom, validUntil } from '../../server/sockets/certificate.ts';
import type { DataFolder } from '../../storage/files/data-folder.ts';
import { readAuditKey, writeKeyFile } from '../../storage/files/key-file.ts';
import { collectorOf } from '../parts/telemetry.ts';
import { requireFiles } from '../serve/serve-settings.ts';
import { type CheckResult, failure, ok, warning } from './doctor-folder.ts';

export async function filesOf({ config, origins }: Settled): Promise<readonly CheckResult[]> {
  requireSettingFiles(Object.keys(config).filter(isSettingPath), { config, origins });
  await requireFiles(config);
  collectorOf(config);
  const open = SECRET_FILES.flatMap((path) => privacyOf(config[path]));
  if (open.length > 0) return open;
  return [ok('Every file that a setting of the server names can be used.')];
}

const SECRET_FILES = [
  'database.passwordFile',
  'auth.introspectionSecretFile',
  'subscriptions.webhooksFile',
  'subscriptions.webhookSecretFile',
  'sync.tokenFile',
  'trud.keyFile',
  'r4.keyFile',
  'telemetry.headersFile',
] as const satisfies readonly SettingPath[];

/**
 * A warning if other users may read a file with a secret. A missing file has its own error. If the
 * file belongs to another user, such as root, this user can only read it as a member of its group.
 */
function privacyOf(file: string | undefined): readonly CheckResult[] {
  const found = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false });
  if (found === undefined || process.platform === 'win32') return [];
  const isOwn = found.uid === process.geteuid?.();
  if ((found.mode & (isOwn ? GROUP_AND_OTHERS : OTHERS)) === 0) return [];
  const remedy = isOwn
    ? 'Run chmod 600 on it.'
    : 'Its owner must run chmod o= on it. For a secret of Kubernetes, set defaultMode to 0440.';
  return [warning(`Other users may read ${file}. ${remedy}`)];
}

/** `isReadable`: whether this user can open the data folder, where the keys are by default. */
export function auditKeyOf(
  config: Config,
  folder: DataFolder,
  isReadable: boolean,
): CheckResult | undefined {
  if (!config['orders.enabled']) return undefined;
  if (!isReadable && config['orders.auditKeyFile'] === undefined) return undefined;
  const path = config['orders.auditKeyFile'] ?? folder.auditKey;
  if (readAuditKey(path) !== undefined)
    return ok(`${path} is valid, and only this user may read it.`);
  if (config['database.url'] !== undefined) {
    return warning(
      `${path} does not exist. The first server of an empty database creates it. Copy it from ` +
        'another server of the database, if there is one.',
    );
  }
  if (!existsSync(folder.ordersDatabase))
    return ok('The server creates the key at its first start.');
  return failure(
    `${path} does not exist, but there are order responses. Restore it from a backup.`,
  );
}

export function tokenKeyOf(
  config: Config,
  folder: DataFolder,
  isReadable: boolean,
): CheckResult | undefined {
  if (!isReadable && config['auth.ownKeyFile'] === undefined) return undefined;
  const path = config['auth.ownKeyFile'] ?? folder.tokenKey;
  if (!existsSync(path))
    return ok('The server or "gazetteer token" creates the key when it needs it.');
  openOwnKey(path, writeKeyFile);
  return ok(`${path} is valid, and only this user may read it.`);
}

export function certificateOf(config: Config): readonly CheckResult[] {
  const { 'tls.certificate': certificate, 'tls.key': key } = config;
  if (certificate === undefined || key === undefined) return [];
  const read = readCertificate({ certificate, key });
  return [
    validityFinding(certificate, validFrom(read), validUntil(read), Date.now()),
    ...privacyOf(key),
  ];
}

/** `from` and `until` are ISO instants. */
export function validityFinding(
  certificate: string,
  from: string,
  until: string,
  nowMs: number,
): CheckResult {
  if (nowMs < Date.parse(from)) {
    return failure(
      `${certificate} is not valid before ${from}. Set the clock of this machine, or use another certificate.`,
    );
  }
  const days = (Date.parse(until) - nowMs) / DAY_MS;
  if (days < 0) return failure(`${certificate} expired on ${until}. Renew it.`);
  if (days < RENEWAL_DAYS) {
    return warning(`${certificate} expires on ${until}. Renew it soon.`);
  }
  return ok(`${certificate} is valid until ${until}.`);
}

const GROUP_AND_OTHERS = 0o077;
const OTHERS = 0o007;
const DAY_MS = 86_400_000;
const RENEWAL_DAYS = 14;
