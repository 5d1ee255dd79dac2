/** The contents that an import receives while it reads a source. */

import type { CodeSystems, SourceRecord } from './record.ts';
import type { EncodedRecords, KeptEdition } from './record-batches.ts';

/** The manifest of a source file, or the equivalent values of a FHIR source. */
export interface Manifest {
  /** `YYYY-MM-DD`. */
  readonly publicationDate: string;
  /**
   * The number of Organisation elements that the manifest states, with `refOnly` records and
   * duplicates. FHIR sources do not state it.
   */
  readonly recordCount?: number;
  /** `Full`, or `TopUp` for changes that were applied to an edition. */
  readonly publicationType: string;
  readonly sequenceNumber?: string;
  /** Whether its records come with their links. Manifests are stored, so the name stays. */
  readonly hasRelations?: boolean;
  /** The other values of a release: `PublicationSource`, for example. */
  readonly values?: Readonly<Record<string, string>>;
  /** The codes of the roles that can be primary, without `RO`, if a release states them. */
  readonly primaryRoles?: readonly string[];
}

/** What the publication source of a release of invented organisations begins with, as in the sample. */
export const INVENTED_SOURCE = 'Invented organisations';

/** Whether a release says itself that its organisations are invented. */
export function saysInvented(manifests: readonly Manifest[]): boolean {
  return manifests.some(({ values }) => values?.PublicationSource?.startsWith(INVENTED_SOURCE));
}

/** The date of the latest release; undefined if there is no manifest. */
export function newestDate(manifests: readonly Manifest[]): string | undefined {
  const dates = manifests.map(({ publicationDate }) => publicationDate);
  return dates.sort().at(-1);
}

/** Why a record was left out. The report has the count and examples of each reason. */
export type LeftOutReason =
  | 'reference-only'
  | 'duplicate'
  | 'older'
  | 'invalid-code'
  | 'no-role'
  | 'no-primary-role'
  | 'several-primary-roles'
  | 'invalid-resource';

/** A problem of a record that was imported anyway. The report has the count of each. */
export type WarningKind =
  | 'duplicate'
  | 'same-but-for-case'
  | 'several-full-files'
  | 'no-name'
  | 'no-status'
  | 'status-from-role'
  | 'no-last-change-date'
  | 'invalid-date'
  | 'period-without-start'
  | 'invalid-number'
  | 'invalid-relationship'
  | 'invalid-succession'
  | 'unknown-role'
  | 'unknown-relationship'
  | 'unknown-record-class'
  | 'unknown-value'
  | 'unknown-contact-type'
  | 'unknown-element'
  | 'future-removal'
  | 'element-left-out'
  | 'not-stated';

/** The receiver of a source's contents. Calls come in the order of the file. */
export interface SourceReceiver {
  /** A file begins. `isArchive`: it has the closed organisations that the full file does not have. */
  file?(isArchive: boolean): void;
  manifest(manifest: Manifest): void;
  codeSystems(systems: CodeSystems): void;
  record(record: SourceRecord): void;
  /** The hash of the bytes that the last record was read from. */
  source?(hash: readonly [high: number, low: number]): void;
  /** The source has a record of the current edition unchanged. Rows are numbered as in `links`. */
  again?(edition: KeptEdition, row: number): void;
  /**
   * Records in their encoded form. `from` identifies the thread, whose batches come in order. A
   * receiver without this method gets every record through `record`.
   */
  encoded?(records: EncodedRecords, from: object): void;
  /**
   * A record of the current edition that stays. Rows are numbered as in `links`. No other record
   * has its code.
   */
  keep(edition: KeptEdition, row: number): void;
  leftOut(reason: LeftOutReason, code: string, detail?: string): void;
  /**
   * The source may have an archive that is not imported. `readCodes` reads the codes of its records;
   * undefined if that fails.
   */
  leftOutArchive(readCodes: ReadArchivedCodes): void;
  warning(kind: WarningKind, code: string, detail?: string): void;
  /** Called from time to time with the bytes of unpacked text read, and the total if known. */
  progress(bytes: number, bytesTotal: number | undefined): void;
}

/** Finds the records of the current edition by the hashes that `source` got. */
export interface KnownRecords {
  readonly edition: KeptEdition;
  rowOf(hash: readonly [high: number, low: number]): number | undefined;
}

export type ReadArchivedCodes = () => Promise<ReadonlySet<string> | undefined>;

/** A source that cannot be imported. The message is one line with the problem and the remedy. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  /** The pause that the source requests. */
  readonly pauseMs: number | undefined;

  constructor(message: string, pauseMs?: number) {
    super(message);
    this.pauseMs = pauseMs;
  }
}

/** A warning about a record of a source. */
export interface Warning {
  readonly kind: WarningKind;
  readonly detail?: string;
}
