/** The body of a request: its media type, whether the server supports it, and the parameters of a form. */
import type { FhirVersion } from '../definitions/fhir-version.ts';
import { FhirError } from '../request/fhir-error.ts';
import type { FhirRequest } from '../request/request.ts';
import { headerOf, parseHeaderElement, parseHeaderList } from './headers.ts';
import { type Format, formatOfMediaType, isOtherVersion } from './negotiate.ts';

/** The FHIR format that Content-Type names; undefined for another type, or without a body. */
export function bodyFormatOf(request: FhirRequest): Format | undefined {
  // Many clients send Content-Type with a read too.
  if (request.readBody === undefined) return undefined;
  const sent = headerOf(request, 'content-type');
  return sent === undefined ? undefined : formatOfMediaType(mediaTypeOf(sent));
}

/** Throws if Content-Type names another FHIR version than that of the service. */
export function refuseOtherVersion(request: FhirRequest, version: FhirVersion): void {
  const { mediaTypeVersion = version.number.slice(0, 3) } = version;
  // A version that does not define the parameter is strict only with a body.
  if (version.mediaTypeVersion === undefined && request.readBody === undefined) return;
  const sent = headerOf(request, 'content-type');
  if (sent === undefined) return;
  const named = parseHeaderElement(sent).parameters.get('fhirversion');
  if (!isOtherVersion(named, { mediaTypeVersion })) return;
  throw unsupported(
    `The Content-Type "${sent}" names another FHIR version than ${version.name}. ` +
      `Send it without fhirVersion or with fhirVersion=${mediaTypeVersion}.`,
  );
}

/** The media type in lower case and without its parameters. */
export function mediaTypeOf(contentType: string): string {
  return parseHeaderElement(contentType).text.toLowerCase();
}

/**
 * Why the body cannot be read, or undefined; a request without content needs no type. `remedy` names
 * the media types that can be read.
 */
export function mediaTypeRefusal(
  request: FhirRequest,
  isTaken: (type: string) => boolean,
  remedy: string,
): FhirError | undefined {
  if (!hasContent(request)) return undefined;
  const codings = parseHeaderList(headerOf(request, 'content-encoding') ?? '');
  const coding = codings.find(({ text }) => text.toLowerCase() !== 'identity');
  if (coding !== undefined) {
    return unsupported(
      `The Content-Encoding "${coding.text}" is not supported. Send the body without compression.`,
    );
  }
  const sent = headerOf(request, 'content-type');
  if (sent === undefined) return unsupported(`The Content-Type is missing. Send ${remedy}.`);
  if (!isTaken(mediaTypeOf(sent))) {
    return unsupported(`The Content-Type "${sent}" is not supported here. Send ${remedy}.`);
  }
  if ((sent.match(/;\s*charset\s*=/gi)?.length ?? 0) > 1) {
    return unsupported(`The Content-Type "${sent}" repeats charset. Send it once.`);
  }
  const charset = parseHeaderElement(sent).parameters.get('charset');
  if (charset === undefined || /^utf-?8$/i.test(charset)) return undefined;
  return unsupported(`The charset "${charset}" is not supported. Send UTF-8.`);
}

/** Whether the headers announce content: RFC 9112, section 6. */
function hasContent({ headers }: FhirRequest): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = headers;
  return coding !== undefined || Number(length) > 0;
}

function unsupported(diagnostics: string): FhirError {
  return FhirError.of('unsupported-media-type', diagnostics);
}

/** The parameters of the URL, followed by those of the body. */
export interface SearchForm {
  readonly query: string;
  /** Why the body cannot be read. The query then has only the parameters of the URL. */
  readonly refusal?: FhirError;
}

export async function readSearchForm(request: FhirRequest): Promise<SearchForm> {
  const { query } = request;
  const refusal = mediaTypeRefusal(request, (type) => type === FORM_TYPE, FORM_TYPE);
  if (refusal !== undefined) return { query, refusal };
  let text: string;
  try {
    text = UTF8.decode(await request.readBody?.('form'));
  } catch (error) {
    return { query, refusal: error instanceof FhirError ? error : NOT_UTF8 };
  }
  return { query: query === '' || text === '' ? query + text : `${query}&${text}` };
}

export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Ignores a byte order mark. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });

const NOT_UTF8 = FhirError.of(
  'invalid-value',
  'The body is not valid UTF-8. Send the parameters percent-encoded.',
);
