/** The options of TLS for connections to a database. */
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import type { DatabaseAddress } from '../database-address.ts';
import { withStorageErrors } from '../storage-error.ts';

export function tlsOptions({ sslMode, caFile }: DatabaseAddress): false | ConnectionOptions {
  if (sslMode === 'disable') return false;
  if (sslMode === 'require') return { rejectUnauthorized: false };
  const ca = caFile && withStorageErrors(caFile, () => readFileSync(caFile, 'utf8'));
  return {
    ...(ca && { ca }),
    ...(sslMode === 'verify-ca' && { checkServerIdentity: () => undefined }),
  };
}
