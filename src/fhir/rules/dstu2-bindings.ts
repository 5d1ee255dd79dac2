/** Required value sets of DSTU2 that the schemas do not list: languages, media types, and others. */
import { type FhirValue, isObject } from '../format/resource.ts';
import { itemsOf } from './invariant.ts';

/** Whether the text has the form of a language tag. The language itself need not exist. */
function isLanguageTag(text: string): boolean {
  return text.length <= TAG_LENGTH_MAX && (tag.test(text) || irregular.test(text));
}

/** Far more than the 35 characters that RFC 5646 recommends to support. */
const TAG_LENGTH_MAX = 255;

const LANGUAGE = '(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})';
const SCRIPT = '(?:-[a-z]{4})?';
const REGION = '(?:-(?:[a-z]{2}|[0-9]{3}))?';
const VARIANTS = '(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*';
const EXTENSIONS = '(?:-[0-9a-wy-z](?:-[a-z0-9]{2,8})+)*';
const PRIVATE = 'x(?:-[a-z0-9]{1,8})+';

/** https://www.rfc-editor.org/rfc/rfc5646#section-2.1 */
const tag = new RegExp(
  `^(?:${LANGUAGE}${SCRIPT}${REGION}${VARIANTS}${EXTENSIONS}(?:-${PRIVATE})?|${PRIVATE})$`,
  'i',
);
const irregular = /^(?:en-gb-oed|sgn-(?:be-fr|be-nl|ch-de)|i-[a-z]{2,8})$/i;

export interface Binding {
  /** True for values of another form than the element's, which other checks report. */
  readonly isMet: (value: FhirValue) => boolean;
  readonly expected: string;
}

const language: Binding = {
  isMet: (value) => typeof value !== 'string' || isLanguageTag(value),
  expected: 'a language tag of BCP 47, such as en-GB',
};

/** https://www.rfc-editor.org/rfc/rfc2045#section-5.1; parameters are not checked. */
const mediaTypePattern =
  /^[!#$%&'*+.^_`{|}~0-9A-Za-z-]+\/[!#$%&'*+.^_`{|}~0-9A-Za-z-]+(?:\s*;.*)?$/;

const mediaType: Binding = {
  isMet: (value) => typeof value !== 'string' || mediaTypePattern.test(value),
  expected: 'a media type, such as text/plain',
};

/** Any code system is allowed, because profiles name different ones. */
const languageConcept: Binding = {
  isMet: someCoding((_system, code) => isLanguageTag(code)),
  expected: 'a coding with a language tag of BCP 47, such as en-GB',
};

const MARITAL_STATUS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['http://hl7.org/fhir/v3/MaritalStatus', ['A', 'D', 'I', 'L', 'M', 'P', 'S', 'T', 'W']],
  ['http://hl7.org/fhir/marital-status', ['U']],
  ['http://hl7.org/fhir/v3/NullFlavor', ['UNK']],
]);

const maritalStatus: Binding = {
  isMet: someCoding((system, code) => MARITAL_STATUS.get(system)?.includes(code) === true),
  expected:
    'a coding of the value set marital-status, such as M of http://hl7.org/fhir/v3/MaritalStatus',
};

/**
 * By the name of the element, as for invariants. Except for the marital status, the server does not
 * check value sets that include codes of external code systems.
 */
export const DSTU2_BINDINGS: Readonly<Record<string, Binding>> = {
  'Attachment.contentType': mediaType,
  'Attachment.language': language,
  'Binary.contentType': mediaType,
  'Patient.communication.language': languageConcept,
  'Patient.maritalStatus': maritalStatus,
  'Practitioner.communication': languageConcept,
  'Resource.language': language,
  'ValueSet.codeSystem.concept.designation.language': language,
};

/** One of several codings must be in the value set. A concept with only a text is valid. */
function someCoding(isMet: (system: unknown, code: string) => boolean): Binding['isMet'] {
  return (value) => {
    if (!isObject(value)) return true;
    const codings = itemsOf(value, 'coding');
    return (
      codings.length === 0 ||
      codings.some(({ system, code }) => typeof code === 'string' && isMet(system, code))
    );
  };
}
