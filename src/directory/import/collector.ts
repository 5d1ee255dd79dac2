/** Collects the records of sources: rows of those that are imported, and tallies of the others. */
import type { EditionContents } from '../edition/build-edition.ts';
import { RecordsBuilder } from '../edition/records-builder.ts';
import type { CodeSystemName, CodeSystems, Concept } from '../record/record.ts';
import { createFacts, factsAt, type RecordFacts, recordFacts } from '../record/record-batches.ts';
import type {
  LeftOutReason,
  Manifest,
  ReadArchivedCodes,
  SourceReceiver,
  WarningKind,
} from '../record/source.ts';
import { ChosenRecords } from './chosen-records.ts';

/** A count, and the codes of the first records that it counts. */
export interface Tally {
  readonly count: number;
  readonly examples: readonly string[];
}

export interface Collected extends Omit<EditionContents, 'hasLinks'> {
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

/** Of several records with the same code, it keeps one, as `ChosenRecords` decides. */
export function createCollector(onProgress: OnProgress): Collector {
  const records = new RecordsBuilder();
  const leftOut = new Tallies<LeftOutReason>();
  const warnings = new Tallies<WarningKind>();
  const chosen = new ChosenRecords(reportTo(leftOut, warnings));
  const codeSystems = new KnownCodeSystems();
  const factsOf = createFacts();
  const manifests: Manifest[] = [];
  const archives: ReadArchivedCodes[] = [];
  let read = 0;
  let kept = 0;
  let file = { source: 0, isArchive: false };
  const offer = (code: string, facts: RecordFacts, ordinal: number) =>
    chosen.offer(code, { ...facts, ...file }, ordinal);
  /** The ordinal of the last record, if it was chosen. */
  let last: number | undefined;

  return {
    file: (isArchive) => {
      file = { source: file.source + 1, isArchive };
    },
    manifest: (manifest) => manifests.push(manifest),
    codeSystems: (systems) => codeSystems.add(systems),
    record: (record) => {
      read += 1;
      const isChosen = offer(record.code, recordFacts(record), records.count);
      last = isChosen ? records.add(record) : undefined;
    },
    source: (hash) => {
      if (last !== undefined) records.source(last, hash);
    },
    again: (edition, row) => {
      read += 1;
      const ordinal = records.keep(edition.arrays, row);
      offer(edition.links.codeOf(row), factsOf(edition, row), ordinal);
    },
    encoded: (encoded, from) => {
      read += encoded.codes.length;
      const first = records.append(encoded.batch, from);
      for (const [place, code] of encoded.codes.entries()) {
        offer(code, factsAt(encoded, place), first + place);
      }
    },
    keep: ({ arrays, rows, links }, row) => {
      const isReferenceOnly = row >= rows.count;
      if (!isReferenceOnly) kept += 1;
      const ordinal = records.keep(arrays, row);
      chosen.keep(isReferenceOnly, ordinal, (kept) => links.codeOf(kept - ordinal + row));
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

function reportTo(
  leftOut: Tallies<LeftOutReason>,
  warnings: Tallies<WarningKind>,
): Pick<SourceReceiver, 'leftOut' | 'warning'> {
  return {
    leftOut: (reason, code, detail) => leftOut.add(reason, code, detail),
    warning: (kind, code, detail) => warnings.add(kind, code, detail),
  };
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
