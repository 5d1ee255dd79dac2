/**
 * FHIR update, with preconditions on the current version.
 * https://hl7.org/fhir/DSTU2/http.html#update
 */
import { type Exchange, versionPath } from '../exchange.ts';
import { FhirError } from '../fhir-error.ts';
import type { Finding } from '../finding.ts';
import type { Resource } from '../format/resource.ts';
import { parseEntityTags } from '../header-list.ts';
import { parseHttpDate } from '../headers.ts';
import type { PreconditionHeader, Preconditions, VersionTags } from '../preconditions.ts';
import { type FhirRequest, type FhirResponse, headerOf } from '../request.ts';
import { readResource, readWithHeader } from '../resource-body.ts';
import { READING, type UpdateRoute } from '../route.ts';
import { answerWritten } from '../write-answer.ts';

export async function update(exchange: Exchange<UpdateRoute>): Promise<FhirResponse> {
  const { request, route, access } = exchange;
  const { type, id } = route;
  const { repository, demandsIfMatch, textOf, identifiersOf } = type.versions;
  const address = { type: type.name, id };
  const {
    header: preconditions,
    resource,
    warnings,
    refusal,
  } = readWithHeader(
    () => preconditionsOf(request),
    () => readResource(exchange, (body) => idDiffers(body, id)),
  );
  const { ifMatch } = preconditions;
  const lacksIfMatch = ifMatch === undefined && demandsIfMatch;
  if (refusal !== undefined || lacksIfMatch) {
    // Preconditions come before the service's own rules.
    const current = await repository.checkPreconditions({ ...address, preconditions });
    if (current === undefined) throw absent(exchange, ifMatch);
    if (lacksIfMatch) throw IF_MATCH_MISSING;
    const { header, currentVersion } = current;
    throw header === undefined ? refusal : conflict(exchange, header, currentVersion);
  }
  exchange.handOver();
  const text = textOf(resource, id);
  const identifiers = identifiersOf(resource);
  const result = await repository.update({ ...address, text, identifiers, preconditions }, access);
  switch (result.kind) {
    case 'stored': {
      const done = 'Successfully updated resource';
      return answerWritten(exchange, { stored: result.stored, status: 200, done, warnings });
    }
    case 'absent':
      throw absent(exchange, ifMatch);
    case 'conflict':
      throw conflict(exchange, result.header, result.currentVersion);
  }
}

function idDiffers({ resourceType, id }: Resource, wanted: string): Finding | undefined {
  if (id === wanted) return undefined;
  const path = `/f:${resourceType}/f:id`;
  return id === undefined
    ? { path, code: 'required', text: `The id is missing. Send ${wanted}, as the address has it.` }
    : {
        path,
        code: 'invalid',
        text: `The id "${id}" differs from the id in the address. Send ${wanted}.`,
      };
}

/** Throws where entity tags are invalid. An invalid date is ignored, as HTTP requires. */
function preconditionsOf(request: FhirRequest): Preconditions {
  const ifMatch = tagsIn(request, 'If-Match');
  const ifNoneMatch = tagsIn(request, 'If-None-Match');
  const ifUnmodifiedSinceMs = parseHttpDate(headerOf(request, 'if-unmodified-since') ?? '');
  return {
    ...(ifMatch !== undefined && { ifMatch }),
    ...(ifNoneMatch !== undefined && { ifNoneMatch }),
    ...(ifUnmodifiedSinceMs !== undefined && { ifUnmodifiedSinceMs }),
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
    throw new FhirError([
      {
        kind: 'invalid-request',
        diagnostics: `${header} "${sent}" is not a list of entity tags. Send the ETag of the version that you read, such as W/"2".`,
        location: `http.${header}`,
      },
    ]);
  }
  return tags;
}

const IF_MATCH_MISSING = new FhirError([
  {
    kind: 'precondition-failed',
    diagnostics:
      'This server requires If-Match for an update. Read the resource, and send its ETag.',
    location: 'http.If-Match',
  },
]);

function absent({ route }: Exchange<UpdateRoute>, ifMatch: VersionTags | undefined): FhirError {
  const what = `There is no ${route.type.name}/${route.id}`;
  if (ifMatch !== undefined) {
    return new FhirError([
      {
        kind: 'precondition-failed',
        diagnostics: `${what}, so If-Match cannot match. Create the resource with POST.`,
      },
    ]);
  }
  const diagnostics =
    `${what}, and clients do not choose ids. ` +
    `Create it with POST ${route.type.name}; the Location header of the answer has its id.`;
  return new FhirError(
    [{ kind: 'method-not-allowed', diagnostics }],
    // PUT is not allowed before the resource exists.
    ['Allow', READING.allow],
  );
}

/**
 * FHIR defines 409 for a version conflict of If-Match. For the other preconditions HTTP defines
 * 412.
 */
function conflict(
  { request, route }: Exchange<UpdateRoute>,
  header: PreconditionHeader,
  current: number,
): FhirError {
  const path = versionPath(route.type, route.id, current);
  const remedy = `Read it, and send your change again with If-Match: W/"${current}".`;
  if (header === 'If-Match') {
    const diagnostics = `If-Match does not match the current version, ${path}. ${remedy}`;
    return new FhirError([{ kind: 'conflict', diagnostics }]);
  }
  const sent = headerOf(request, header.toLowerCase());
  return new FhirError([
    {
      kind: 'precondition-failed',
      diagnostics: `${header} "${sent}" is false for the current version, ${path}. ${remedy}`,
      location: `http.${header}`,
    },
  ]);
}
