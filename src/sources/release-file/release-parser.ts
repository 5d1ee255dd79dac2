/** Reads the XML of a release file into drafts, pushed as each element ends; holds one of them at a time. */
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import type { Concept } from '../../directory/record.ts';
import {
  classCode,
  type DateDraft,
  type LocationDraft,
  type OrganisationDraft,
  type RoleDraft,
  roleCode,
} from './organisation-draft.ts';
import { ParseError } from './parse-error.ts';
import { childPlaces, localName, type Place, type TextPlace } from './release-grammar.ts';
import { checkRoot, webPage } from './release-root.ts';
import { cleanText, TEXT_LENGTH_MAX } from './source-text.ts';

/** What the parser has read; values are as they stand in the file. */
export interface ReleaseEvents {
  /** The values of the Manifest by local name. */
  manifest(values: ReadonlyMap<string, string>): void;
  codeSystems(roles: readonly Concept[], recordClasses: readonly Concept[]): void;
  organisation(draft: OrganisationDraft): void;
}

/** Takes the text of one file in pieces; throws a ParseError or SourceError where it is at fault. */
export class ReleaseParser {
  readonly #events: ReleaseEvents;
  readonly #fileName: string;
  readonly #saxes = new SaxesParser({ position: false, xmlns: false });
  readonly #places: Place[] = ['document'];
  #place: Place = 'document';
  /** How many elements are open inside one that is skipped, that one included. */
  #skippedDepth = 0;
  /** Whether that one is part of an Organisation. */
  #isRecordSkipped = false;
  /** Whether the place is one whose text counts. */
  #isText = false;
  #text = '';
  /** Grows with everything the XML parser reports, to notice when it reports nothing. */
  #eventCount = 0;
  #silentLength = 0;
  /** UTF-16 units of the pieces before the last one. */
  #unitsBefore = 0;
  #units = 0;

  readonly #manifest = new Map<string, string>();
  readonly #roles = new Map<string, Concept>();
  readonly #recordClasses = new Map<string, Concept>();
  #concepts: Map<string, Concept> | undefined;
  #draft: OrganisationDraft = emptyDraft({});
  #draftElements = 0;
  #role: RoleDraft = { id: undefined, primaryRole: undefined, dates: [] };
  #date: DateDraft = {};
  #location: LocationDraft = { lines: [] };

  constructor(fileName: string, events: ReleaseEvents) {
    this.#fileName = fileName;
    this.#events = events;
    const saxes = this.#saxes;
    // With an eighth handler V8 turns the parser into a dictionary, five times slower (measured).
    saxes.on('opentag', (tag) => this.#open(tag));
    saxes.on('closetag', () => this.#close());
    saxes.on('text', this.#addText);
    saxes.on('cdata', this.#addText);
    saxes.on('doctype', (type) => {
      if (/^\s*html\b/i.test(type)) throw webPage(fileName);
      throw new ParseError('it has a DOCTYPE, which no release file has');
    });
    saxes.on('error', (error) => {
      throw new ParseError(error.message.replace(/\.$/, ''));
    });
  }

  /** The number of the line that is being read, from 1. */
  get line(): number {
    return this.#saxes.line;
  }

  /**
   * The position in the last piece, in UTF-16 units. Valid only while that piece is being
   * written.
   */
  get unitsIntoPiece(): number {
    return Math.max(0, this.#saxes.position - this.#unitsBefore);
  }

  /** The code of the Organisation that is being read; empty until the parser has read the code. */
  get openCode(): string | undefined {
    return this.#places.includes('organisation') ? (this.#draft.code ?? '') : undefined;
  }

  /** The next piece of the text; it should not be much longer than 64 Ki characters. */
  write(piece: string): void {
    const before = this.#eventCount;
    this.#unitsBefore = this.#units;
    this.#units += piece.length;
    this.#saxes.write(piece);
    this.#silentLength = before === this.#eventCount ? this.#silentLength + piece.length : 0;
    // The XML parser gathers a text, comment or tag until its end, however long it is.
    if (this.#silentLength > 2 * GATHERED_LENGTH_MAX) throw new ParseError(GATHERED);
  }

  /** After the last piece: throws unless the document is complete. */
  end(): void {
    if (this.#places.length > 1) throw new ParseError('it is cut off there');
    this.#saxes.close();
  }

  readonly #addText = (text: string): void => {
    if (text.length > GATHERED_LENGTH_MAX) throw new ParseError(GATHERED);
    if (!this.#isText || this.#skippedDepth > 0) return;
    this.#text += text;
    if (this.#text.length > TEXT_LENGTH_MAX) throw new ParseError(TEXT);
  };

  #open(tag: SaxesTagPlain): void {
    this.#eventCount++;
    if (this.#skippedDepth > 0) {
      this.#deeper(++this.#skippedDepth);
      if (this.#isRecordSkipped) this.#countElement();
      return;
    }
    const children = childPlaces[this.#place];
    const place = children?.get(tag.name) ?? children?.get(localName(tag.name));
    if (place === undefined || place === 'skipped') this.#skip(tag, place === undefined);
    else {
      this.#places.push(place);
      this.#place = place;
      this.#enter(place, tag);
    }
  }

  #close(): void {
    this.#eventCount++;
    if (this.#skippedDepth > 0) {
      this.#skippedDepth--;
      return;
    }
    const place = this.#place;
    this.#places.pop();
    this.#place = this.#places.at(-1) ?? 'document';
    this.#leave(place);
  }

  #skip(tag: SaxesTagPlain, isUnknown: boolean): void {
    if (this.#place === 'document') checkRoot(tag, undefined, this.#fileName);
    this.#skippedDepth = 1;
    this.#isRecordSkipped = this.#places.includes('organisation');
    if (!this.#isRecordSkipped) return;
    this.#countElement();
    if (isUnknown) this.#draft.unknownElements.push(localName(tag.name));
  }

  #deeper(depth: number): void {
    if (this.#places.length + depth > DEPTH_MAX) {
      throw new ParseError(`its elements are nested more than ${DEPTH_MAX} deep`);
    }
  }

  #countElement(): void {
    if (++this.#draftElements > DRAFT_ELEMENTS_MAX) {
      throw new ParseError(`an Organisation has more than ${DRAFT_ELEMENTS_MAX} elements`);
    }
  }

  #enter(place: Place, tag: SaxesTagPlain): void {
    const attributes = tag.attributes;
    switch (place) {
      case 'root':
        checkRoot(tag, this.#saxes.xmlDecl.encoding, this.#fileName);
        return;
      case 'manifestValue':
        this.#manifest.set(localName(tag.name), cleanText(attributes.value) ?? '');
        return;
      case 'codeSystem':
        this.#concepts = this.#conceptsOf(attributes.name);
        return;
      case 'concept':
        this.#addConcept(attributes);
        return;
      case 'organisation':
        this.#draft = emptyDraft(attributes);
        this.#draftElements = 0;
        return;
      default:
        this.#enterInside(place, attributes);
    }
  }

  #enterInside(place: Place, attributes: Attributes): void {
    this.#countElement();
    const value = attributes.value;
    if (value !== undefined && value.length > TEXT_LENGTH_MAX) throw new ParseError(TEXT);
    const draft = this.#draft;
    switch (place) {
      case 'organisationDate':
        this.#date = {};
        draft.dates.push(this.#date);
        return;
      case 'roleDate':
        this.#date = {};
        this.#role.dates.push(this.#date);
        return;
      case 'dateType':
        this.#date.type ??= value;
        return;
      case 'dateStart':
        this.#date.start ??= value;
        return;
      case 'dateEnd':
        this.#date.end ??= value;
        return;
      case 'orgId':
        draft.code ??= attributes.extension;
        return;
      case 'organisationStatus':
        draft.status ??= value;
        return;
      case 'lastChangeDate':
        draft.lastChangeDate ??= value;
        return;
      case 'location':
        this.#location = { lines: [] };
        draft.locations.push(this.#location);
        return;
      case 'contact':
        draft.contacts.push({ type: attributes.type, value });
        return;
      case 'role':
        this.#role = { id: attributes.id, primaryRole: attributes.primaryRole, dates: [] };
        draft.roles.push(this.#role);
        return;
      case 'roleStatus':
        this.#role.status ??= value;
        return;
      default:
        this.#isText = textPlaces.has(place);
    }
  }

  #leave(place: Place): void {
    if (this.#isText) {
      const text = this.#text;
      this.#isText = false;
      this.#text = '';
      this.#leaveText(place, text);
    } else if (place === 'organisation') {
      this.#events.organisation(this.#draft);
    } else if (place === 'manifest') {
      this.#events.manifest(this.#manifest);
    } else if (place === 'codeSystems') {
      this.#events.codeSystems([...this.#roles.values()], [...this.#recordClasses.values()]);
    }
  }

  #leaveText(place: Place, text: string): void {
    switch (place) {
      case 'name':
        this.#draft.name ??= text;
        return;
      case 'addressLine1':
        this.#location.lines[0] ??= text;
        return;
      case 'addressLine2':
        this.#location.lines[1] ??= text;
        return;
      case 'addressLine3':
        this.#location.lines[2] ??= text;
        return;
      case 'town':
      case 'county':
      case 'postCode':
      case 'country':
      case 'uprn':
        this.#location[place] ??= text;
        return;
      default:
    }
  }

  #conceptsOf(system: string | undefined): Map<string, Concept> | undefined {
    if (system === 'OrganisationRole') return this.#roles;
    if (system === 'OrganisationRecordClass') return this.#recordClasses;
    return undefined;
  }

  #addConcept(attributes: Attributes): void {
    const concepts = this.#concepts;
    if (concepts === undefined) return;
    const toCode = concepts === this.#roles ? roleCode : classCode;
    const code = toCode(attributes.id) ?? toCode(attributes.code);
    if (code === undefined || concepts.has(code)) return;
    if (concepts.size >= CONCEPTS_MAX) {
      throw new ParseError(`a code system has more than ${CONCEPTS_MAX} concepts`);
    }
    const display = cleanText(attributes.displayName);
    concepts.set(code, display === undefined ? { code } : { code, display });
  }
}

type Attributes = SaxesTagPlain['attributes'];

/** Real files are 8 deep. */
const DEPTH_MAX = 64;

/** In UTF-16 units. The XML parser buffers this much before it reports anything. */
const GATHERED_LENGTH_MAX = 65_536;

const GATHERED = `a text, comment or tag is longer than ${GATHERED_LENGTH_MAX} characters`;
const TEXT = `a text of a record is longer than ${TEXT_LENGTH_MAX} characters`;

/** Real records have some hundreds, nearly all of them relationships. */
const DRAFT_ELEMENTS_MAX = 100_000;

/** Real code systems have some 200. */
const CONCEPTS_MAX = 10_000;

const textPlaces: ReadonlySet<Place> = new Set<TextPlace>([
  'name',
  'addressLine1',
  'addressLine2',
  'addressLine3',
  'town',
  'county',
  'postCode',
  'country',
  'uprn',
]);

function emptyDraft(attributes: Attributes): OrganisationDraft {
  return {
    recordClass: attributes.orgRecordClass,
    refOnly: attributes.refOnly,
    dates: [],
    locations: [],
    contacts: [],
    roles: [],
    unknownElements: [],
  };
}
