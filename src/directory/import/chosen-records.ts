/** Chooses the record of an edition if several have the same code. */
import { lowest } from '../arrays/binary-search.ts';
import { GrowingArray } from '../arrays/growing-array.ts';
import { weave } from '../arrays/rows-before.ts';
import type { SectionOrdinals } from '../edition/records-builder.ts';
import { RECORD_FLAGS, type RecordFacts } from '../record/record-batches.ts';
import type { SourceReceiver } from '../record/source.ts';

/** A record of a code in the sources. */
export interface Candidate extends RecordFacts {
  /** Counts files. */
  readonly source: number;
  /** Whether its file is an archive of closed organisations. */
  readonly isArchive: boolean;
}

/**
 * A full record is kept rather than a reference-only one. Then the first of these values that
 * differs decides: the higher one is kept. If none differs, the record that was read last is kept.
 */
const PREFERENCES: readonly (readonly [reason: string, rank: (candidate: Candidate) => number])[] =
  [
    // A code of the archive can be given to a new organisation.
    ['of the full file', ({ isArchive }) => Number(!isArchive)],
    ['that changed last', ({ changedMs }) => changedMs],
    ['of the later file', ({ source }) => source],
    ['that is active', ({ flags }) => flags & RECORD_FLAGS.isActive],
    ['that opened last', ({ opened }) => opened],
  ];

/** Chooses one record for each code, and reports the others. */
export class ChosenRecords {
  readonly #report: Pick<SourceReceiver, 'leftOut' | 'warning'>;
  /** The ordinals by code. */
  readonly #full = new Map<string, number>();
  readonly #references = new Map<string, number>();
  /** The ordinals of the records that stay, in the order of their codes, which no other record has. */
  readonly #kept = {
    full: new GrowingArray(Uint32Array, 1 << 12),
    references: new GrowingArray(Uint32Array, 1 << 12),
  };
  #codeOfKept: (ordinal: number) => string = () => '';
  /** The candidates by their ordinals. */
  readonly #changedMs = new GrowingArray(Float64Array, 1 << 12);
  readonly #opened = new GrowingArray(Uint32Array, 1 << 12);
  readonly #flags = new GrowingArray(Uint8Array, 1 << 12);
  /** The source, and in the lowest bit whether it is an archive. */
  readonly #sources = new GrowingArray(Uint32Array, 1 << 12);

  constructor(report: Pick<SourceReceiver, 'leftOut' | 'warning'>) {
    this.#report = report;
  }

  /** Returns whether the record is now the chosen one of its code. If so, `ordinal` is its ordinal. */
  offer(code: string, candidate: Candidate, ordinal: number): boolean {
    const isReference = (candidate.flags & RECORD_FLAGS.isReferenceOnly) !== 0;
    const known = isReference ? this.#references : this.#full;
    const other = known.get(code);
    if (isReference) this.#report.leftOut('reference-only', code);
    else if ((candidate.flags & RECORD_FLAGS.hasName) === 0) this.#report.warning('no-name', code);
    if (other !== undefined) {
      const { isLater, reason } = compare(this.#candidateAt(other), candidate);
      if (!isReference) {
        this.#report.leftOut('duplicate', code);
        this.#report.warning('duplicate', code, `kept the record ${reason}`);
      }
      if (!isLater) return false;
    }
    const { changedMs, opened, flags, source, isArchive } = candidate;
    this.#changedMs.put(ordinal, changedMs);
    this.#opened.put(ordinal, opened);
    this.#flags.put(ordinal, flags);
    this.#sources.put(ordinal, source * 2 + Number(isArchive));
    known.set(code, ordinal);
    return true;
  }

  keep(isReference: boolean, ordinal: number, codeOf: (ordinal: number) => string): void {
    this.#kept[isReference ? 'references' : 'full'].push(ordinal);
    this.#codeOfKept = codeOf;
  }

  ordinals(): SectionOrdinals {
    for (const code of this.#full.keys()) this.#references.delete(code);
    this.#reportCase();
    return {
      full: this.#inCodeOrder(this.#full, this.#kept.full),
      references: this.#inCodeOrder(this.#references, this.#kept.references),
    };
  }

  /** Published codes are in capitals, and a code in lower case is a mistake of its source. */
  #reportCase(): void {
    const met = new Map<string, string>();
    for (const code of [...this.#full.keys(), ...this.#references.keys()]) {
      const upper = code.toUpperCase();
      if (upper === code) continue;
      const other = this.#has(upper) ? upper : met.get(upper);
      if (other !== undefined) this.#report.warning('same-but-for-case', code, `beside ${other}`);
      met.set(upper, code);
    }
  }

  #has(code: string): boolean {
    return (
      this.#full.has(code) ||
      this.#references.has(code) ||
      [this.#kept.full, this.#kept.references].some(({ array, length }) => {
        const place = lowest(length, (at) => this.#codeOfKept(array[at]!) >= code);
        return place < length && this.#codeOfKept(array[place]!) === code;
      })
    );
  }

  /** Codes are ASCII, so the order of code units is the order of bytes. */
  #inCodeOrder(
    chosen: ReadonlyMap<string, number>,
    { array: kept, length }: GrowingArray<Uint32Array>,
  ): Uint32Array {
    const codes = [...chosen.keys()].sort();
    const places = Uint32Array.from(codes, (code) =>
      lowest(length, (at) => this.#codeOfKept(kept[at]!) > code),
    );
    const ordinals = new GrowingArray(Uint32Array, length + codes.length);
    weave(
      length,
      places,
      (at) => ordinals.push(kept[at]!),
      (at) => ordinals.push(chosen.get(codes[at]!)!),
    );
    return ordinals.array;
  }

  #candidateAt(ordinal: number): Candidate {
    const source = this.#sources.array[ordinal]!;
    return {
      changedMs: this.#changedMs.array[ordinal]!,
      opened: this.#opened.array[ordinal]!,
      flags: this.#flags.array[ordinal]!,
      source: source >>> 1,
      isArchive: (source & 1) === 1,
    };
  }
}

/** Whether the record that was read later is kept, and why. */
function compare(
  earlier: Candidate,
  later: Candidate,
): { readonly isLater: boolean; readonly reason: string } {
  for (const [reason, rank] of PREFERENCES) {
    const difference = rank(later) - rank(earlier);
    if (difference !== 0) return { isLater: difference > 0, reason };
  }
  return { isLater: true, reason: 'that was read last' };
}
