/** Syncs with a peer, with the settings of syncs. */

import { readFileSync } from 'node:fs';
import { requireReadableFiles } from '../../config/load-config.ts';
import { withoutUsers } from '../../config/settings/addresses.ts';
import type { Config, SettingPath } from '../../config/settings.ts';
import { SourceError } from '../../directory/record/source.ts';
import type { FetchReport } from '../../sources/fetch/fetch-options.ts';
import { peerWording } from '../../sources/fetch/fetch-wording.ts';
import {
  type PeerAddress,
  parsePeerAddress,
  syncDirectory,
} from '../../sources/fetch/sync-directory.ts';
import { CommandError, UsageError } from '../parts/command.ts';
import type { SourceRun } from './source-run.ts';

export const SYNC_SETTINGS: readonly SettingPath[] = ['sync.timeoutSeconds', 'sync.tokenFile'];

/** Text that is not a URL is a usage error. `where` is the argument or option. */
export function peerAddress(text: string, where: string): PeerAddress {
  try {
    return parsePeerAddress(text);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    throw new UsageError(`${where}: ${withoutUsers(error.message)}`);
  }
}

/** Call it before the work begins, because it reads the file of the token. */
export function preparePeer(
  config: Config,
  peer: PeerAddress,
): (run: SourceRun, isFull: boolean) => Promise<FetchReport & { readonly requests: number }> {
  const token = tokenFor(peer, config['sync.tokenFile']);
  return async ({ folder, options, createClient }, isFull) => {
    const client = createClient({
      requestsPerSecond: REQUESTS_PER_SECOND,
      headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
      wording: peerWording(token !== undefined),
    });
    const synced = await syncDirectory({ ...options, folder: folder.sync, peer, client, isFull });
    return { ...synced, requests: client.requests };
  };
}

/** A sync sends one or two requests. */
const REQUESTS_PER_SECOND = 1;

function tokenFor(peer: PeerAddress, file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  if (!peer.isPrivate) {
    throw new CommandError(
      `sync.tokenFile needs an https address, because the token would not be encrypted. Got ${peer.baseUrl}.`,
    );
  }
  // The syntax of a bearer token: RFC 6750, section 2.1.
  return readSecretFile(file, 'sync.tokenFile', 'a bearer token', (text) =>
    /^[A-Za-z0-9\-._~+/]+=*$/.test(text),
  );
}

/**
 * Reads a token or a key from the file that a setting names. `what` names the content in a message, such as `a bearer token`, and
 * `form` its rule.
 */
export function readSecretFile(
  file: string,
  path: SettingPath,
  what: string,
  isValid: (text: string) => boolean,
  form = '',
): string {
  requireReadableFiles({ [path]: file });
  const text = readFileSync(file, 'utf8').trim();
  if (isValid(text)) return text;
  const [, noun] = what.split(/ (?=\w+$)/);
  throw new CommandError(
    `${file} does not contain ${what}. Put the ${noun} alone on its first line.${form}`,
  );
}
