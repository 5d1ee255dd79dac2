/** Reads the XML of a release file, and reports each Organisation as a draft when its element ends. */

import type { CodeSystems } from '../../../directory/record/record.ts';
import { SourceError } from '../../../directory/record/source.ts';
import type { StartTag, XmlEvents } from '../../../fhir/format/xml-tokenizer/tag.ts';
import { XmlTokenizer } from '../../../fhir/format/xml-tokenizer/tokenizer.ts';
import { XmlError } from '../../../fhir/format/xml-tokenizer/window.ts';
import { ParseError } from '../../text/parse-error.ts';
import { roleCode } from '../../text/source-codes.ts';
import { cleanText, quoted } from '../../text/source-text.ts';
import { CodeSystemReader } from './code-system-reader.ts';
import type { OrganisationDraft } from './draft.ts';
import { DraftReader } from './draft-reader.ts';
import { childPlaces, type Place } from './release-grammar.ts';

/** Receives what the parser reads. Values are the unchanged values of the file. */
interface ReleaseEvents {
  /** The values of the Manifest by local name, and the codes of its PrimaryRoleScope. */
  manifest(values: ReadonlyMap<string, string>, primaryRoles: readonly string[]): void;
  codeSystems(systems: CodeSystems): void;
  organisation(draft: OrganisationDraft): void;
}

/** Takes the bytes of one file in pieces; throws a ParseError or SourceError for a fault in them. */
export class ReleaseParser implements XmlEvents {
  readonly #events: ReleaseEvents;
  readonly #fileName: string;
  readonly #tokenizer = new XmlTokenizer(this, {
    tokenBytesMax: GATHERED_BYTES_MAX,
    refuseToken: () => {
      throw new ParseError(GATHERED);
    },
  });
  readonly #places: Place[] = ['document'];
  #place: Place = 'document';
  /** The number of open elements from the skipped one inwards; 0 if none is skipped. */
  #skippedDepth = 0;
  /** Whether the skipped element is part of an Organisation. */
  #isRecordSkipped = false;
  /** Bytes of text since the last tag. */
  #textBytes = 0;
  #headBytes: number | undefined;
  /** The number of Organisations elements. Files have one. */
  #sections = 0;
  /** The offset of the fault that was found. */
  #faultAt: number | undefined;

  readonly #manifest = new Map<string, string>();
  readonly #primaryRoles = new Set<string>();
  readonly #codeSystems = new CodeSystemReader();
  #draft = new DraftReader();

  constructor(fileName: string, events: ReleaseEvents) {
    this.#fileName = fileName;
    this.#events = events;
  }

  /** Where the fault is, or else the end of what was written: the line from 1, and the byte. */
  get position(): { readonly line: number; readonly byte: number } {
    const byte = this.#faultAt ?? this.#tokenizer.bytesWritten;
    return { line: this.#tokenizer.lineOf(byte), byte };
  }

  /** The bytes up to the first Organisation; undefined if the parser has not read them. */
  get headBytes(): number | undefined {
    return this.#headBytes;
  }

  /**
   * Whether everything that was written has been read, and only the root and its first Organisations
   * element are open.
   */
  get isBetweenRecords(): boolean {
    const isBetween = this.#place === 'organisations' && this.#skippedDepth === 0;
    return isBetween && this.#sections === 1 && this.#tokenizer.isBetweenTokens;
  }

  get lineBreaks(): number {
    return this.#tokenizer.lineBreaks;
  }

  /** The code of the Organisation that is being read; empty until the parser has read the code. */
  get openCode(): string | undefined {
    return this.#places.includes('organisation') ? (this.#draft.draft.code ?? '') : undefined;
  }

  /** The next bytes of the file: UTF-8, whole characters, no byte order mark. */
  write(piece: Uint8Array): void {
    this.#noteFault(() => this.#tokenizer.write(piece));
  }

  /** Reads all complete tokens. `write` may wait for more bytes. */
  flush(): void {
    this.#noteFault(() => this.#tokenizer.flush());
  }

  /** Skips whole Organisation elements that another parser has read. */
  skip(bytes: number, lineBreaks: number): void {
    this.#tokenizer.skip(bytes, lineBreaks);
  }

  /** After the last piece: throws unless the document is complete. */
  end(): void {
    this.flush();
    if (this.#places.length > 1) throw new ParseError('it is cut off there');
    this.#noteFault(() => this.#tokenizer.end());
  }

  #noteFault(read: () => void): void {
    try {
      read();
    } catch (error) {
      if (!(error instanceof XmlError)) {
        this.#faultAt = this.#tokenizer.tokenEnd;
        throw error;
      }
      // Messages name the position after the byte at fault.
      this.#faultAt = error.offset + 1;
      throw new ParseError(error.message);
    }
  }

  doctype(name: string): never {
    if (/^html$/i.test(name)) throw webPage(this.#fileName);
    throw new ParseError('it has a DOCTYPE, which no release file has');
  }

  text(length: number, text: () => string): void {
    this.#textBytes += length;
    if (this.#textBytes > GATHERED_BYTES_MAX) throw new ParseError(GATHERED);
    if (this.#skippedDepth === 0 && this.#draft.isText) this.#draft.addText(text());
  }

  open(tag: StartTag): void {
    this.#textBytes = 0;
    if (this.#skippedDepth > 0) {
      this.#deeper(++this.#skippedDepth);
      if (this.#isRecordSkipped) this.#draft.countElement();
      return;
    }
    const { local } = tag.name;
    const children = childPlaces[this.#place];
    const place = children?.get(local);
    if (place === undefined) {
      this.#skip(tag);
    } else {
      this.#places.push(place);
      this.#place = place;
      this.#enter(place, tag);
    }
  }

  close(): void {
    this.#textBytes = 0;
    if (this.#skippedDepth > 0) {
      this.#skippedDepth--;
      return;
    }
    const place = this.#place;
    this.#places.pop();
    this.#place = this.#places.at(-1) ?? 'document';
    this.#leave(place);
  }

  #skip(tag: StartTag): void {
    if (this.#place === 'document') checkRoot(tag, undefined, this.#fileName);
    this.#skippedDepth = 1;
    this.#isRecordSkipped = this.#places.includes('organisation');
    if (!this.#isRecordSkipped) return;
    this.#draft.countElement();
    this.#draft.draft.unknownElements.push(tag.name.local);
  }

  #deeper(depth: number): void {
    if (this.#places.length + depth > DEPTH_MAX) {
      throw new ParseError(`its elements are nested more than ${DEPTH_MAX} deep`);
    }
  }

  #enter(place: Place, tag: StartTag): void {
    switch (place) {
      case 'root':
        checkRoot(tag, this.#tokenizer.encoding, this.#fileName);
        return;
      case 'manifestValue':
        this.#manifest.set(tag.name.local, cleanText(tag.valueOf('value')) ?? '');
        return;
      case 'primaryRole':
        this.#addPrimaryRole(roleCode(tag.valueOf('id')));
        return;
      case 'codeSystem':
        this.#codeSystems.open(tag);
        return;
      case 'concept':
        this.#codeSystems.addConcept(tag);
        return;
      case 'organisation':
        this.#draft = new DraftReader(tag);
        return;
      case 'organisations':
        this.#sections += 1;
        this.#headBytes ??= this.#tokenizer.tokenEnd;
        this.#draft.enter(place, tag);
        return;
      default:
        this.#draft.enter(place, tag);
    }
  }

  #leave(place: Place): void {
    if (this.#draft.isText) {
      this.#draft.leaveText(place);
    } else if (place === 'organisation') {
      this.#events.organisation(this.#draft.draft);
    } else if (place === 'manifest') {
      this.#events.manifest(this.#manifest, [...this.#primaryRoles]);
    } else if (place === 'codeSystems') {
      this.#events.codeSystems(this.#codeSystems.systems);
    }
  }

  #addPrimaryRole(code: string | undefined): void {
    if (code !== undefined && this.#primaryRoles.size < PRIMARY_ROLES_MAX) {
      this.#primaryRoles.add(code);
    }
  }
}

/** Real files have about 100. */
const PRIMARY_ROLES_MAX = 10_000;

/** Real files have 8 levels. */
const DEPTH_MAX = 64;

/** The most bytes of an incomplete text, comment or tag to keep in memory. */
const GATHERED_BYTES_MAX = 65_536;

const GATHERED = `a text, comment or tag is longer than ${GATHERED_BYTES_MAX} characters`;

/** Throws unless the tag is the root of a release file in the supported version. */
function checkRoot(tag: StartTag, encoding: string | undefined, fileName: string): void {
  const { qualified, local } = tag.name;
  if (/^html$/i.test(qualified)) throw webPage(fileName);
  if (encoding !== undefined && !/^(utf-?8|us-ascii)$/i.test(encoding)) {
    throw new ParseError(`the XML declaration says ${quoted(encoding)}, but a release is in UTF-8`);
  }
  if (local !== 'OrgRefData') {
    throw new SourceError(
      `${fileName} is not a release file: its root element is ${quoted(qualified)} instead of ` +
        'HSCOrgRefData:OrgRefData. Give the file as TRUD item 341 has it.',
    );
  }
  if (tag.namespace === RELEASE_NAMESPACE) return;
  throw new SourceError(
    `${fileName} is in the namespace ${quoted(tag.namespace)}, and this program reads ` +
      `${RELEASE_NAMESPACE}: fetch the release in that version.`,
  );
}

/** A browser or script saves such a page when the server requires a log-in. */
function webPage(fileName: string): SourceError {
  return new SourceError(
    `${fileName} is a web page (HTML), perhaps a log-in page, and not a release: log in to TRUD, ` +
      'fetch item 341 again, and give the zip.',
  );
}

const RELEASE_NAMESPACE = 'http://refdata.hscic.gov.uk/org/v2-0-0';
