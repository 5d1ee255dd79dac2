/** A sync for tests: a separate data folder, and a clock that pauses advance at once. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { OrganizationRecord } from '../../../src/directory/record.ts';
import { openRows } from '../../../src/directory/rows.ts';
import { parsePeerAddress } from '../../../src/sources/peer/peer-address.ts';
import { createPeerClient, type PeerClientOptions } from '../../../src/sources/peer/peer-client.ts';
import { syncDirectory } from '../../../src/sources/peer/sync-directory.ts';
import type { SyncOptions, SyncReport } from '../../../src/sources/peer/sync-options.ts';
import { openSyncFolder } from '../../../src/sources/peer/sync-state.ts';
import { openDataFolder } from '../../../src/storage/data-folder.ts';
import { openEditionStore } from '../../../src/storage/sqlite/edition-store.ts';
import { SETTINGS } from '../../directory/directory-server.ts';

export interface SyncRun {
  readonly folder: string;
  nowMs: number;
  /** The pauses that were made, in milliseconds. */
  readonly pauses: number[];
  /** What was said. */
  readonly lines: string[];
  sync(url: string, options?: SyncRunOptions): Promise<SyncReport>;
  /** The records of the current edition. */
  records(): Promise<OrganizationRecord[]>;
  readonly store: SyncOptions['store'];
}

export type SyncRunOptions = Partial<SyncOptions> &
  Partial<Pick<PeerClientOptions, 'token' | 'timeoutMs' | 'fetch'>>;

export function createSyncRun(context: TestContext): SyncRun {
  const path = mkdtempSync(join(tmpdir(), 'gazetteer-sync-'));
  const data = openDataFolder(join(path, 'data'));
  const store = openEditionStore(data);
  context.after(async () => {
    await store.close();
    rmSync(path, { recursive: true, force: true });
  });
  const run: SyncRun = {
    folder: data.sync,
    nowMs: Date.parse('2026-09-15T12:00:00Z'),
    pauses: [],
    lines: [],
    store,
    records: async () => {
      const current = await store.current();
      if (current === undefined) return [];
      const rows = openRows(await store.load(current.number));
      return Array.from({ length: rows.count }, (_, row) => rows.recordAt(row));
    },
    sync: async (url, { token, timeoutMs = 5000, fetch: ask = fetch, ...options } = {}) => {
      const peer = parsePeerAddress(url);
      const { signal: stopped } = new AbortController();
      const now = () => run.nowMs;
      const say = (line: string) => run.lines.push(line);
      const client = createPeerClient({
        fetch: ask,
        now,
        sleep: async (ms) => {
          run.pauses.push(ms);
          run.nowMs += ms;
        },
        random: () => 0,
        requestsPerSecond: 5,
        timeoutMs,
        userAgent: 'Gazetteer/test',
        token,
        stopped: options.stopped ?? stopped,
        onPause: say,
      });
      return await syncDirectory({
        store,
        folder: openSyncFolder(data.sync),
        peer,
        client,
        overlapDays: 7,
        fullDays: 30,
        isFull: false,
        allowShrink: false,
        keep: 3,
        bytesMax: 100_000_000,
        settings: [SETTINGS],
        now,
        say,
        onProgress: () => {},
        onBuild: () => {},
        stopped,
        ...options,
      });
    },
  };
  return run;
}
