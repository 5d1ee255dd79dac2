/** The state of one release file that is being read, and the checks that need the whole file. */

import type { TopUp } from '../../../directory/import/top-up.ts';
import type { CodeSystems, SourceRecord } from '../../../directory/record/record.ts';
import {
  type Manifest,
  SourceError,
  type SourceReceiver,
  type WarningKind,
} from '../../../directory/record/source.ts';
import { roleName } from '../../text/source-codes.ts';
import { isDate, printable, quoted } from '../../text/source-text.ts';
import { type CodeCheck, createCodeCheck } from './code-check.ts';
import type { OrganisationDraft } from './draft.ts';
import { recordFromDraft } from './organisation-draft.ts';
import { ReleaseParser } from './release-parser.ts';

export interface ReleaseSummary {
  readonly manifest: Manifest;
  /** Organisation elements, as RecordCount counts them. */
  readonly elementsRead: number;
  /** Records given to the receiver. A code that occurs twice in the file counts twice. */
  readonly recordsRead: number;
  readonly recordsLeftOut: number;
  readonly bytesRead: number;
}

/** How much of a file has been read. */
export interface ReadCounts {
  readonly elements: number;
  readonly records: number;
  readonly lineBreaks: number;
  /** The code of the last element, for messages. */
  readonly lastCode: string;
}

export class ReleaseReading {
  readonly #name: string;
  #receiver: SourceReceiver;
  readonly #topUp: TopUp | undefined;
  readonly #parser: ReleaseParser;
  #manifest: Manifest | undefined;
  #hasCodeSystems = false;
  readonly #roles: CodeCheck;
  readonly #relationships: CodeCheck;
  readonly #recordClasses: CodeCheck;
  #hasStarted = false;
  #elementsRead = 0;
  #recordsRead = 0;
  #lastCode = '';
  /** The number of warnings about records. */
  #warnings = 0;

  constructor(name: string, receiver: SourceReceiver, topUp: TopUp | undefined) {
    this.#name = name;
    this.#receiver = receiver;
    this.#topUp = topUp;
    this.#roles = createCodeCheck((organisation, code, note) =>
      this.#warn('unknown-role', organisation, roleName(code) + note),
    );
    this.#relationships = createCodeCheck((organisation, code, note) =>
      this.#warn('unknown-relationship', organisation, `RE${code}${note}`),
    );
    this.#recordClasses = createCodeCheck((organisation, code, note) =>
      this.#warn('unknown-record-class', organisation, `RC${code}${note}`),
    );
    this.#parser = new ReleaseParser(name, {
      manifest: (values, primaryRoles) => this.#readManifest(values, primaryRoles),
      codeSystems: (systems) => this.#readCodeSystems(systems),
      organisation: (draft) => this.#readOrganisation(draft),
    });
  }

  /** Throws a SourceError if the file does not start like XML. */
  checkStart(bytes: Uint8Array): void {
    if (this.#hasStarted) return;
    const first = bytes.findIndex((byte) => !skippedAtStart.has(byte));
    if (first === -1) return;
    if (bytes[first] !== lessThan) {
      const start = textOf(bytes.subarray(first, first + 20));
      const shown = start === undefined ? 'binary data' : quoted(start);
      throw new SourceError(
        `${this.#name} is in no format that can be imported: it starts with ${shown}. Give a ` +
          'release as a zip or XML, or STU3 Organizations as NDJSON or as a Bundle in JSON or ' +
          'XML. XML, JSON and NDJSON may be gzipped.',
      );
    }
    this.#hasStarted = true;
  }

  write(piece: Uint8Array): void {
    this.#parser.write(piece);
  }

  /** The bytes up to the first Organisation; undefined if they have not been read. */
  get headBytes(): number | undefined {
    return this.#parser.headBytes;
  }

  /** Whether threads can read the next Organisation elements. They need the head of the file. */
  get isBetweenRecords(): boolean {
    this.#parser.flush();
    const isWhole = this.#hasCodeSystems && this.#manifest?.publicationType === 'Full';
    return isWhole && this.#parser.isBetweenRecords;
  }

  get counts(): ReadCounts & { readonly warnings: number } {
    return {
      elements: this.#elementsRead,
      records: this.#recordsRead,
      lineBreaks: this.#parser.lineBreaks,
      lastCode: this.#lastCode,
      warnings: this.#warnings,
    };
  }

  /** Skips whole Organisation elements that another reading has read. */
  skip(bytes: number, { elements, records, lineBreaks, lastCode }: ReadCounts): void {
    this.#parser.skip(bytes, lineBreaks);
    this.#elementsRead += elements;
    this.#recordsRead += records;
    this.#lastCode = lastCode;
  }

  end(bytesRead: number): ReleaseSummary {
    if (!this.#hasStarted) throw new SourceError(`${this.#name} is empty: ${fetchAgain}.`);
    this.#parser.end();
    const manifest = this.#manifest;
    if (manifest === undefined) throw this.#noManifest();
    if (this.#elementsRead !== manifest.recordCount) {
      throw new SourceError(
        `${this.#name} says it has ${manifest.recordCount} records (RecordCount) but has ` +
          `${this.#elementsRead}: ${fetchAgain}.`,
      );
    }
    if (!this.#hasCodeSystems) {
      this.#readCodeSystems({ roles: [], relationships: [], recordClasses: [] });
    }
    return {
      manifest,
      elementsRead: this.#elementsRead,
      recordsRead: this.#recordsRead,
      recordsLeftOut: this.#elementsRead - this.#recordsRead,
      bytesRead,
    };
  }

  /** Makes the error for a fault in the file, with its record, line and byte. */
  fault(message: string, markBytes: number): SourceError {
    const { line, byte } = this.#parser.position;
    return new SourceError(
      `${this.#name} cannot be read beyond line ${line} (byte ${markBytes + byte})` +
        `${this.#whichRecord()}: ${printable(message)}. ` +
        'Fetch the release again (TRUD item 341), and give the file unchanged.',
    );
  }

  /** The record with the fault, and the number of complete records before it. */
  #whichRecord(): string {
    const { openCode } = this.#parser;
    const count = `after ${this.#elementsRead} records`;
    if (openCode === undefined) return `, ${count}`;
    if (openCode !== '') return `, in the record ${printable(openCode)}, ${count}`;
    const before =
      this.#lastCode === '' ? 'the first record' : `the record after ${this.#lastCode}`;
    return `, in ${before}, ${count}`;
  }

  #readManifest(values: ReadonlyMap<string, string>, primaryRoles: readonly string[]): void {
    if (this.#manifest !== undefined) {
      throw new SourceError(`${this.#name} has two manifests: ${fetchAgain}.`);
    }
    const manifest = manifestOf(this.#name, values, primaryRoles);
    this.#manifest = manifest;
    if (manifest.publicationType !== 'Full') {
      if (this.#topUp === undefined) throw wrongType(this.#name, manifest.publicationType);
      this.#receiver = this.#topUp.wholeRecords(this.#name);
    }
    this.#receiver.manifest(manifest);
  }

  #readCodeSystems(systems: CodeSystems): void {
    if (this.#hasCodeSystems) {
      throw new SourceError(`${this.#name} has two lists of code systems: ${fetchAgain}.`);
    }
    this.#hasCodeSystems = true;
    this.#receiver.codeSystems(systems);
    this.#roles.know(systems.roles);
    this.#relationships.know(systems.relationships);
    this.#recordClasses.know(systems.recordClasses);
  }

  #readOrganisation(draft: OrganisationDraft): void {
    if (this.#manifest === undefined) throw this.#noManifest();
    this.#elementsRead++;
    this.#lastCode = printable(draft.code ?? '');
    const outcome = recordFromDraft(draft, this.#manifest.publicationDate);
    if ('leftOut' in outcome) {
      this.#receiver.leftOut(outcome.leftOut, outcome.code, outcome.detail);
      return;
    }
    const { record, warnings } = outcome;
    for (const { kind, detail } of warnings) this.#warn(kind, record.code, detail);
    this.#checkCodes(record);
    this.#recordsRead++;
    this.#receiver.record(record);
  }

  #warn(kind: WarningKind, code: string, detail?: string): void {
    this.#warnings++;
    this.#receiver.warning(kind, code, detail);
  }

  #checkCodes({ code, roles, relationships = [], recordClass }: SourceRecord): void {
    for (const role of roles) this.#roles.check(role.code, code);
    for (const { type } of relationships) this.#relationships.check(type, code);
    if (recordClass !== undefined) this.#recordClasses.check(recordClass, code);
  }

  #noManifest(): SourceError {
    return new SourceError(
      `${this.#name} has no manifest before its organisations: ${fetchAgain}.`,
    );
  }
}

/** Returns undefined for bytes that are not text in UTF-8. The last character may be incomplete. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return /(?!\s)\p{C}/u.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

const lessThan = 0x3c;

/** White space, and the three bytes of a byte order mark. */
const skippedAtStart: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf]);

const fetchAgain = 'fetch the release again (TRUD item 341)';

function manifestOf(
  name: string,
  values: ReadonlyMap<string, string>,
  primaryRoles: readonly string[],
): Manifest {
  const value = (element: string): string => values.get(element) ?? '';
  const version = value('Version');
  if (version !== '2-0-0') {
    throw new SourceError(
      `${name} is in version ${quoted(version)} of the format, and this program reads 2-0-0: ` +
        'fetch the release in that version.',
    );
  }
  const publicationType = value('PublicationType');
  if (!PUBLICATION_TYPES.has(publicationType)) throw wrongType(name, publicationType);
  const publicationDate = value('PublicationDate');
  if (!isDate(publicationDate)) {
    throw new SourceError(
      `${name} has no valid PublicationDate (${quoted(publicationDate)}): ${fetchAgain}.`,
    );
  }
  if (!/^\d{1,9}$/.test(value('RecordCount'))) {
    throw new SourceError(
      `${name} has no valid RecordCount (${quoted(value('RecordCount'))}): ${fetchAgain}.`,
    );
  }
  const sequenceNumber = value('PublicationSeqNum');
  return {
    publicationDate,
    recordCount: Number(value('RecordCount')),
    publicationType,
    ...(sequenceNumber !== '' && { sequenceNumber }),
    hasRelations: true,
    values: Object.fromEntries(OTHER_VALUES.map((element) => [element, value(element)])),
    primaryRoles,
  };
}

/** The values of a manifest that the program does not use. An export writes them again. */
const OTHER_VALUES = ['PublicationSource', 'FileCreationDateTime', 'ContentDescription'];

/** A whole directory, or changes: of a period, or the records of ORD. */
const PUBLICATION_TYPES: ReadonlySet<string> = new Set(['Full', 'Partial', 'APISync']);

function wrongType(name: string, publicationType: string): SourceError {
  return new SourceError(
    `${name} has the PublicationType ${quoted(publicationType)}, which this program does not read. ` +
      'Give the full file of a release ("Full", TRUD item 341), or a file of changes ("Partial" or ' +
      '"APISync").',
  );
}
