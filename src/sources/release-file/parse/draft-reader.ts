/** Reads one Organisation element of a release file into a draft. */
import type { StartTag } from '../../../fhir/format/xml-tokenizer/tag.ts';
import { ParseError } from '../../text/parse-error.ts';
import { TEXT_LENGTH_MAX } from '../../text/source-text.ts';
import type {
  DateDraft,
  LocationDraft,
  OrganisationDraft,
  PartDraft,
  RelationshipDraft,
  SuccessionDraft,
  TargetDraft,
} from './draft.ts';
import { type Place, TEXT_PLACES } from './release-grammar.ts';

/** Follows the elements inside an Organisation, and keeps the first value of each. */
export class DraftReader {
  readonly draft: OrganisationDraft;
  /** Whether the text of the open element belongs to the draft. */
  isText = false;
  #text = '';
  #elements = 0;
  /** The role, relationship or succession that was opened last. */
  #part: PartDraft = NO_PART;
  /** The part, if it has a target. */
  #link: RelationshipDraft | SuccessionDraft = NO_PART;
  #succession: SuccessionDraft = NO_PART;
  #target: TargetDraft = {};
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
      relationships: [],
      successions: [],
      unknownElements: [],
    };
  }

  /** Counts an element of the Organisation, skipped elements included. */
  countElement(): void {
    this.#elements += 1;
    if (this.#elements > ELEMENTS_MAX) {
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
        draft.authority ??= tag.valueOf('assigningAuthorityName');
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
      default:
        if (!this.#enterPart(place, tag, value)) this.isText = textPlaces.has(place);
    }
  }

  /** Enters an element of a role, relationship or succession. Returns false for other elements. */
  #enterPart(place: Place, tag: StartTag, value: string | undefined): boolean {
    switch (place) {
      case 'role':
        this.#enterRole(tag);
        return true;
      case 'relationship':
        this.#link = partOf(tag, 'uniqueRelId');
        this.#part = this.#link;
        this.draft.relationships.push(this.#link);
        return true;
      case 'succession':
        this.#succession = partOf(tag, 'uniqueSuccId');
        this.#succession.forward = tag.valueOf('forwardSuccession');
        this.#link = this.#succession;
        this.#part = this.#succession;
        this.draft.successions.push(this.#succession);
        return true;
      case 'partDate':
        this.#date = {};
        this.#part.dates.push(this.#date);
        return true;
      case 'partStatus':
        this.#part.status ??= value;
        return true;
      case 'target':
        this.#target = {};
        this.#link.target ??= this.#target;
        return true;
      case 'targetId':
        this.#target.code ??= tag.valueOf('extension');
        return true;
      case 'targetRole':
        this.#target.role ??= tag.valueOf('id');
        this.#target.roleId ??= tag.valueOf('uniqueRoleId');
        return true;
      default:
        return false;
    }
  }

  #enterRole(tag: StartTag): void {
    const primaryRole = tag.valueOf('primaryRole');
    const role = { ...partOf(tag, 'uniqueRoleId'), primaryRole };
    this.#part = role;
    this.draft.roles.push(role);
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
      case 'successionType':
        this.#succession.type ??= text;
        return;
      case 'forwardSuccession':
        this.#succession.forward ??= text;
        return;
      default:
    }
  }
}

function partOf(tag: StartTag, idName: string): PartDraft {
  return { id: tag.valueOf('id'), uniqueId: tag.valueOf(idName), dates: [] };
}

/** The place of a part before the first one; the grammar allows none of its elements there. */
const NO_PART: PartDraft = { id: undefined, uniqueId: undefined, dates: [] };

const TEXT = `a text of a record is longer than ${TEXT_LENGTH_MAX} characters`;

/** Real records have a few hundred elements, nearly all of them relationships. */
const ELEMENTS_MAX = 100_000;

const textPlaces: ReadonlySet<Place> = new Set(TEXT_PLACES);
