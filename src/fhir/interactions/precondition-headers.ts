/** The preconditions of a write in the headers of a request. RFC 9110, section 13. */

import { headerOf, parseEntityTags, parseHttpDate } from '../http/headers.ts';
import { FhirError } from '../request/fhir-error.ts';
import type { FhirRequest } from '../request/request.ts';
import type { TypeContext } from '../service/interaction.ts';
import { gone, versionPath, writeRulesOf } from '../service/stored-resource.ts';
import { headerParameter } from '../statement/open-api-answers.ts';
import { tooManyError } from '../stored/count-limits.ts';
import type { PreconditionHeader, Preconditions, VersionTags } from '../stored/preconditions.ts';
import type { UpdateResult } from '../stored/repository.ts';

/** In the OpenAPI description. */
export const PRECONDITION_PARAMETERS = [
  headerParameter('If-Match', 'W/"{version}": write only if this is the current version.'),
  headerParameter(
    'If-None-Match',
    'W/"{version}" or *: write only if none of them matches the current version.',
  ),
  headerParameter('If-Unmodified-Since', 'An HTTP date: write only if nothing was written since.'),
];

/** Throws if entity tags are invalid. An invalid date is ignored, as HTTP requires. */
export function preconditionsOf({ request, type }: TypeContext): Preconditions {
  const ifMatch = tagsIn(request, 'If-Match');
  const ifNoneMatch = tagsIn(request, 'If-None-Match');
  const ifUnmodifiedSinceMs = parseHttpDate(headerOf(request, 'if-unmodified-since') ?? '');
  return {
    ...(ifMatch !== undefined && { ifMatch }),
    ...(ifNoneMatch !== undefined && { ifNoneMatch }),
    ...(ifUnmodifiedSinceMs !== undefined && { ifUnmodifiedSinceMs }),
    ...(writeRulesOf(type).requiresCreator && { isCreator: true }),
  };
}

/** `W/"2"`, `"2"`, a list of them, or `*`: RFC 9110, section 13.1.1. */
function tagsIn(
  request: FhirRequest,
  header: 'If-Match' | 'If-None-Match',
): VersionTags | undefined {
  const sent = headerOf(request, header.toLowerCase());
  if (sent === undefined) return undefined;
  const tags = parseEntityTags(sent);
  if (tags === undefined) {
    throw FhirError.of(
      'invalid-request',
      `${header} "${sent}" is not a list of entity tags. Send the ETag of the version that you read, such as W/"2".`,
      { location: `http.${header}` },
    );
  }
  return tags;
}

export const IF_MATCH_MISSING = FhirError.of(
  'precondition-failed',
  'This server requires If-Match for an update or a delete. Read the resource, and send its ETag.',
  { location: 'http.If-Match' },
);

/** The error of a write that the repository refuses. */
export function writeRefusal(
  result: Exclude<UpdateResult, { kind: 'stored' | 'absent' }>,
  context: TypeContext,
): FhirError {
  switch (result.kind) {
    case 'conflict':
      return preconditionError(context, result.header, result.currentVersion);
    case 'erased':
      return gone(context, result.current);
    case 'too-many':
      return tooManyError(context.type.name, result, writeRulesOf(context.type).countRule);
    case 'not-creator':
      return FhirError.of(
        'forbidden',
        'Another client created the resource. Only that client may change it.',
      );
    case 'other-patient':
      return FhirError.of(
        'precondition-failed',
        'The current version is about another patient. ' +
          'Read it. If the patient must change, send your update with its ETag in If-Match.',
        { location: 'http.If-Match' },
      );
  }
}

/**
 * The error if a precondition is false for the current version. The FHIR version defines the status
 * for If-Match. HTTP defines 412 for other preconditions.
 */
export function preconditionError(
  { request, service, type, id }: TypeContext,
  header: PreconditionHeader,
  current: number,
): FhirError {
  const path = versionPath(type, id, current);
  const remedy = `Read it, and send your change again with If-Match: W/"${current}".`;
  if (header === 'If-Match') {
    const diagnostics = `If-Match does not match the current version, ${path}. ${remedy}`;
    return FhirError.of(service.version.failedIfMatch, diagnostics);
  }
  const sent = headerOf(request, header.toLowerCase());
  return FhirError.of(
    'precondition-failed',
    `${header} "${sent}" is false for the current version, ${path}. ${remedy}`,
    { location: `http.${header}` },
  );
}
