/** Announces each edition that the server begins to serve to `subscriptions.webhooks`, whose receivers are checked first. */

import { readFileSync } from 'node:fs';
import { ConfigError } from '../../../config/load-config.ts';
import { originOf } from '../../../config/settings/addresses.ts';
import type { Config } from '../../../config/settings.ts';
import type { EditionInfo, EditionReader } from '../../../directory/edition/edition-store.ts';
import { AllowedHosts } from '../../../orders/subscriptions/allowed-hosts.ts';
import { SYSTEM_CLOCK } from '../../../orders/subscriptions/clock.ts';
import { Webhooks } from '../../../orders/subscriptions/webhooks.ts';
import type { Log } from '../../../server/monitoring/log.ts';
import type { ServerStore } from '../../../storage/store/store.ts';
import { configuredReceivers } from '../../subscriptions/receivers.ts';
import { hasPages } from '../threads/serve-thread-data.ts';

type Store = Pick<ServerStore, 'receiverStates' | 'openEditionHistory'>;

/** The source of the editions that the server announces. */
export interface WebhookSource {
  readonly config: Config;
  readonly reader: Pick<EditionReader, 'current'>;
  /** Undefined if the directory is not served. */
  readonly watch?: { readonly served: Pick<EditionInfo, 'number'> | undefined };
}

export function serveWebhooks(
  { config, reader, watch }: WebhookSource,
  store: Store,
  serverUrl: string,
  log: Log,
): Webhooks {
  return new Webhooks({
    ...webhooksOf(config),
    states: store.receiverStates,
    clock: SYSTEM_CLOCK,
    receivers: configuredReceivers(config),
    current: async () => {
      const edition = await reader.current();
      return (
        edition && {
          number: edition.number,
          isServed: edition.number === watch?.served?.number,
          body: async (previous) =>
            JSON.stringify(await noticeOf(edition, previous, config, store, serverUrl)),
        }
      );
    },
    onAccepted: (url, edition) =>
      log.info({ edition, receiver: originOf(url) }, 'announced the edition'),
    onProblem: (url, problem) => log.report('GZ309', { receiver: originOf(url), problem }),
  });
}

/** The body of a notification; docs/how-to/get-notifications.md describes it. */
async function noticeOf(
  edition: EditionInfo,
  previous: number,
  config: Config,
  store: Store,
  serverUrl: string,
): Promise<object> {
  const { number, publicationDate, publishedAt, records, added, changed, removed } = edition;
  using history = store.openEditionHistory();
  const comparedTo = (await history.differenceCounts(number))?.comparedTo;
  const page = `${serverUrl}/editions/${number}`;
  return {
    edition: number,
    publicationDate,
    publishedAt,
    records,
    added,
    changed,
    removed,
    ...(comparedTo !== undefined && { comparedTo }),
    ...(previous > 0 && { previous }),
    ...(hasPages(config) && { links: { edition: page, changes: `${page}/changes.csv` } }),
  };
}

export interface WebhookSettings {
  readonly urls: readonly string[];
  readonly secret: string | undefined;
}

const NO_CREDENTIALS =
  'Remove them. The receiver can check the signature instead: set subscriptions.webhookSecretFile.';

/** Throws a `ConfigError` that names the remedy. */
export function webhooksOf(config: Config): WebhookSettings {
  const { 'subscriptions.webhooks': named = [], 'subscriptions.webhookSecretFile': file } = config;
  const urls = [...named, ...urlsInFile(config['subscriptions.webhooksFile'])];
  if (!config['directory.enabled']) {
    throw new ConfigError(
      'subscriptions.webhooks or subscriptions.webhooksFile is set, but directory.enabled is ' +
        'false. Serve the directory, or remove the setting.',
    );
  }
  const hosts = new AllowedHosts(config['subscriptions.allowedHosts']);
  const problems = urls.flatMap((url) => {
    const refusal = hosts.refusalOf(url, NO_CREDENTIALS);
    if (refusal === undefined) return [];
    return [`subscriptions.webhooks: ${originOf(url)} is refused. ${refusal}`];
  });
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return { urls: [...new Set(urls)], secret: file === undefined ? undefined : secretIn(file) };
}

/** The URLs of the file, one on each line. Empty lines, and those that begin with `#`, do not count. */
function urlsInFile(file: string | undefined): readonly string[] {
  if (file === undefined) return [];
  const urls: string[] = [];
  for (const [at, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    const text = line.trim();
    if (text === '' || text.startsWith('#')) continue;
    if (!/^https?:\/\//.test(text) || !URL.canParse(text))
      throw notAUrl(`line ${at + 1} of ${file}`);
    urls.push(text);
  }
  if (urls.length === 0) throw notAUrl(`a line of ${file}`);
  return urls;
}

/** The message does not repeat the line, which can contain a secret. */
function notAUrl(place: string): ConfigError {
  return new ConfigError(
    `subscriptions.webhooksFile: ${place} must be an https URL, or an http URL of localhost or of ` +
      'a private address.',
  );
}

function secretIn(file: string): string {
  const secret = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  if (/^.{16,256}$/s.test(secret)) return secret;
  throw new ConfigError(`${file}: the secret of webhooks must have 16 to 256 characters.`);
}
