/**
 * Selects the format of an answer: `_format`, then `Accept`, then the service's default.
 * https://hl7.org/fhir/STU3/http.html#mime-type
 */
import { FHIR_VERSIONS, type FhirVersion } from '../definitions/fhir-version.ts';
import { FhirError, type Issue } from '../request/fhir-error.ts';
import type { FhirRequest } from '../request/request.ts';
import { headerOf, parseHeaderElement, parseHeaderList, weightOf } from './headers.ts';
import { memoize } from './memoize.ts';
import { firstValues } from './query-string.ts';

export type Format = 'json' | 'xml';

/** The form of an answer's body. */
export interface Form {
  readonly format: Format;
  /** With `charset=utf-8`. */
  readonly contentType: string;
  readonly isPretty: boolean;
}

export interface Negotiated {
  readonly form: Form;
  /** Why `_format` or `_pretty` is not valid; the form then ignores the parameter. */
  readonly issue?: Issue;
}

export interface Negotiation {
  readonly version: MediaTypes;
  readonly defaultFormat: Format;
}

/** The media types of a FHIR version, or of a service that is not FHIR. */
type MediaTypes = Pick<FhirVersion, 'mediaTypes' | 'mediaTypeVersion'>;

/** Throws `not-acceptable` if `Accept` names only types that no service has. */
export type Negotiate = (request: {
  readonly accept: string | undefined;
  readonly format: string | undefined;
  readonly pretty: string | undefined;
}) => Negotiated;

/** A negotiator for one service. It parses each value of `Accept` once. */
export function createNegotiate(negotiation: Negotiation): Negotiate {
  const known = memoize((accept) => formOfAccept(accept, negotiation));
  const acceptedForm = (accept = '*/*'): Form => {
    const form = known(accept);
    if (form === undefined) throw notAcceptable(accept, negotiation.version);
    return form;
  };

  return ({ accept, format, pretty }) => {
    if (format === undefined) return withPretty({ form: acceptedForm(accept) }, pretty);
    const asked = formatNamed(format);
    const version = parseHeaderElement(format).parameters.get('fhirversion');
    const isOther = isOtherVersion(version, negotiation.version);
    if (asked === undefined || isOther) {
      const remedy = isOther ? `. Send it${versionRemedy(negotiation.version)}.` : '';
      const issue: Issue = {
        kind: 'invalid-value',
        diagnostics: `Unknown content type specified "${format}"${remedy}`,
        location: 'http._format',
      };
      return withPretty({ form: acceptedForm(accept), issue }, pretty);
    }
    return withPretty({ form: formalForm(asked, negotiation.version) }, pretty);
  };
}

/** The form of the answer. Throws if `_format` or `_pretty` is not valid. */
export function validForm({ form, issue }: Negotiated): Form {
  if (issue !== undefined) throw new FhirError([issue]);
  return form;
}

/**
 * The negotiators of a service. If the client names no format, a service that reads resources
 * answers in the format of the body.
 */
export function createNegotiators(
  { version, defaultFormat }: Negotiation,
  readsResources: boolean,
): (bodyFormat: Format | undefined) => Negotiate {
  const own = createNegotiate({ version, defaultFormat });
  if (!readsResources) return () => own;
  const other = createNegotiate({ version, defaultFormat: otherFormat(defaultFormat) });
  return (bodyFormat) => (bodyFormat === undefined || bodyFormat === defaultFormat ? own : other);
}

function otherFormat(format: Format): Format {
  return format === 'json' ? 'xml' : 'json';
}

/** The form of an outcome if the preferences of the request cannot be met. */
export function defaultForm({ version, defaultFormat }: Negotiation): Form {
  return formalForm(defaultFormat, version);
}

/** The format that a value of `_format` names. Parameters of a media type are ignored. */
export function formatNamed(format: string): Format | undefined {
  const { text } = parseHeaderElement(format);
  return MEDIA_TYPES.get(text.toLowerCase().replaceAll(' ', '+'));
}

/** Whether a list of media types, as in Accept, contains one of FHIR's media types. */
function namesFhir(mediaTypes: string): boolean {
  return parseAccept(mediaTypes).some(({ type, q }) => q > 0 && FHIR_TYPES.has(type));
}

/** Whether Accept names HTML, as the header of every browser does. */
export function namesHtml(accept: string): boolean {
  return parseAccept(accept).some(({ type, q }) => q > 0 && type === HTML_TYPE);
}

/** The format that a media type of any FHIR version names. */
export function formatOfMediaType(type: string): Format | undefined {
  return type.includes('/') ? MEDIA_TYPES.get(type) : undefined;
}

/** The names of the two formats, in `_format` and in Accept, of all FHIR versions. */
const MEDIA_TYPES: ReadonlyMap<string, Format> = new Map(
  (['json', 'xml'] as const).flatMap((format) =>
    [
      format,
      `application/${format}`,
      `text/${format}`,
      ...FHIR_VERSIONS.map(({ mediaTypes }) => mediaTypes[format]),
    ].map((name) => [name, format] as const),
  ),
);

const HTML_TYPE = 'text/html';

const FHIR_TYPES = new Set([...MEDIA_TYPES.keys()].filter((type) => type.includes('fhir')));

function formalForm(format: Format, version: MediaTypes): Form {
  return {
    format,
    contentType: `${version.mediaTypes[format]}; charset=utf-8`,
    isPretty: false,
  };
}

function withPretty(negotiated: Negotiated, pretty: string | undefined): Negotiated {
  if (pretty === undefined) return negotiated;
  if (pretty === 'true' || pretty === 'false') {
    return { ...negotiated, form: { ...negotiated.form, isPretty: pretty === 'true' } };
  }
  if (negotiated.issue !== undefined) return negotiated;
  return {
    form: negotiated.form,
    issue: {
      kind: 'invalid-value',
      diagnostics: `Invalid _pretty parameter "${pretty}". Must be true or false.`,
      location: 'http._pretty',
    },
  };
}

interface MediaRange {
  readonly type: string;
  readonly q: number;
  readonly fhirVersion: string | undefined;
}

/** The form that an Accept header asks for; undefined if it names only types that we lack. */
function formOfAccept(accept: string, negotiation: Negotiation): Form | undefined {
  const { version, defaultFormat } = negotiation;
  const ranges = parseAccept(accept);
  if (ranges.length === 0) return formalForm(defaultFormat, version);
  const candidates = ranges.flatMap((range, order) => {
    if (isOtherVersion(range.fhirVersion, version)) return [];
    const form = formOfRange(range, negotiation);
    if (form === undefined || range.q === 0) return [];
    return [{ form, q: range.q, order, exactness: exactnessOf(range.type) }];
  });
  const refused = new Set(
    ranges.flatMap(({ type, q }) => (q === 0 ? (MEDIA_TYPES.get(type) ?? []) : [])),
  );
  candidates.sort(
    (a, b) =>
      b.q - a.q ||
      b.exactness - a.exactness ||
      Number(b.form.format === defaultFormat) - Number(a.form.format === defaultFormat) ||
      a.order - b.order,
  );
  const best = candidates.find(({ form, exactness }) => exactness > 0 || !refused.has(form.format));
  if (best !== undefined) return best.form;
  // A wildcard beside a refused default still leaves the other format.
  const other = otherFormat(defaultFormat);
  const isOpen = candidates.length > 0 && !refused.has(other);
  return isOpen ? formalForm(other, version) : undefined;
}

/** A browser's address bar asks for `text/html` and gets the default format, indented. */
function formOfRange(
  { type, fhirVersion }: MediaRange,
  { version, defaultFormat }: Negotiation,
): Form | undefined {
  const format = MEDIA_TYPES.get(type);
  if (format !== undefined) {
    const isShortName = !type.includes('/');
    const name = isShortName ? version.mediaTypes[format] : type;
    const isEchoed = fhirVersion !== undefined && version.mediaTypeVersion !== undefined;
    const parameter = isEchoed ? `; fhirVersion=${fhirVersion}` : '';
    return { format, contentType: `${name}${parameter}; charset=utf-8`, isPretty: false };
  }
  if (type === '*/*' || type === '*' || type === 'application/*' || type === 'text/*') {
    return formalForm(defaultFormat, version);
  }
  if (type === HTML_TYPE) return { ...formalForm(defaultFormat, version), isPretty: true };
  return undefined;
}

/** Of two media types with the same weight, the more exact one counts: FHIR, then HTML, then any. */
function exactnessOf(type: string): 0 | 1 | 2 {
  if (MEDIA_TYPES.has(type)) return 2;
  return type === HTML_TYPE ? 1 : 0;
}

/** Whether a media type names another FHIR version than that of the service. */
export function isOtherVersion(
  fhirVersion: string | undefined,
  { mediaTypeVersion }: Pick<MediaTypes, 'mediaTypeVersion'>,
): boolean {
  return (
    fhirVersion !== undefined && mediaTypeVersion !== undefined && fhirVersion !== mediaTypeVersion
  );
}

/** The media ranges of an Accept header. All parameters except `q` and `fhirVersion` are ignored. */
function parseAccept(accept: string): MediaRange[] {
  return parseHeaderList(accept).flatMap((element) => {
    if (element.text === '') return [];
    const fhirVersion = element.parameters.get('fhirversion');
    return [{ type: element.text.toLowerCase(), q: weightOf(element, 1), fhirVersion }];
  });
}

function notAcceptable(accept: string, version: MediaTypes): FhirError {
  const { json, xml } = version.mediaTypes;
  const remedy = versionRemedy(version);
  return FhirError.of(
    'not-acceptable',
    `The server cannot answer as "${accept}". Send Accept: ${json} or ${xml}` +
      `${remedy === '' ? '' : `,${remedy}`}.`,
  );
}

/** The end of a sentence that says which media types to send. */
function versionRemedy({ mediaTypeVersion }: MediaTypes): string {
  if (mediaTypeVersion === undefined) return '';
  return ` without fhirVersion or with fhirVersion=${mediaTypeVersion}`;
}

/** What a request asks for, as it is written. */
export interface RequestPreferences {
  /** The header Accept. */
  readonly accept: string | undefined;
  /** The parameters `_format` and `_pretty`. */
  readonly format: string | undefined;
  readonly pretty: string | undefined;
}

/** The preferences of a request. Of repeated parameters the first counts; a search refuses them. */
export function preferencesOf(request: FhirRequest): RequestPreferences {
  const accept = headerOf(request, 'accept');
  if (!MAY_HAVE_PREFERENCES.test(request.query)) {
    return { accept, format: undefined, pretty: undefined };
  }
  const values = firstValues(request.query);
  return { accept, format: values.get('_format'), pretty: values.get('_pretty') };
}

/** Whether the client explicitly asks for FHIR: with a FHIR media type, or with `_format`. */
export function asksForFhir(request: FhirRequest): boolean {
  const { accept = '', format } = preferencesOf(request);
  if (format !== undefined && formatNamed(format) !== undefined) return true;
  return namesFhir(accept) || namesFhir(headerOf(request, 'content-type') ?? '');
}

/** Matches percent-encoded names too. */
const MAY_HAVE_PREFERENCES = /_format|_pretty|(?:^|&)[^=&]*%/;
