/** What a source needs in tests: a separate data folder, and a clock that pauses advance at once. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { EditionStore } from '../../src/directory/edition/edition-store.ts';
import type { OrganizationRecord } from '../../src/directory/record/record.ts';
import { openRows } from '../../src/directory/record/rows.ts';
import { createHttpClient } from '../../src/sources/http/http-client.ts';
import type { HttpClient, HttpClientOptions } from '../../src/sources/http/http-options.ts';
import type { FetchOptions } from '../../src/sources/import/import-options.ts';
import { type DataFolder, openDataFolder } from '../../src/storage/files/data-folder.ts';
import { openEditionStore } from '../../src/storage/sqlite/editions/edition-store.ts';
import { SETTINGS } from '../directory/directory-server.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export interface SourceRun {
  readonly data: DataFolder;
  nowMs: number;
  /** The pauses that were made, in milliseconds. */
  readonly pauses: number[];
  /** What was said. */
  readonly lines: string[];
  readonly store: EditionStore;
  readonly options: FetchOptions;
  /** The records of the current edition. */
  records(): Promise<OrganizationRecord[]>;
  createClient(
    options: Pick<HttpClientOptions, 'wording'> & Partial<HttpClientOptions>,
  ): HttpClient;
}

/** `initial` is a data folder to begin with a copy of. */
export function createSourceRun(context: TestContext, initial?: string): SourceRun {
  const path = join(temporaryFolder(context), 'data');
  if (initial !== undefined) cpSync(initial, path, { recursive: true });
  const data = openDataFolder(path);
  const store = openEditionStore(data, () => new Date(run.nowMs));
  context.after(() => store.close());
  const { signal: stopped } = new AbortController();
  const say = (line: string) => void run.lines.push(line);
  const run: SourceRun = {
    data,
    nowMs: Date.parse('2026-09-15T12:00:00Z'),
    pauses: [],
    lines: [],
    store,
    options: {
      store,
      allowShrink: false,
      keep: 3,
      bytesMax: 100_000_000,
      settings: [SETTINGS],
      temporaryFolder: data.temporary,
      now: () => run.nowMs,
      say,
      onProgress: () => {},
      onBuild: () => {},
      stopped,
    },
    records: async () => {
      const current = await store.current();
      if (current === undefined) return [];
      const rows = openRows(await store.load(current.number));
      return Array.from({ length: rows.count }, (_, row) => rows.recordAt(row));
    },
    createClient: (options) =>
      createHttpClient({
        fetch,
        now: () => run.nowMs,
        sleep: async (ms) => {
          run.pauses.push(ms);
          run.nowMs += ms;
        },
        random: () => 0,
        requestsPerSecond: 5,
        timeoutMs: 5000,
        userAgent: 'Gazetteer/test',
        stopped,
        onPause: say,
        ...options,
      }),
  };
  return run;
}
