/** The sources that `gazetteer fetch` knows by name, and how each is fetched. */

import { join } from 'node:path';
import { withoutUsers } from '../../config/settings/addresses.ts';
import type { Config, SettingPath } from '../../config/settings.ts';
import { unknownValue } from '../../fhir/request/unknown-name.ts';
import type { FetchReport } from '../../sources/fetch/fetch-options.ts';
import { fetchOrdChanges } from '../../sources/fetch/fetch-ord-changes.ts';
import { fetchR4Changes } from '../../sources/fetch/fetch-r4-changes.ts';
import { fetchRelease, isTrudKey, type Trud } from '../../sources/fetch/fetch-release.ts';
import { ordWording, r4Wording, trudWording } from '../../sources/fetch/fetch-wording.ts';
import { parsePeerAddress } from '../../sources/fetch/sync-directory.ts';
import { CommandError, UsageError } from '../parts/command.ts';
import type { SourceRun } from './source-run.ts';
import { peerAddress, preparePeer, readSecretFile } from './sync-peer.ts';

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
  'sync.overlapDays',
];

/** Throws if a setting is missing or not valid. */
export function prepareSources(words: readonly string[], config: Config): readonly FetchSource[] {
  return words.map((word) => {
    const prepare = PREPARE[word];
    if (prepare !== undefined) return prepare(config);
    if (!URL.canParse(word)) {
      const known = Object.keys(PREPARE);
      throw new UsageError(
        `${unknownValue('--from', withoutUsers(word), known, '"gazetteer fetch --help"')} ` +
          'It can also be the FHIR base URL of a directory, such as https://directory.example/STU3.',
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
  const { 'r4.url': baseUrl, 'r4.keyFile': keyFile } = config;
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
  const secret = key !== undefined && { headers: { apikey: key }, secret: key };
  return changesSource('r4', config, fetchR4Changes, { ...secret, wording: r4Wording });
}

function prepareOrd(config: Config): FetchSource {
  return changesSource('ord', config, fetchOrdChanges, { wording: ordWording });
}

/** A source of the changes since the newest one of the directory. */
function changesSource(
  name: 'r4' | 'ord',
  config: Config,
  fetchChanges: typeof fetchR4Changes,
  client: Omit<Parameters<SourceRun['createClient']>[0], 'requestsPerSecond'>,
): FetchSource {
  return {
    name,
    fetch: ({ folder, options, createClient }) =>
      fetchChanges({
        ...options,
        client: createClient({ requestsPerSecond: config[`${name}.requestsPerSecond`], ...client }),
        baseUrl: config[`${name}.url`],
        folder: join(folder.fetch, name),
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
