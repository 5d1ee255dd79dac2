/** What a body is said to be, and why it cannot be taken: Content-Type and Content-Encoding. */
import { FhirError } from './fhir-error.ts';
import { type Format, formatOfMediaType } from './negotiate.ts';
import { type FhirRequest, headerOf } from './request.ts';

/** The type that Content-Type names, in lower case and without parameters. */
function mediaTypeOf(request: FhirRequest): string | undefined {
  return headerOf(request, 'content-type')?.split(';')[0]?.trim().toLowerCase();
}

/** The format of FHIR that the body is said to be in; nothing for another type, or without a body. */
export function bodyFormatOf(request: FhirRequest): Format | undefined {
  // Many clients send a Content-Type with a read, too.
  if (request.readBody === undefined) return undefined;
  const mediaType = mediaTypeOf(request);
  return mediaType === undefined ? undefined : formatOfMediaType(mediaType);
}

/** `remedy` names what would be taken. */
export function mediaTypeRefusal(
  request: FhirRequest,
  isTaken: (type: string) => boolean,
  remedy: string,
): FhirError | undefined {
  const coding = headerOf(request, 'content-encoding')?.trim().toLowerCase();
  if (coding !== undefined && coding !== 'identity') {
    return unsupported(`A body with Content-Encoding "${coding}" is not read. Send it as it is.`);
  }
  const sent = headerOf(request, 'content-type');
  if (sent === undefined) return unsupported(`There is no Content-Type. Send ${remedy}.`);
  if (!isTaken(mediaTypeOf(request) ?? '')) {
    return unsupported(`A body of type "${sent}" is not read here. Send ${remedy}.`);
  }
  const charset = /;\s*charset\s*=\s*([^;]*)/i.exec(sent)?.[1]?.trim();
  if (charset === undefined || /^"?utf-?8"?$/i.test(charset)) return undefined;
  return unsupported(`A body in charset "${charset}" is not read. Send UTF-8.`);
}

function unsupported(diagnostics: string): FhirError {
  return new FhirError([{ kind: 'unsupported-media-type', diagnostics }]);
}
