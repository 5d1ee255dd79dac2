/** Collects the records of sources: rows of those that are imported, and tallies of the others. */
import type { EditionContents } from '../edition/build-edition.ts';
import { lowest } from '../index/binary-search.ts';
import { weave } from '../index/rows-before.ts';
import { GrowingArray } from '../record/growing-array.ts';
import {
  type CodeSystemName,
  type CodeSystems,
  type Concept,
  lastUpdatedMs,
} from '../record/record.ts';
import { createFacts, flagsOf, RECORD_FLAGS } from '../record/record-batches.ts';
import { RecordsBuilder, type SectionOrdinals } from '../record/records-builder.ts';
import type {
  LeftOutReason,
  Manifest,
  ReadArchivedCodes,
  SourceReceiver,
  WarningKind,
} from './source.ts';

/** A count, and the codes of the first records that it counts. */
export interface Tally {
  readonly count: number;
  readonly examples: readonly string[];
}

export interface Collected extends Omit<EditionContents, 'hasRelations'> {
  /** Read the codes in archives that were left out. */
  readonly archives: readonly ReadArchivedCodes[];
  /** The number of records read, including those left out. */
  readonly read: number;
  /** The full records that stay from the edition before. */
  readonly kept: number;
  readonly leftOut: Readonly<Partial<Record<LeftOutReason, Tally>>>;
  readonly warnings: Readonly<Partial<Record<WarningKind, Tally>>>;
}

export type OnProgress = (progress: {
  /** Unknown while a file is downloaded. */
  readonly records: number | undefined;
  readonly bytes: number;
  readonly bytesTotal: number | undefined;
}) => void;

export interface Collector extends SourceReceiver {
  finish(): Collected;
}

/**
 * Of several records with the same code, it keeps one: a full one, then the one changed last, then the one
 * of the later source, then an active one, then the one read last.
 */
export function createCollector(onProgress: OnProgress): Collector {
  const records = new RecordsBuilder();
  const leftOut = new Tallies<LeftOutReason>();
  const warnings = new Tallies<WarningKind>();
  const chosen = new ChosenRecords(leftOut, warnings);
  const codeSystems = new KnownCodeSystems();
  const factsOf = createFacts();
  const manifests: Manifest[] = [];
  const archives: ReadArchivedCodes[] = [];
  let read = 0;
  let kept = 0;
  /** The ordinal of the last record, if it was chosen. */
  let last: number | undefined;

  return {
    manifest: (manifest) => manifests.push(manifest),
    codeSystems: (systems) => codeSystems.add(systems),
    record: (record) => {
      read += 1;
      const { code } = record;
      const flags = flagsOf(record);
      const candidate = candidateOf(lastUpdatedMs(record), manifests.length, flags);
      const isChosen = chosen.offer(code, flags, candidate, records.count);
      last = isChosen ? records.add(record) : undefined;
    },
    source: (hash) => {
      if (last !== undefined) records.source(last, hash);
    },
    again: (edition, row) => {
      read += 1;
      const { changedMs, flags } = factsOf(edition, row);
      const candidate = candidateOf(changedMs, manifests.length, flags);
      const ordinal = records.keep(edition.arrays, row);
      chosen.offer(edition.relations.codeOf(row), flags, candidate, ordinal);
    },
    encoded: ({ batch, codes, changedMs, flags }, from) => {
      read += codes.length;
      const first = records.append(batch, from);
      for (const [place, code] of codes.entries()) {
        const candidate = candidateOf(changedMs[place]!, manifests.length, flags[place]!);
        chosen.offer(code, flags[place]!, candidate, first + place);
      }
    },
    keep: ({ arrays, rows, relations }, row) => {
      const isReferenceOnly = row >= rows.count;
      if (!isReferenceOnly) kept += 1;
      const ordinal = records.keep(arrays, row);
      chosen.keep(isReferenceOnly, ordinal, (kept) => relations.codeOf(kept - ordinal + row));
    },
    leftOut: (reason, code, detail) => {
      read += 1;
      leftOut.add(reason, code, detail);
    },
    leftOutArchive: (readCodes) => archives.push(readCodes),
    warning: (kind, code, detail) => warnings.add(kind, code, detail),
    progress: (bytes, bytesTotal) => onProgress({ records: read, bytes, bytesTotal }),
    finish: () => ({
      records,
      ordinals: chosen.ordinals(),
      codeSystems: codeSystems.joined(),
      manifests,
      archives,
      read,
      kept,
      leftOut: leftOut.toObject(),
      warnings: warnings.toObject(),
    }),
  };
}

interface Candidate {
  readonly changedMs: number;
  /** Counts sources. */
  readonly source: number;
  readonly isActive: boolean;
}

function candidateOf(changedMs: number, source: number, flags: number): Candidate {
  return { changedMs, source, isActive: (flags & RECORD_FLAGS.isActive) !== 0 };
}

/** Chooses one record for each code, and counts the others. */
class ChosenRecords {
  readonly #leftOut: Tallies<LeftOutReason>;
  readonly #warnings: Tallies<WarningKind>;
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
  /** The source, and in the lowest bit whether the record is active. */
  readonly #sources = new GrowingArray(Uint32Array, 1 << 12);

  constructor(leftOut: Tallies<LeftOutReason>, warnings: Tallies<WarningKind>) {
    this.#leftOut = leftOut;
    this.#warnings = warnings;
  }

  /** Returns whether the record is now the chosen one of its code. If so, `ordinal` is its ordinal. */
  offer(code: string, flags: number, candidate: Candidate, ordinal: number): boolean {
    const isReference = (flags & RECORD_FLAGS.isReferenceOnly) !== 0;
    const other = (isReference ? this.#references : this.#full).get(code);
    if (isReference) {
      this.#leftOut.add('reference-only', code);
    } else {
      if ((flags & RECORD_FLAGS.hasName) === 0) this.#warnings.add('no-name', code);
      if (other !== undefined) {
        this.#leftOut.add('duplicate', code);
        this.#warnings.add('duplicate', code);
      }
    }
    if (other !== undefined && isBetter(this.#candidateAt(other), candidate)) return false;
    const { changedMs, source, isActive } = candidate;
    this.#changedMs.put(ordinal, changedMs);
    this.#sources.put(ordinal, source * 2 + Number(isActive));
    (isReference ? this.#references : this.#full).set(code, ordinal);
    return true;
  }

  keep(isReference: boolean, ordinal: number, codeOf: (ordinal: number) => string): void {
    this.#kept[isReference ? 'references' : 'full'].push(ordinal);
    this.#codeOfKept = codeOf;
  }

  ordinals(): SectionOrdinals {
    for (const code of this.#full.keys()) this.#references.delete(code);
    return {
      full: this.#inCodeOrder(this.#full, this.#kept.full),
      references: this.#inCodeOrder(this.#references, this.#kept.references),
    };
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
    const changedMs = this.#changedMs.array[ordinal]!;
    return { changedMs, source: source >>> 1, isActive: (source & 1) === 1 };
  }
}

/** Whether the record that was read earlier stays. */
function isBetter(earlier: Candidate, later: Candidate): boolean {
  if (earlier.changedMs !== later.changedMs) return earlier.changedMs > later.changedMs;
  if (earlier.source !== later.source) return false;
  return earlier.isActive && !later.isActive;
}

/** The code systems of several sources. The first display of a code is used. */
export class KnownCodeSystems {
  readonly #concepts = eachSystem(() => new Map<string, Concept>());
  #oids: NonNullable<CodeSystems['oids']> = {};

  /** The main file comes before the archive. */
  add(systems: CodeSystems): void {
    eachSystem((name) => {
      for (const concept of systems[name]) this.put(name, concept);
    });
    this.#oids = { ...systems.oids, ...this.#oids };
  }

  put(name: CodeSystemName, concept: Concept): void {
    const known = this.#concepts[name];
    if (known.size < CONCEPTS_MAX && !known.has(concept.code)) known.set(concept.code, concept);
  }

  joined(): CodeSystems {
    return {
      ...eachSystem((name) => [...this.#concepts[name].values()]),
      ...(Object.keys(this.#oids).length > 0 && { oids: this.#oids }),
    };
  }
}

/** Real code systems have 200 concepts. */
const CONCEPTS_MAX = 10_000;

function eachSystem<T>(make: (name: CodeSystemName) => T): Readonly<Record<CodeSystemName, T>> {
  return {
    roles: make('roles'),
    relationships: make('relationships'),
    recordClasses: make('recordClasses'),
  };
}

/** The number of examples of each kind in a report. */
export const EXAMPLES_MAX = 10;

class Tallies<Kind extends string> {
  readonly #tallies = new Map<Kind, { count: number; examples: string[] }>();

  add(kind: Kind, code: string, detail?: string): void {
    const tally = this.#tallies.get(kind) ?? { count: 0, examples: [] };
    this.#tallies.set(kind, tally);
    tally.count += 1;
    if (tally.examples.length < EXAMPLES_MAX) {
      tally.examples.push(detail === undefined ? code : `${code}: ${detail}`);
    }
  }

  toObject(): Partial<Record<Kind, Tally>> {
    const tallies: Partial<Record<Kind, Tally>> = {};
    for (const [kind, tally] of this.#tallies) tallies[kind] = tally;
    return tallies;
  }
}
