/** The forms of the files of an edition, and the thread that makes one. */
import { Worker } from 'node:worker_threads';
import type { EditionIdentity } from '../../../directory/edition/edition.ts';
import type { Download } from '../../../fhir/service/interaction.ts';
import { runThread } from '../../../threads/supervisor.ts';
import type { FileForm, FileOrder, TableForm } from './table.ts';

interface TableFormTexts
  extends Pick<Download, 'name' | 'documentation' | 'contentType' | 'isCompressed'> {
  /** The end of its address, and of its name. */
  readonly ending: string;
}

const described = (form: string) =>
  `All records of the current edition with their roles, relationships and successions, ${form}. ` +
  'The first request after a publication waits until the file is made. The answer is 404 if the ' +
  'edition has no relationship data.';

export const TABLE_FORMS = {
  sqlite: {
    name: 'currentSqlite',
    documentation: described('as tables of an SQLite database'),
    contentType: 'application/vnd.sqlite3',
    ending: '.sqlite',
  },
  parquet: {
    name: 'currentParquet',
    documentation: described('as Parquet files in a zip'),
    contentType: 'application/zip',
    isCompressed: true,
    ending: '.parquet.zip',
  },
} as const satisfies Readonly<Record<TableForm, TableFormTexts>>;

export const TABLE_FORM_NAMES: readonly TableForm[] = ['sqlite', 'parquet'];

/** The ends of the names of all files. */
export const FILE_ENDINGS: Readonly<Record<FileForm, string>> = {
  sqlite: TABLE_FORMS.sqlite.ending,
  parquet: TABLE_FORMS.parquet.ending,
  release: '.xml.gz',
};

export function fileFormOf(name: string): FileForm | undefined {
  return Object.hasOwn(FILE_ENDINGS, name) ? (name as FileForm) : undefined;
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

const THREAD = new URL('./tables-thread.ts', import.meta.url);

/** Otherwise V8 would use four times the memory rather than collect its garbage. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 };

/** A hundred times the duration for the largest directory. */
const MAKE_MS_MAX = 3_600_000;
