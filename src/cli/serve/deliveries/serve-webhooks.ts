/** Announces each edition that the server begins to serve to `subscriptions.webhooks`. */
import type { Config } from '../../../config/settings.ts';
import type { EditionInfo } from '../../../directory/edition/edition-store.ts';
import type { Log } from '../../../server/operations/log.ts';
import type { ServerStore } from '../../../storage/store.ts';
import { SYSTEM_CLOCK } from '../../../subscriptions/clock.ts';
import { Webhooks } from '../../../subscriptions/webhooks.ts';
import { configuredReceivers } from '../../subscriptions/receivers.ts';
import type { RunningServer } from '../running-server.ts';
import { hasPages } from '../serve-thread-data.ts';
import { webhooksOf } from './webhook-settings.ts';

type Store = Pick<ServerStore, 'receiverStates' | 'openEditionHistory'>;

export function serveWebhooks(
  { config, reader, watch }: Pick<RunningServer, 'config' | 'reader' | 'watch'>,
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
  const history = store.openEditionHistory();
  try {
    const comparedTo = (await history.differenceCounts(number))?.comparedTo;
    const page = `${serverUrl}/editions/${number}`;
    return {
      ...{ edition: number, publicationDate, publishedAt, records, added, changed, removed },
      ...(comparedTo !== undefined && { comparedTo }),
      ...(previous > 0 && { previous }),
      ...(hasPages(config) && { links: { edition: page, changes: `${page}/changes.csv` } }),
    };
  } finally {
    history.close();
  }
}

/** The rest of a URL can be a secret. */
function originOf(url: string): string {
  return new URL(url).origin;
}
