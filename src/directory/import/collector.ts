/** Collects the records of sources: rows of those that are imported, and tallies of the others. */
import type { CodeSystemName, CodeSystems, Concept, SourceRecord } from '../record.ts';
import { lastUpdatedMs } from '../record.ts';
import { RecordsBuilder, type SectionOrdinals } from '../records-builder.ts';
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

export interface Collected {
  readonly records: RecordsBuilder;
  readonly ordinals: SectionOrdinals;
  readonly codeSystems: CodeSystems;
  readonly manifests: readonly Manifest[];
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
  const full = new Map<string, Candidate>();
  const references = new Map<string, Candidate>();
  const leftOut = new Tallies<LeftOutReason>();
  const warnings = new Tallies<WarningKind>();
  const codeSystems = new KnownCodeSystems();
  const manifests: Manifest[] = [];
  const archives: ReadArchivedCodes[] = [];
  let read = 0;
  let kept = 0;

  return {
    manifest: (manifest) => manifests.push(manifest),
    codeSystems: (systems) => codeSystems.add(systems),
    record: (record) => {
      read += 1;
      const isReference = record.isReferenceOnly === true;
      if (record.name === undefined && !isReference) warnings.add('no-name', record.code);
      const candidate = candidateOf(record, records.count, manifests.length);
      const known = isReference ? references : full;
      const other = known.get(record.code);
      if (isReference) leftOut.add('reference-only', record.code);
      else if (other !== undefined) {
        leftOut.add('duplicate', record.code);
        warnings.add('duplicate', record.code);
      }
      if (other !== undefined && isBetter(other, candidate)) return;
      records.add(record);
      known.set(record.code, candidate);
    },
    keep: (record) => {
      const { rows, row, isReferenceOnly } = record;
      if (!isReferenceOnly) kept += 1;
      const ordinal = records.keep(record);
      const known = isReferenceOnly ? references : full;
      known.set(rows.codeOf(row), { ...UNCOMPARED, ordinal });
    },
    leftOut: (reason, code, detail) => {
      read += 1;
      leftOut.add(reason, code, detail);
    },
    leftOutArchive: (readCodes) => archives.push(readCodes),
    warning: (kind, code, detail) => warnings.add(kind, code, detail),
    progress: (bytes, bytesTotal) => onProgress({ records: read, bytes, bytesTotal }),
    finish: () => {
      for (const code of full.keys()) references.delete(code);
      return {
        records,
        ordinals: { full: inCodeOrder(full), references: inCodeOrder(references) },
        codeSystems: codeSystems.joined(),
        manifests,
        archives,
        read,
        kept,
        leftOut: leftOut.toObject(),
        warnings: warnings.toObject(),
      };
    },
  };
}

interface Candidate {
  readonly ordinal: number;
  readonly changedMs: number;
  /** Counts sources. */
  readonly source: number;
  readonly isActive: boolean;
}

/** Of a record that no other one has the code of. */
const UNCOMPARED = { changedMs: Number.NEGATIVE_INFINITY, source: 0, isActive: false };

function candidateOf(record: SourceRecord, ordinal: number, source: number): Candidate {
  return { ordinal, changedMs: lastUpdatedMs(record), source, isActive: record.isActive };
}

/** Whether the record that was read earlier stays. */
function isBetter(earlier: Candidate, later: Candidate): boolean {
  if (earlier.changedMs !== later.changedMs) return earlier.changedMs > later.changedMs;
  if (earlier.source !== later.source) return false;
  return earlier.isActive && !later.isActive;
}

/** The code systems of several sources. */
class KnownCodeSystems {
  readonly #concepts: Readonly<Record<CodeSystemName, Map<string, Concept>>> = {
    roles: new Map(),
    relationships: new Map(),
    recordClasses: new Map(),
  };
  #oids: NonNullable<CodeSystems['oids']> = {};

  add(systems: CodeSystems): void {
    for (const name of ['roles', 'relationships', 'recordClasses'] as const) {
      const known = this.#concepts[name];
      // The first display of a code is used, because the main file comes before the archive.
      for (const concept of systems[name]) {
        if (!known.has(concept.code)) known.set(concept.code, concept);
      }
    }
    this.#oids = { ...systems.oids, ...this.#oids };
  }

  joined(): CodeSystems {
    const { roles, relationships, recordClasses } = this.#concepts;
    return {
      roles: [...roles.values()],
      relationships: [...relationships.values()],
      recordClasses: [...recordClasses.values()],
      ...(Object.keys(this.#oids).length > 0 && { oids: this.#oids }),
    };
  }
}

/** Codes are ASCII, so the order of code units is the order of bytes. */
function inCodeOrder(kept: ReadonlyMap<string, Candidate>): Uint32Array {
  const codes = [...kept.keys()].sort();
  return Uint32Array.from(codes, (code) => kept.get(code)!.ordinal);
}

/** The number of examples of each kind in a report. */
const EXAMPLES_MAX = 10;

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
