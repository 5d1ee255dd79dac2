/** A sync for tests: a separate data folder, and a clock that pauses advance at once. */
import type { TestContext } from 'node:test';
import type { FetchReport } from '../../../src/sources/fetch/fetch-options.ts';
import { peerWording } from '../../../src/sources/fetch/fetch-wording.ts';
import {
  parsePeerAddress,
  type SyncOptions,
  syncDirectory,
} from '../../../src/sources/fetch/sync-directory.ts';
import type { HttpClientOptions } from '../../../src/sources/http/http-options.ts';
import { createSourceRun, type SourceRun } from '../source-run.ts';

export interface SyncRun extends SourceRun {
  readonly folder: string;
  sync(url: string, options?: SyncRunOptions): Promise<FetchReport>;
}

export type SyncRunOptions = Partial<SyncOptions> &
  Partial<Pick<HttpClientOptions, 'timeoutMs' | 'fetch'>> & { readonly token?: string };

export function createSyncRun(context: TestContext): SyncRun {
  const run = createSourceRun(context);
  return Object.assign(run, {
    folder: run.data.sync,
    sync: async (
      url: string,
      { token, timeoutMs = 5000, fetch: ask = fetch, ...options }: SyncRunOptions = {},
    ) =>
      await syncDirectory({
        ...run.options,
        folder: run.data.sync,
        peer: parsePeerAddress(url),
        client: run.createClient({
          fetch: ask,
          timeoutMs,
          headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
          wording: peerWording(token !== undefined),
          stopped: options.stopped ?? run.options.stopped,
        }),
        isFull: false,
        ...options,
      }),
  });
}
