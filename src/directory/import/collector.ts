/** Collects the records of sources: rows of those that are imported, and tallies of the others. */
import type { CodeSystems, Concept, OrganizationRecord } from '../record.ts';
import { lastUpdatedMs } from '../record.ts';
import { RowsBuilder } from '../rows-builder.ts';
import type { LeftOutReason, Manifest, SourceReceiver, WarningKind } from './source.ts';

/** A count, and the codes of the first records that it counts. */
export interface Tally {
  readonly count: number;
  readonly examples: readonly string[];
}

export interface Collected {
  readonly builder: RowsBuilder;
  /** The imported records, in the order of their codes. */
  readonly ordinals: Uint32Array;
  readonly codeSystems: CodeSystems;
  readonly manifests: readonly Manifest[];
  /** The number of records read, including those left out. */
  readonly read: number;
  readonly leftOut: Readonly<Partial<Record<LeftOutReason, Tally>>>;
  readonly warnings: Readonly<Partial<Record<WarningKind, Tally>>>;
}

export type OnProgress = (progress: {
  readonly records: number;
  readonly bytes: number;
  readonly bytesTotal: number | undefined;
}) => void;

export interface Collector extends SourceReceiver {
  finish(): Collected;
}

/**
 * Of several records with one code it keeps one: an active one, then the one changed last, then the
 * one read last.
 */
export function createCollector(onProgress: OnProgress): Collector {
  const builder = new RowsBuilder();
  const kept = new Map<string, Candidate>();
  const leftOut = new Tallies<LeftOutReason>();
  const warnings = new Tallies<WarningKind>();
  const roles = new Map<string, Concept>();
  const relationships = new Map<string, Concept>();
  const recordClasses = new Map<string, Concept>();
  const manifests: Manifest[] = [];
  let read = 0;

  return {
    manifest: (manifest) => manifests.push(manifest),
    codeSystems: (systems) => {
      addConcepts(roles, systems.roles);
      addConcepts(relationships, systems.relationships);
      addConcepts(recordClasses, systems.recordClasses);
    },
    record: (record) => {
      read += 1;
      if (record.name === undefined) warnings.add('no-name', record.code);
      const candidate = candidateOf(record, builder.count);
      const other = kept.get(record.code);
      if (other !== undefined) {
        leftOut.add('duplicate', record.code);
        warnings.add('duplicate', record.code);
        if (isBetter(other, candidate)) return;
      }
      builder.add(record);
      kept.set(record.code, candidate);
    },
    leftOut: (reason, code, detail) => {
      read += 1;
      leftOut.add(reason, code, detail);
    },
    warning: (kind, code, detail) => warnings.add(kind, code, detail),
    progress: (bytes, bytesTotal) => onProgress({ records: read, bytes, bytesTotal }),
    finish: () => ({
      builder,
      ordinals: inCodeOrder(kept),
      codeSystems: {
        roles: [...roles.values()],
        relationships: [...relationships.values()],
        recordClasses: [...recordClasses.values()],
      },
      manifests,
      read,
      leftOut: leftOut.toObject(),
      warnings: warnings.toObject(),
    }),
  };
}

interface Candidate {
  readonly ordinal: number;
  readonly isActive: boolean;
  readonly changedMs: number;
}

function candidateOf(record: OrganizationRecord, ordinal: number): Candidate {
  return { ordinal, isActive: record.isActive, changedMs: lastUpdatedMs(record) };
}

/** Whether the record that was read earlier stays. */
function isBetter(earlier: Candidate, later: Candidate): boolean {
  if (earlier.isActive !== later.isActive) return earlier.isActive;
  return earlier.changedMs > later.changedMs;
}

/** The first display of a code is used, because the main file comes before the archive. */
function addConcepts(known: Map<string, Concept>, concepts: readonly Concept[]): void {
  for (const concept of concepts) if (!known.has(concept.code)) known.set(concept.code, concept);
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
