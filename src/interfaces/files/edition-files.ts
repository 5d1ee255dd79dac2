/** The files of an edition that a thread makes: those for analysis, and the one of the release. */

import { Worker } from 'node:worker_threads';
import type { EditionIdentity } from '../../directory/edition/edition.ts';
import { FOR_BACKGROUND } from '../../threads/heap-limits.ts';
import { runThread } from '../../threads/supervisor.ts';
import type { FileForm, FileOrder } from './file-order.ts';
import { TABLE_FORMS } from './tables/table-forms.ts';

/** The ends of the names of all files. */
export const EDITION_FILE_ENDINGS: Readonly<Record<FileForm, string>> = {
  sqlite: TABLE_FORMS.sqlite.ending,
  parquet: TABLE_FORMS.parquet.ending,
  release: '.xml.gz',
};

export function fileFormOf(name: string): FileForm | undefined {
  return Object.hasOwn(EDITION_FILE_ENDINGS, name) ? (name as FileForm) : undefined;
}

/** The files of editions, which are made outside of this thread. */
export interface EditionFiles {
  /** The path of the file, or a promise that resolves when there is one, or cannot be one now. */
  pathOf(edition: EditionIdentity, form: FileForm): string | Promise<void>;
  /** For a file that is gone: `pathOf` then asks for it again. */
  forget(form: FileForm): void;
}

/** Rejects if the thread fails, or is stopped. The file can then be incomplete. */
export async function makeEditionFile(order: FileOrder, stopped: AbortSignal): Promise<void> {
  await runThread({
    name: 'the thread that makes a file of the edition',
    start: () => {
      const worker = new Worker(THREAD, { workerData: order, resourceLimits: RESOURCE_LIMITS });
      const stop = () => void worker.terminate();
      stopped.addEventListener('abort', stop);
      worker.once('exit', () => stopped.removeEventListener('abort', stop));
      return worker;
    },
    limitMs: MAKE_MS_MAX,
  });
}

const THREAD = new URL('./edition-file-thread.ts', import.meta.url);

/** Otherwise V8 would use four times the memory rather than collect its garbage. */
const RESOURCE_LIMITS = { ...FOR_BACKGROUND, maxOldGenerationSizeMb: 64 };

/** A hundred times the duration for the largest directory. */
const MAKE_MS_MAX = 3_600_000;
