/**
 * Reads a release record by record, and skips the records whose bytes the edition before was made from.
 *
 * A piece is what follows the end tag of a record, up to and with the next end tag. Its bytes are
 * hashed together with the head of the file. If a piece was read as one whole record without a
 * warning, the receiver gets the hash. The same bytes after the same head are then the same record,
 * if the reading is between records: the parser would be in the same states again.
 */
import { SOFTWARE } from '../../config/version.ts';
import { type Hash64, hash64 } from '../../directory/record/hash64.ts';
import type { KnownRecords, SourceReceiver } from '../../directory/record/source.ts';
import { countLineBreaks } from '../../fhir/format/xml-tokenizer/bytes.ts';
import type { ReleaseReading } from './parse/release-reading.ts';

/** The end of a record in published files. Records that end otherwise are read each time. */
export const RECORD_END = Buffer.from('</Organisation>');

export class RecordPieces {
  readonly #reading: ReleaseReading;
  readonly #receiver: SourceReceiver;
  readonly #known: KnownRecords | undefined;
  /** Undefined before the first record. */
  #seed: Hash64 | undefined;
  /** The bytes after the last end tag. */
  #rest: Buffer = NO_BYTES;
  #isBetween = false;
  #pieces = 0;
  #skipped = 0;

  /** `head`: the bytes up to the first record, if `reading` has read no others. */
  constructor(
    reading: ReleaseReading,
    receiver: SourceReceiver,
    known: KnownRecords | undefined,
    head?: Uint8Array,
  ) {
    this.#reading = reading;
    this.#receiver = receiver;
    this.#known = known;
    if (head !== undefined) this.start(head);
  }

  get hasStarted(): boolean {
    return this.#seed !== undefined;
  }

  /** Whether the edition before has most of the records that were read so far. */
  get areMostlyKnown(): boolean {
    return this.#skipped > this.#pieces / 2;
  }

  /** From now on, records are pieces. Everything that was written must have been read. */
  start(head: Uint8Array): void {
    const text = Buffer.from(head.buffer, head.byteOffset, head.length).toString('latin1');
    // What a manifest says is not part of a record that has no warning.
    const relevant = text.replace(/<Manifest>.*?<\/Manifest>/s, '');
    this.#seed = hash64(Buffer.from(`${SOFTWARE.version}\n${relevant}`, 'latin1'));
    this.#isBetween = this.#reading.isBetweenRecords;
  }

  /** The next bytes of the file. The caller may use their memory again. */
  write(bytes: Buffer): void {
    if (this.#seed === undefined) {
      this.#reading.write(bytes);
      return;
    }
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    let from = 0;
    for (;;) {
      // The rest has no end tag, except one that is incomplete.
      const searched = Math.max(from, this.#rest.length - RECORD_END.length);
      const end = all.indexOf(RECORD_END, searched) + RECORD_END.length;
      if (end < RECORD_END.length) break;
      this.#rest = NO_BYTES;
      this.#take(all.subarray(from, end), this.#seed);
      from = end;
    }
    const rest = all.subarray(from);
    this.#rest = NO_BYTES;
    if (rest.length > PIECE_BYTES_MAX) this.#read(rest);
    else this.#rest = Buffer.from(rest);
  }

  /** Reads what is left. */
  flush(): void {
    const rest = this.#rest;
    this.#rest = NO_BYTES;
    if (rest.length > 0) this.#read(rest);
  }

  #read(bytes: Buffer): void {
    this.#isBetween = false;
    this.#reading.write(bytes);
  }

  #take(piece: Buffer, seed: Hash64): void {
    this.#pieces++;
    if (!this.#isBetween) {
      this.#read(piece);
      this.#isBetween = this.#reading.isBetweenRecords;
      return;
    }
    const [high, low] = hash64(piece);
    const source = [(high ^ seed[0]) >>> 0, (low ^ seed[1]) >>> 0] as const;
    const row = this.#known?.rowOf(source);
    if (row !== undefined && this.#known !== undefined && this.#receiver.again !== undefined) {
      this.#skipped++;
      this.#receiver.again(this.#known.edition, row);
      const lastCode = this.#known.edition.links.codeOf(row);
      const lineBreaks = countLineBreaks(piece, 0, piece.length);
      this.#reading.skip(piece.length, { elements: 1, records: 1, lineBreaks, lastCode });
      return;
    }
    const before = this.#reading.counts;
    this.#read(piece);
    this.#isBetween = this.#reading.isBetweenRecords;
    const { elements, records, warnings } = this.#reading.counts;
    const isOne = elements === before.elements + 1 && records === before.records + 1;
    if (this.#isBetween && isOne && warnings === before.warnings) this.#receiver.source?.(source);
  }
}

const NO_BYTES = Buffer.alloc(0);

/** Records of published files are much shorter. */
const PIECE_BYTES_MAX = 1 << 20;
