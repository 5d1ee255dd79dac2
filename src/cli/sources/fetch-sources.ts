/** The sources that `gazetteer fetch` knows by name, and how each is fetched. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireReadableFiles } from '../../config/load-config.ts';
import { sectionOf } from '../../config/section.ts';
import type { Config, SettingPath } from '../../config/settings.ts';
import { SourceError } from '../../directory/import/source.ts';
import type { FetchReport } from '../../sources/fetch-options.ts';
import { ordWording, r4Wording, trudWording } from '../../sources/fetch-wording.ts';
import type { HttpClient } from '../../sources/http/http-options.ts';
import { fetchOrdChanges } from '../../sources/ord/fetch-changes.ts';
import { type PeerAddress, parsePeerAddress } from '../../sources/peer/peer-address.ts';
import { syncDirectory } from '../../sources/peer/sync-directory.ts';
import { openSyncFolder } from '../../sources/peer/sync-state.ts';
import { syncHeaders, syncWording } from '../../sources/peer/sync-wording.ts';
import { fetchR4Changes } from '../../sources/r4/fetch-changes.ts';
import { fetchRelease } from '../../sources/trud/fetch-release.ts';
import { isTrudKey, type Trud } from '../../sources/trud/trud.ts';
import { withStorageErrors } from '../../storage/storage-error.ts';
import { CommandError, UsageError } from '../command.ts';
import type { SourceRun } from './source-run.ts';

export interface FetchSource {
  /** For people and for the state. */
  readonly name: string;
  /** `isAgain`: fetch everything, even if it is in the directory. */
  fetch(run: SourceRun, isAgain: boolean): Promise<FetchReport>;
}

export const FETCH_SOURCE_SETTINGS: readonly SettingPath[] = [
  'trud.url',
  'trud.key',
  'trud.keyFile',
  'trud.includeArchive',
  'r4.url',
  'r4.keyFile',
  'r4.requestsPerSecond',
  'ord.url',
  'ord.requestsPerSecond',
];

export const SYNC_SETTINGS: readonly SettingPath[] = [
  'sync.overlapDays',
  'sync.fullDays',
  'sync.requestsPerSecond',
  'sync.timeoutSeconds',
  'sync.tokenFile',
];

/** Throws if a setting is missing or not valid. */
export function prepareSources(words: readonly string[], config: Config): readonly FetchSource[] {
  return words.map((word) => {
    const prepare = PREPARE[word];
    if (prepare !== undefined) return prepare(config);
    if (!URL.canParse(word)) {
      throw new UsageError(
        `--from: "${word}" is not an address. Use ${Object.keys(PREPARE).join(', ')}, or the ` +
          'FHIR base URL of a directory, such as https://directory.example/STU3.',
      );
    }
    const peer = peerAddress(word, '--from');
    const sync = preparePeer(config, peer);
    return { name: peer.baseUrl, fetch: (run, isAgain) => sync(run, isAgain) };
  });
}

const PREPARE: Readonly<Record<string, (config: Config) => FetchSource>> = {
  trud: prepareTrud,
  r4: prepareR4,
  ord: prepareOrd,
};

function prepareTrud(config: Config): FetchSource {
  const trud: Trud = { url: config['trud.url'], key: trudKey(config) };
  // An address of TRUD is private under the same rule as that of a peer.
  if (!parsePeerAddress(trud.url).isPrivate) {
    throw new CommandError(
      `trud.url must be an https address, because the key would not be encrypted. Got ${trud.url}.`,
    );
  }
  return {
    name: 'trud',
    fetch: ({ folder, options, createClient }, isAgain) =>
      fetchRelease({
        ...options,
        trud,
        client: createClient({
          requestsPerSecond: REQUESTS_PER_SECOND,
          secret: trud.key,
          wording: trudWording,
        }),
        folder: join(folder.fetch, 'trud'),
        includeArchive: config['trud.includeArchive'],
        isAgain,
      }),
  };
}

function prepareR4(config: Config): FetchSource {
  const { 'r4.url': baseUrl, 'r4.keyFile': keyFile, 'sync.overlapDays': overlapDays } = config;
  const isKey = (text: string) => /^[\x21-\x7e]{8,256}$/.test(text);
  const form = ' It has 8 to 256 ASCII characters, and no spaces.';
  const key =
    keyFile === undefined
      ? undefined
      : readSecretFile(keyFile, 'r4.keyFile', 'an API key', isKey, form);
  if (key !== undefined && !parsePeerAddress(baseUrl).isPrivate) {
    throw new CommandError(
      `r4.keyFile needs an https address, because the key would not be encrypted. Got ${baseUrl}.`,
    );
  }
  return {
    name: 'r4',
    fetch: ({ folder, options, createClient }) =>
      fetchR4Changes({
        ...options,
        client: createClient({
          requestsPerSecond: config['r4.requestsPerSecond'],
          ...(key !== undefined && { headers: { apikey: key }, secret: key }),
          wording: r4Wording,
        }),
        baseUrl,
        folder: join(folder.fetch, 'r4'),
        overlapDays,
      }),
  };
}

function prepareOrd(config: Config): FetchSource {
  return {
    name: 'ord',
    fetch: ({ folder, options, createClient }) =>
      fetchOrdChanges({
        ...options,
        client: createClient({
          requestsPerSecond: config['ord.requestsPerSecond'],
          wording: ordWording,
        }),
        baseUrl: config['ord.url'],
        folder: join(folder.fetch, 'ord'),
        overlapDays: config['sync.overlapDays'],
      }),
  };
}

/** A fetch sends two requests. */
const REQUESTS_PER_SECOND = 1;

function trudKey(config: Config): string {
  const { 'trud.key': key, 'trud.keyFile': file } = config;
  if (key !== undefined) return key;
  if (file !== undefined) return readSecretFile(file, 'trud.keyFile', 'a TRUD key', isTrudKey);
  throw new CommandError(
    'TRUD needs the key of an account. Put it in a file, and name the file with --trud-key-file, ' +
      'or set the variable GAZETTEER_TRUD_KEY.',
  );
}

/** Text that is not a URL is a usage error. `where` is the argument or option. */
export function peerAddress(text: string, where: string): PeerAddress {
  try {
    return parsePeerAddress(text);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    throw new UsageError(`${where}: ${error.message}`);
  }
}

/** Call it before the work begins, because it reads the file of the token. */
export function preparePeer(
  config: Config,
  peer: PeerAddress,
): (run: SourceRun, isFull: boolean) => Promise<FetchReport & { readonly requests: number }> {
  const settings = sectionOf(config, 'sync');
  const token = tokenFor(peer, settings.tokenFile);
  return async ({ folder, options, createClient }, isFull) => {
    const client: HttpClient = createClient({
      requestsPerSecond: settings.requestsPerSecond,
      headers: syncHeaders(token),
      wording: syncWording(token !== undefined),
    });
    const { overlapDays, fullDays } = settings;
    const synced = await syncDirectory({
      ...options,
      folder: withStorageErrors(folder.sync, () => openSyncFolder(folder.sync)),
      peer,
      client,
      overlapDays,
      fullDays,
      isFull,
    });
    return { ...synced, requests: client.requests };
  };
}

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

/** `what` names the content in a message, such as `a bearer token`, and `form` its rule. */
function readSecretFile(
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
