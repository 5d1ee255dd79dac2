/**
 * Keeps editions in memory: the current one, and a limited number of replaced ones in their
 * grace period.
 */

import type { NamedArrays } from '../../../directory/arrays/arrays.ts';
import { type EditionIdentity, requireFormat } from '../../../directory/edition/edition.ts';
import type { EditionReader } from '../../../directory/edition/edition-store.ts';
import type { StoredPostcodes } from '../../../directory/places/stored-postcodes.ts';
import type { StoredPractitioners } from '../../../directory/practitioners/stored-practitioners.ts';
import type { EditionInMemory } from '../../../interfaces/answer/editions.ts';
import type { DirectorySettings } from '../../../interfaces/answer/settings.ts';
import { collectDropped } from '../../../server/collect-dropped.ts';
import { describeError, type Log } from '../../../server/monitoring/log.ts';
import type { EditionsUpdate } from '../threads/serve-thread-data.ts';

export interface EditionMemoryOptions {
  readonly store: Pick<EditionReader, 'load' | 'replaced'>;
  readonly settings: Pick<DirectorySettings, 'graceMinutes' | 'editionsInMemory'>;
  /** The arrays of the places that postcodes give the records of an edition. */
  readonly placesOf: (arrays: NamedArrays, postcodes: StoredPostcodes) => Promise<NamedArrays>;
  /** Called whenever the set of readable editions changes, the postcodes or the practitioners. */
  readonly onChange: (update: EditionsUpdate) => void;
  readonly log: Log;
}

/** A replaced edition. */
interface InGrace extends EditionIdentity {
  readonly graceEndMs: number;
}

type ReplacedInMemory = EditionInMemory & InGrace;

/**
 * The shortest time between two reads of replaced editions, however many clients request them.
 * Within this time every thread has released the edition that made room for the last one.
 */
const READ_PAUSE_MS = 10_000;

export class EditionMemory {
  readonly #options: EditionMemoryOptions;
  readonly #graceMs: number;
  readonly #replacedMax: number;
  #current: EditionInMemory | undefined;
  /** The most recently replaced or read edition comes first. */
  #replaced: readonly ReplacedInMemory[] = [];
  #onDisk: readonly InGrace[] = [];
  #postcodes: StoredPostcodes | undefined;
  #practitioners: StoredPractitioners | undefined;
  readonly #wanted = new Set<number>();
  #nextReadMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #lastTurn: Promise<void> = Promise.resolve();
  #hasEnded = false;

  constructor(options: EditionMemoryOptions) {
    this.#options = options;
    this.#graceMs = options.settings.graceMinutes * 60_000;
    this.#replacedMax = options.settings.editionsInMemory - 1;
  }

  /** Makes an edition the current one. Rejects if it is not in memory and cannot be read. */
  serve(identity: EditionIdentity): Promise<void> {
    return this.#inTurn(() => this.#serve(identity));
  }

  /** Replaces the postcodes, and the places of the editions in memory. */
  takePostcodes(postcodes: StoredPostcodes): Promise<void> {
    return this.#inTurn(async () => {
      this.#postcodes = postcodes;
      if (this.#current === undefined) return;
      const current = { ...this.#current, arrays: await this.#withPlaces(this.#current.arrays) };
      const replaced: ReplacedInMemory[] = [];
      for (const edition of this.#replaced) {
        replaced.push({ ...edition, arrays: await this.#withPlaces(edition.arrays) });
      }
      this.#current = current;
      this.#keep(replaced);
    });
  }

  /** Replaces the practitioners. */
  takePractitioners(practitioners: StoredPractitioners): Promise<void> {
    return this.#inTurn(async () => {
      this.#practitioners = practitioners;
      this.#keep(this.#replaced);
    });
  }

  /**
   * Requests that a replaced edition in its grace period be read into memory. Returns whether there
   * is one.
   */
  want(number: number): boolean {
    if (!this.#onDisk.some((edition) => edition.number === number)) return false;
    this.#wanted.add(number);
    this.#schedule();
    return true;
  }

  /** Finds editions that were replaced before this server served them. */
  lookForReplaced(): Promise<void> {
    return this.#inTurn(async () => {
      this.#onDisk = await this.#replacedOnDisk();
      this.#keep(this.#replaced);
    });
  }

  stop(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
  }

  async #serve({ number, publishedAt }: EditionIdentity): Promise<void> {
    if (number === this.#current?.number) return;
    const known = this.#replaced.find((edition) => edition.number === number);
    const arrays = known?.arrays ?? (await this.#read(number));
    const onDisk = await this.#replacedOnDisk();
    // Nothing below can fail, so that a failure leaves everything as it was.
    this.#onDisk = onDisk;
    const previous = this.#current;
    const graceEndMs = Date.now() + this.#graceMs;
    this.#current = { number, publishedAt, arrays };
    const others = this.#replaced.filter((edition) => edition !== known);
    this.#keep(previous === undefined ? others : [{ ...previous, graceEndMs }, ...others]);
  }

  async #replacedOnDisk(): Promise<InGrace[]> {
    const replaced = await this.#options.store.replaced();
    return replaced.map((edition) => ({
      number: edition.number,
      publishedAt: edition.publishedAt,
      graceEndMs: Date.parse(edition.replacedAt) + this.#graceMs,
    }));
  }

  /**
   * Keeps as many of these editions as the limit allows, and reports which editions can be
   * read now.
   */
  #keep(editions: readonly ReplacedInMemory[]): void {
    if (this.#current === undefined) return;
    const nowMs = Date.now();
    const inGrace = editions.filter(({ graceEndMs }) => graceEndMs > nowMs);
    this.#replaced = inGrace.slice(0, this.#replacedMax);
    this.#onDisk = this.#onDisk.filter(({ graceEndMs }) => graceEndMs > nowMs);
    const toBeRead = this.#onDisk.filter((edition) => !this.#isInMemory(edition));
    this.#options.onChange({
      kind: 'editions',
      current: this.#current,
      replaced: this.#replaced.map(({ number, publishedAt, arrays }) => ({
        number,
        publishedAt,
        arrays,
      })),
      onDisk: this.#replacedMax === 0 ? [] : toBeRead.map(({ number }) => number),
      postcodes: this.#postcodes,
      practitioners: this.#practitioners,
    });
    for (const edition of editions) {
      if (this.#replaced.includes(edition)) continue;
      const reason = inGrace.includes(edition) ? 'directory.editionsInMemory' : 'grace period';
      this.#options.log.info({ edition: edition.number, reason }, 'edition leaves memory');
      collectArrays(edition.arrays);
    }
    this.#schedule();
  }

  /** Sets the timer to the next end of a grace period, or to the next read. */
  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#hasEnded) return;
    const nowMs = Date.now();
    const untilEnds = [...this.#replaced, ...this.#onDisk].map(
      (edition) => edition.graceEndMs - nowMs,
    );
    const untilRead = this.#wanted.size === 0 ? [] : [this.#nextReadMs - performance.now()];
    const waitMs = Math.min(...untilEnds, ...untilRead);
    if (waitMs === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(
      () => void this.#inTurn(() => this.#look()),
      Math.min(Math.max(0, waitMs), TIMER_MS_MAX),
    );
  }

  /** Releases the editions whose grace period has ended, and reads one requested edition. */
  async #look(): Promise<void> {
    const nowMs = Date.now();
    const hasEnd = ({ graceEndMs }: InGrace) => graceEndMs <= nowMs;
    if ([...this.#replaced, ...this.#onDisk].some(hasEnd)) this.#keep(this.#replaced);
    if (performance.now() >= this.#nextReadMs) await this.#readWanted();
    this.#schedule();
  }

  async #readWanted(): Promise<void> {
    const [number] = this.#wanted;
    if (number === undefined) return;
    this.#wanted.delete(number);
    const edition = this.#onDisk.find((each) => each.number === number);
    if (edition === undefined || this.#isInMemory(edition)) return;
    const { log } = this.#options;
    this.#nextReadMs = performance.now() + READ_PAUSE_MS;
    try {
      const arrays = await this.#read(number);
      log.info({ edition: number }, 'a replaced edition is in memory again');
      this.#keep([{ ...edition, arrays }, ...this.#replaced]);
    } catch (error) {
      log.report('GZ204', { edition: number, err: describeError(error) });
      this.#onDisk = this.#onDisk.filter((each) => each !== edition);
      this.#keep(this.#replaced);
    }
  }

  #isInMemory({ number }: EditionIdentity): boolean {
    return [this.#current, ...this.#replaced].some((edition) => edition?.number === number);
  }

  async #read(number: number): Promise<NamedArrays> {
    const arrays = await this.#options.store.load(number);
    requireFormat(arrays);
    return this.#withPlaces(arrays);
  }

  async #withPlaces(arrays: NamedArrays): Promise<NamedArrays> {
    if (this.#postcodes === undefined) return arrays;
    return { ...arrays, ...(await this.#options.placesOf(arrays, this.#postcodes)) };
  }

  /** Runs one action after the other, so that no two editions are read at the same time. */
  #inTurn(action: () => Promise<void>): Promise<void> {
    const turn = this.#lastTurn.then(action);
    this.#lastTurn = turn.catch(() => {});
    return turn;
  }
}

/** The longest time of a timer in Node. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** Collects the memory of these arrays once nothing here refers to them. */
function collectArrays(arrays: NamedArrays): void {
  const { buffer } = arrays['rows.values'] ?? {};
  if (buffer !== undefined) collectDropped(new WeakRef(buffer), 0);
}
