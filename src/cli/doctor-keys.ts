/** What `gazetteer doctor` checks of keys: that they are there, private and valid. No key is shown. */
import { existsSync, statSync } from 'node:fs';
import { openOwnKey } from '../auth/own-key.ts';
import type { Config } from '../config/settings.ts';
import { readCertificate, validUntil } from '../server/certificate.ts';
import type { DataFolder } from '../storage/data-folder.ts';
import { readAuditKey, writeKeyFile } from '../storage/key-file.ts';
import { type DoctorFinding, failure, findingsOf, ok, warning } from './doctor-finding.ts';
import { requireFiles } from './serve-settings.ts';

export async function keyFindings(config: Config, folder: DataFolder): Promise<DoctorFinding[]> {
  return [
    ...(config['orders.enabled']
      ? await findingsOf('audit key', () => [auditKeyOf(config, folder)])
      : []),
    ...(await findingsOf('token key', () => [tokenKeyOf(config, folder)])),
    ...(await findingsOf('certificate', () => certificateOf(config))),
    ...(await findingsOf('files of settings', () => {
      requireFiles(config);
      return [ok('Every file that a setting of the server names can be used.')];
    })),
  ];
}

function auditKeyOf(config: Config, folder: DataFolder) {
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

function tokenKeyOf(config: Config, folder: DataFolder) {
  const path = config['auth.ownKeyFile'] ?? folder.tokenKey;
  if (!existsSync(path))
    return ok('The server or "gazetteer token" creates the key when it needs it.');
  openOwnKey(path, writeKeyFile);
  return ok(`${path} is valid, and only this user may read it.`);
}

function certificateOf(config: Config, nowMs: number = Date.now()) {
  const { 'tls.certificate': certificate, 'tls.key': key } = config;
  if (certificate === undefined || key === undefined) return [];
  const until = validUntil(readCertificate({ certificate, key }));
  const days = (Date.parse(until) - nowMs) / DAY_MS;
  const isPrivate = (statSync(key).mode & OTHERS) === 0 || process.platform === 'win32';
  return [
    days < 0
      ? failure(`${certificate} expired on ${until}. Renew it.`)
      : days < RENEWAL_DAYS
        ? warning(`${certificate} expires on ${until}. Renew it soon.`)
        : ok(`${certificate} is valid until ${until}.`),
    ...(isPrivate ? [] : [warning(`Other users may read ${key}. Run chmod 600 on it.`)]),
  ];
}

const OTHERS = 0o077;
const DAY_MS = 86_400_000;
const RENEWAL_DAYS = 14;
