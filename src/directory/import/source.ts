/** What an importer is told by a source while it reads: plain data, pushed as it is met. */
import type { CodeSystems, OrganizationRecord } from '../record.ts';

/** The manifest of a source file; for FHIR what stands in for it. */
export interface Manifest {
  /** `YYYY-MM-DD`. */
  readonly publicationDate: string;
  /**
   * How many Organisation elements the file says it holds, `refOnly` and duplicates included; FHIR
   * does not say.
   */
  readonly recordCount?: number;
  /** `Full`: no other kind can be imported. */
  readonly publicationType: string;
  readonly sequenceNumber?: string;
}

/** Why a record was left out; counted and exemplified in the report. */
export type LeftOutReason =
  | 'reference-only'
  | 'duplicate'
  | 'invalid-code'
  | 'no-role'
  | 'no-primary-role'
  | 'several-primary-roles'
  | 'invalid-resource';

/** Something unusual in a record that was imported all the same; counted in the report. */
export type WarningKind =
  | 'duplicate'
  | 'no-name'
  | 'no-status'
  | 'status-from-role'
  | 'no-last-change-date'
  | 'invalid-date'
  | 'period-without-start'
  | 'unknown-role'
  | 'unknown-record-class'
  | 'unknown-value'
  | 'unknown-contact-type'
  | 'unknown-element'
  | 'element-left-out';

/** The receiver of a source's contents. Calls come in the order of the file. */
export interface SourceReceiver {
  manifest(manifest: Manifest): void;
  codeSystems(systems: CodeSystems): void;
  record(record: OrganizationRecord): void;
  leftOut(reason: LeftOutReason, code: string, detail?: string): void;
  warning(kind: WarningKind, code: string, detail?: string): void;
  /** Called now and then; `bytes` of unpacked text read so far out of `bytesTotal` where known. */
  progress(bytes: number, bytesTotal: number | undefined): void;
}

/** A source that cannot be imported: one line that says what is wrong and what to do. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}
