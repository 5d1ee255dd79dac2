/**
 * The files for analysis of the current edition. The main thread makes each of them once, when the
 * first client wants it, and all server threads read it.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { EditionInMemory } from '../../directory/edition/editions.ts';
import type { TableForm } from '../../directory/export/tables/table.ts';
import {
  makeTables,
  TABLE_FORMS,
  type TableFiles,
  tableFormOf,
} from '../../directory/export/tables/table-forms.ts';
import { describeError, type Log } from '../../server/operations/log.ts';

/** A file that a server thread wants. */
export interface WantedTables {
  readonly edition: number;
  /** A `TableForm`. */
  readonly form: string;
}

/** The answer. Without a path, the file cannot be read now. */
export interface TablesUpdate extends WantedTables {
  readonly kind: 'tables';
  readonly path?: string | undefined;
}

export interface TablesMakerOptions {
  /** A folder for these files alone. It need not exist. */
  readonly folder: string;
  readonly programVersion: string;
  readonly answer: (update: TablesUpdate) => void;
  readonly log: Pick<Log, 'report' | 'info'>;
}

export class TablesMaker {
  readonly #options: TablesMakerOptions;
  #current: EditionInMemory | undefined;
  /** By form, those of the current edition: their paths, or undefined for one that failed. */
  #paths = new Map<TableForm, Promise<string | undefined>>();
  #stopping = new AbortController();
  #lastTurn: Promise<unknown> = Promise.resolve();

  /** Removes the files that a server left when it died. */
  constructor(options: TablesMakerOptions) {
    this.#options = options;
    this.#removeFiles();
  }

  /** Removes the files of another edition. Who reads one now can read it to its end. */
  take(current: EditionInMemory): void {
    if (current.number === this.#current?.number) return;
    this.stop();
    this.#current = current;
  }

  stop(): void {
    this.#current = undefined;
    this.#stopping.abort();
    this.#stopping = new AbortController();
    this.#paths = new Map();
    this.#removeFiles();
  }

  async want({ edition, form }: WantedTables): Promise<void> {
    const current = this.#current;
    const known = tableFormOf(form);
    const isReadable = current?.number === edition && known !== undefined;
    const path = isReadable ? await this.#pathOf(current, known) : undefined;
    this.#options.answer({ kind: 'tables', edition, form, path });
  }

  #pathOf(current: EditionInMemory, form: TableForm): Promise<string | undefined> {
    const known = this.#paths.get(form);
    if (known !== undefined) return known;
    const paths = this.#paths;
    const { signal } = this.#stopping;
    // One after the other, because each of them needs memory while it is made.
    const path = this.#lastTurn
      .then(() => this.#make(current, form, signal))
      .catch((error) => {
        if (signal.aborted) return undefined;
        this.#options.log.report('GZ207', { edition: current.number, err: describeError(error) });
        setTimeout(() => paths.delete(form), RETRY_MS).unref();
        return undefined;
      });
    this.#lastTurn = path;
    paths.set(form, path);
    return path;
  }

  async #make(
    { number, publishedAt, arrays }: EditionInMemory,
    form: TableForm,
    stopped: AbortSignal,
  ): Promise<string> {
    stopped.throwIfAborted();
    const { folder, programVersion, log } = this.#options;
    const startMs = performance.now();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, number + TABLE_FORMS[form].ending);
    try {
      const identity = { number, publishedAt };
      await makeTables({ identity, arrays, form, path, programVersion }, stopped);
    } catch (error) {
      rmSync(path, { force: true });
      throw error;
    }
    const ms = Math.round(performance.now() - startMs);
    log.info({ edition: number, ms }, `made the file for analysis: ${form}`);
    return path;
  }

  #removeFiles(): void {
    try {
      rmSync(this.#options.folder, { recursive: true, force: true });
    } catch {
      // The disk cannot be written. The next start of a server tries again.
    }
  }
}

/** A file that cannot be made is not tried again at once: it takes seconds, and space on the disk. */
const RETRY_MS = 30_000;

/** The files as a server thread gets them: `want` sends a message to the main thread, and `take` gets the answer. */
export function createTableFiles(
  want: (wanted: WantedTables) => void,
): TableFiles & { take(update: TablesUpdate): void } {
  /** The last answer for each form. */
  const known = new Map<string, TablesUpdate>();
  const waiting = new Map<string, PromiseWithResolvers<void>>();
  const keyOf = ({ edition, form }: WantedTables) => `${edition} ${form}`;
  return {
    pathOf: ({ number: edition }, form) => {
      const last = known.get(form);
      if (last?.edition === edition && last.path !== undefined) return last.path;
      const wanted = { edition, form };
      const others = waiting.get(keyOf(wanted));
      if (others !== undefined) return others.promise;
      const answer = Promise.withResolvers<void>();
      waiting.set(keyOf(wanted), answer);
      want(wanted);
      return answer.promise;
    },
    take: (update) => {
      known.set(update.form, update);
      waiting.get(keyOf(update))?.resolve();
      waiting.delete(keyOf(update));
    },
  };
}
