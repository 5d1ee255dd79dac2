/** The key that encrypts what subscriptions hide. It comes from the key of the audit log. */
import type { Config } from '../../config/settings.ts';
import { sealKeyOf } from '../../orders/subscriptions/channel-seal.ts';
import { dataFolderAt } from '../../storage/files/data-folder.ts';
import { readAuditKey } from '../../storage/files/key-file.ts';

/** Reads the file each time, because writes of subscriptions are rare. The storage thread makes the file. */
export function subscriptionKeyOf(config: Config): Uint8Array {
  const path = config['orders.auditKeyFile'] ?? dataFolderAt(config.data).auditKey;
  const key = readAuditKey(path);
  if (key === undefined) throw new Error(`${path}: the key of the audit log is missing`);
  return sealKeyOf(key);
}
