/** The key that encrypts what subscriptions hide. It comes from the key of the audit log. */
import type { Config } from '../../config/settings.ts';
import { dataFolderAt } from '../../storage/data-folder.ts';
import { readAuditKey } from '../../storage/key-file.ts';
import { sealKeyOf } from '../../subscriptions/channel-seal.ts';

/** Reads the file each time, because writes of subscriptions are rare. The storage thread makes the file. */
export function subscriptionKeyOf(config: Config): Uint8Array {
  const path = config['orders.auditKeyFile'] ?? dataFolderAt(config.data).auditKey;
  const key = readAuditKey(path);
  if (key === undefined) throw new Error(`${path}: the key of the audit log is missing`);
  return sealKeyOf(key);
}
