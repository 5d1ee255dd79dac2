/**
 * The files of the current edition: those for analysis, and the one of the release. The main thread
 * makes each of them once, when the first client wants it, and all server threads read it.
 */
import { existsSync, mkdirSync, renameSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { NamedArrays } from '../../../directory/arrays/arrays.ts';
import type { StoredPostcodes } from '../../../directory/places/stored-postcodes.ts';
import type { EditionInMemory } from '../../../interfaces/answer/editions.ts';
import {
  EDITION_FILE_ENDINGS,
  type EditionFiles,
  fileFormOf,
  makeEditionFile,
} from '../../../interfaces/files/edition-files.ts';
import type { FileForm } from '../../../interfaces/files/file-order.ts';
import { describeError, type Log } from '../../../server/monitoring/log.ts';

/** A file that a server thread wants. */
export interface WantedFile {
  readonly edition: number;
  /** A `FileForm`. */
  readonly form: string;
}

/** The answer. Without a path, the file cannot be read now. */
export interface FileUpdate extends WantedFile {
  readonly kind: 'file';
  readonly path?: string | undefined;
}

export interface FilesMakerOptions {
  /** A folder for these files alone. It need not exist. */
  readonly folder: string;
  readonly programVersion: string;
  readonly answer: (update: FileUpdate) => void;
  readonly log: Pick<Log, 'report' | 'info'>;
  /** `statfsSync`, unless a test replaces it. */
  readonly statfs?: (path: string) => { readonly bavail: number; readonly bsize: number };
}

export class FilesMaker {
  readonly #options: FilesMakerOptions;
  #current: EditionInMemory | undefined;
  #postcodes: StoredPostcodes | undefined;
  /** By form, those of the current edition that are being made, or have failed a moment ago. */
  #making = new Map<FileForm, Promise<string | undefined>>();
  #stopping = new AbortController();
  /** The last of the files for analysis. */
  #lastTurn: Promise<unknown> = Promise.resolve();

  /** Removes the files that a server left when it died. */
  constructor(options: FilesMakerOptions) {
    this.#options = options;
    this.#removeFiles();
  }

  /** Removes the files of another edition, or with the places of other postcodes. Who reads one now can read it to its end. */
  take(current: EditionInMemory, postcodes?: StoredPostcodes): void {
    const isSame = current.number === this.#current?.number;
    if (isSame && postcodes?.about.version === this.#postcodes?.about.version) return;
    this.stop();
    this.#current = current;
    this.#postcodes = postcodes;
  }

  stop(): void {
    this.#current = undefined;
    this.#stopping.abort();
    this.#stopping = new AbortController();
    this.#making = new Map();
    this.#removeFiles();
  }

  async want({ edition, form }: WantedFile): Promise<void> {
    const current = this.#current;
    const known = fileFormOf(form);
    const isReadable = current?.number === edition && known !== undefined;
    const path = isReadable ? await this.#pathOf(current, known) : undefined;
    this.#options.answer({ kind: 'file', edition, form, path });
  }

  async #pathOf(current: EditionInMemory, form: FileForm): Promise<string | undefined> {
    const path = join(this.#options.folder, current.number + EDITION_FILE_ENDINGS[form]);
    // Whether it was made does not suffice: somebody can have removed it since.
    if (existsSync(path)) return path;
    const known = this.#making.get(form);
    if (known !== undefined) return known;
    const making = this.#making;
    const { signal } = this.#stopping;
    // The files for analysis one after the other, because each of them needs memory while it is made.
    // That of the release needs little, and other directories wait for it.
    const isForAnalysis = form !== 'release';
    const made = (isForAnalysis ? this.#lastTurn : Promise.resolve())
      .then(() => this.#make(current, form, path, signal))
      .then(
        () => {
          making.delete(form);
          return path;
        },
        (error) => {
          if (signal.aborted) return undefined;
          this.#options.log.report('GZ207', { edition: current.number, err: describeError(error) });
          setTimeout(() => making.delete(form), RETRY_MS).unref();
          return undefined;
        },
      );
    if (isForAnalysis) this.#lastTurn = made;
    making.set(form, made);
    return made;
  }

  async #make(
    { number, publishedAt, arrays }: EditionInMemory,
    form: FileForm,
    path: string,
    stopped: AbortSignal,
  ): Promise<void> {
    stopped.throwIfAborted();
    const { folder, programVersion, log } = this.#options;
    const startMs = performance.now();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#requireSpace(arrays);
    // A thread that knows the path opens it at any time, so it must never lead to a part of the file.
    const draft = `${path}.draft`;
    try {
      const identity = { number, publishedAt };
      const order = { identity, arrays, postcodes: this.#postcodes, form, path: draft };
      await makeEditionFile({ ...order, programVersion }, stopped);
      renameSync(draft, path);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
    const ms = Math.round(performance.now() - startMs);
    log.info({ edition: number, ms }, `made the file of the edition: ${form}`);
  }

  /** Any client can ask for the files, and order responses are written to the same disk. */
  #requireSpace(arrays: NamedArrays): void {
    const { folder, statfs = statfsSync } = this.#options;
    const { bavail, bsize } = statfs(folder);
    const free = bavail * bsize;
    // An upper limit: for 350,000 records, the arrays have 288 MB, and the larger form 250 MB.
    const size = Object.values(arrays).reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (free >= size + FREE_BYTES_MIN) return;
    throw new Error(
      `The disk of ${folder} has ${mebibytes(free)} free. The file can take ${mebibytes(size)}, ` +
        `and ${mebibytes(FREE_BYTES_MIN)} must stay free for order responses.`,
    );
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

/** What the disk must have left when a file is made. */
const FREE_BYTES_MIN = 512 * 1024 ** 2;

function mebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 ** 2)} MiB`;
}

/** The files as a server thread gets them: `want` sends a message to the main thread, and `take` gets the answer. */
export function createEditionFiles(
  want: (wanted: WantedFile) => void,
): EditionFiles & { take(update: FileUpdate): void } {
  /** The last answer for each form. */
  const known = new Map<string, FileUpdate>();
  const waiting = new Map<string, PromiseWithResolvers<void>>();
  const keyOf = ({ edition, form }: WantedFile) => `${edition} ${form}`;
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
    forget: (form) => {
      known.delete(form);
    },
    take: (update) => {
      known.set(update.form, update);
      waiting.get(keyOf(update))?.resolve();
      waiting.delete(keyOf(update));
    },
  };
}
