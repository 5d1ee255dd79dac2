/**
 * Keeps editions in memory: the current one, and a limited number of replaced ones in their
 * grace period.
 */
import type { NamedArrays } from '../directory/arrays.ts';
import { demandFormat, type EditionIdentity } from '../directory/edition.ts';
import type { EditionReader } from '../directory/edition-store.ts';
import type { EditionInMemory } from '../directory/loaded-editions.ts';
import type { DirectorySettings } from '../directory/settings.ts';
import { collectDropped } from '../server/collect-garbage.ts';
import { describeError, type Log } from '../server/log.ts';
import type { EditionsUpdate } from './serve-thread-data.ts';

export interface EditionMemory {
  /** Makes an edition the current one. Throws where it is not in memory and cannot be read. */
  serve(identity: EditionIdentity): void;
  /** Requests that a replaced edition in its grace period be read into memory. */
  want(number: number): void;
  /** Releases the editions whose grace period has ended, and reads one requested edition. */
  look(): void;
}

export interface EditionMemoryOptions {
  readonly store: Pick<EditionReader, 'load' | 'replaced'>;
  readonly settings: Pick<DirectorySettings, 'graceMinutes' | 'editionsInMemory'>;
  /** Called whenever the set of readable editions changes. */
  readonly tell: (update: EditionsUpdate) => void;
  readonly log: Log;
}

/** A replaced edition. */
interface InGrace extends EditionIdentity {
  readonly graceEndMs: number;
}

type ReplacedInMemory = EditionInMemory & InGrace;

export function createEditionMemory(options: EditionMemoryOptions): EditionMemory {
  const { store, settings, tell, log } = options;
  const graceMs = settings.graceMinutes * 60_000;
  const replacedMax = settings.editionsInMemory - 1;
  let current: EditionInMemory | undefined;
  /** The most recently replaced or read edition comes first. */
  let replaced: readonly ReplacedInMemory[] = [];
  let onDisk: readonly InGrace[] = [];
  const wanted = new Set<number>();
  let nextReadMs = 0;

  const isInMemory = ({ number }: EditionIdentity) =>
    [current, ...replaced].some((edition) => edition?.number === number);

  /**
   * Keeps as many of these editions as the limit allows, and reports which editions can be
   * read now.
   */
  const keep = (editions: readonly ReplacedInMemory[]): void => {
    if (current === undefined) return;
    const nowMs = Date.now();
    const inGrace = editions.filter(({ graceEndMs }) => graceEndMs > nowMs);
    replaced = inGrace.slice(0, replacedMax);
    onDisk = onDisk.filter(({ graceEndMs }) => graceEndMs > nowMs);
    const toBeRead = onDisk.filter((edition) => !isInMemory(edition));
    tell({
      kind: 'editions',
      current,
      replaced: replaced.map(({ number, publishedAt, arrays }) => ({
        number,
        publishedAt,
        arrays,
      })),
      onDisk: replacedMax === 0 ? [] : toBeRead.map(({ number }) => number),
    });
    for (const edition of editions) {
      if (replaced.includes(edition)) continue;
      const reason = inGrace.includes(edition) ? 'directory.editionsInMemory' : 'grace period';
      log.info({ edition: edition.number, reason }, 'edition leaves memory');
      collectArrays(edition.arrays);
    }
  };

  const readWanted = (): void => {
    const [number] = wanted;
    if (number === undefined || performance.now() < nextReadMs) return;
    wanted.delete(number);
    const edition = onDisk.find((each) => each.number === number);
    if (edition === undefined || isInMemory(edition)) return;
    nextReadMs = performance.now() + READ_PAUSE_MS;
    try {
      const arrays = readArrays(store, number);
      log.info({ edition: number }, 'a replaced edition is in memory again');
      keep([{ ...edition, arrays }, ...replaced]);
    } catch (error) {
      log.error({ edition: number, err: describeError(error) }, 'cannot load a replaced edition');
      onDisk = onDisk.filter((each) => each !== edition);
      keep(replaced);
    }
  };

  return {
    serve: ({ number, publishedAt }) => {
      const known = replaced.find((edition) => edition.number === number);
      const arrays = known?.arrays ?? readArrays(store, number);
      // Whatever can fail comes before the first change.
      const inGrace = store.replaced().map((edition) => ({
        number: edition.number,
        publishedAt: edition.publishedAt,
        graceEndMs: Date.parse(edition.replacedAt) + graceMs,
      }));
      const previous = current && { ...current, graceEndMs: Date.now() + graceMs };
      current = { number, publishedAt, arrays };
      onDisk = inGrace;
      const others = replaced.filter((edition) => edition !== known);
      keep(previous === undefined ? others : [previous, ...others]);
    },
    want: (number) => {
      if (onDisk.some((edition) => edition.number === number)) wanted.add(number);
    },
    look: () => {
      const nowMs = Date.now();
      if ([...replaced, ...onDisk].some(({ graceEndMs }) => graceEndMs <= nowMs)) keep(replaced);
      readWanted();
    },
  };
}

/**
 * The shortest time between two reads of replaced editions, however many clients request. Within
 * this time every thread has released the edition that made room for the last one.
 */
const READ_PAUSE_MS = 10_000;

function readArrays(store: Pick<EditionReader, 'load'>, number: number): NamedArrays {
  const arrays = store.load(number);
  demandFormat(arrays);
  return arrays;
}

/** Collects the memory of these arrays once nothing here refers to them. */
function collectArrays(arrays: NamedArrays): void {
  const { buffer } = arrays['rows.values'] ?? {};
  if (buffer !== undefined) collectDropped(new WeakRef(buffer), 0);
}
