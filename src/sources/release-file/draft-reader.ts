/** Reads one Organisation element of a release file into a draft. */
import type { StartTag } from '../../fhir/format/xml-tokenizer/tag.ts';
import type { DateDraft, LocationDraft, OrganisationDraft, RoleDraft } from './draft.ts';
import { ParseError } from './parse-error.ts';
import type { Place, TextPlace } from './release-grammar.ts';
import { TEXT_LENGTH_MAX } from './source-text.ts';

/** Follows the elements inside an Organisation, and keeps the first value of each. */
export class DraftReader {
  readonly draft: OrganisationDraft;
  /** Whether the text of the open element belongs to the draft. */
  isText = false;
  #text = '';
  #elements = 0;
  #role: RoleDraft = { id: undefined, primaryRole: undefined, dates: [] };
  #date: DateDraft = {};
  #location: LocationDraft = { lines: [] };

  constructor(tag?: StartTag) {
    this.draft = {
      recordClass: tag?.valueOf('orgRecordClass'),
      refOnly: tag?.valueOf('refOnly'),
      dates: [],
      locations: [],
      contacts: [],
      roles: [],
      unknownElements: [],
    };
  }

  /** Counts an element of the Organisation, skipped elements included. */
  countElement(): void {
    if (++this.#elements > ELEMENTS_MAX) {
      throw new ParseError(`an Organisation has more than ${ELEMENTS_MAX} elements`);
    }
  }

  enter(place: Place, tag: StartTag): void {
    this.countElement();
    const value = tag.valueOf('value');
    if (value !== undefined && value.length > TEXT_LENGTH_MAX) throw new ParseError(TEXT);
    const { draft } = this;
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
        draft.code ??= tag.valueOf('extension');
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
        draft.contacts.push({ type: tag.valueOf('type'), value });
        return;
      case 'role':
        this.#role = { id: tag.valueOf('id'), primaryRole: tag.valueOf('primaryRole'), dates: [] };
        draft.roles.push(this.#role);
        return;
      case 'roleStatus':
        this.#role.status ??= value;
        return;
      default:
        this.isText = textPlaces.has(place);
    }
  }

  addText(text: string): void {
    this.#text += text;
    if (this.#text.length > TEXT_LENGTH_MAX) throw new ParseError(TEXT);
  }

  /** Ends an element whose text belongs to the draft. */
  leaveText(place: Place): void {
    const text = this.#text;
    this.isText = false;
    this.#text = '';
    switch (place) {
      case 'name':
        this.draft.name ??= text;
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
}

const TEXT = `a text of a record is longer than ${TEXT_LENGTH_MAX} characters`;

/** Real records have a few hundred elements, nearly all of them relationships. */
const ELEMENTS_MAX = 100_000;

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
