/**
 * FHIR update, with preconditions on the current version.
 * https://hl7.org/fhir/DSTU2/http.html#update
 */
import { FhirError } from '../fhir-error.ts';
import type { Finding } from '../finding.ts';
import type { Resource } from '../format/resource.ts';
import { parseEntityTags } from '../header-list.ts';
import { parseHttpDate } from '../headers.ts';
import type { Interaction, TypeContext } from '../interaction.ts';
import { validForm } from '../negotiate.ts';
import {
  errorResponses,
  headerParameter,
  RETURN,
  requestBody,
  WRITE_ERRORS,
  written,
} from '../open-api-answers.ts';
import type { PreconditionHeader, Preconditions, VersionTags } from '../preconditions.ts';
import { handOver } from '../refused-access.ts';
import { type FhirRequest, type FhirResponse, headerOf } from '../request.ts';
import { readResource, readWithHeader } from '../resource-body.ts';
import { allowOf } from '../route-table.ts';
import { tokensOf } from '../search/resource-tokens.ts';
import { addressOf, storedTypeOf, versionPath } from '../stored-resource.ts';
import { unstampedText } from '../stored-text.ts';
import { answerWritten } from '../write-answer.ts';

export const update: Interaction = {
  code: 'update',
  method: 'PUT',
  path: '[type]/[id]',
  needs: 'write',
  body: 'resource',
  capabilities: { versioning: 'versioned-update' },
  describe: (service, { name }) => ({
    operationId: `update${name}`,
    summary: 'Make a new version.',
    parameters: [...PRECONDITION_PARAMETERS, RETURN],
    requestBody: requestBody(service),
    responses: {
      200: written(service, 'Updated.'),
      ...errorResponses(service, [
        ...WRITE_ERRORS,
        service.version.failedIfMatch,
        'precondition-failed',
      ]),
    },
  }),
  run,
};

const PRECONDITION_PARAMETERS = [
  headerParameter('If-Match', 'W/"{version}": update only if this is the current version.'),
  headerParameter(
    'If-None-Match',
    'W/"{version}" or *: update only if none of them matches the current version.',
  ),
  headerParameter('If-Unmodified-Since', 'An HTTP date: update only if nothing was written since.'),
];

async function run(context: TypeContext): Promise<FhirResponse> {
  const { request, type, id, negotiated } = context;
  const { repository, requiresIfMatch } = storedTypeOf(type);
  const address = addressOf(context);
  validForm(negotiated);
  const {
    header: preconditions,
    resource,
    warnings,
    refusal,
  } = readWithHeader(
    () => preconditionsOf(request),
    () => readResource(context, (body) => idDiffers(body, id)),
  );
  const { ifMatch } = preconditions;
  const lacksIfMatch = ifMatch === undefined && requiresIfMatch;
  if (refusal !== undefined || lacksIfMatch) {
    // Preconditions come before the service's own rules.
    const current = await repository.checkPreconditions({ ...address, preconditions });
    if (current === undefined) throw absent(context, ifMatch);
    if (lacksIfMatch) throw IF_MATCH_MISSING;
    const { header, currentVersion } = current;
    throw header === undefined ? refusal : conflict(context, header, currentVersion);
  }
  const change = {
    ...address,
    text: unstampedText(resource, id),
    tokens: tokensOf(resource),
    preconditions,
  };
  const result = await repository.update(change, handOver(context));
  switch (result.kind) {
    case 'stored': {
      const done = 'Successfully updated resource';
      return answerWritten(context, { stored: result.stored, status: 200, done, warnings });
    }
    case 'absent':
      throw absent(context, ifMatch);
    case 'conflict':
      throw conflict(context, result.header, result.currentVersion);
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

function absent({ type, id }: TypeContext, ifMatch: VersionTags | undefined): FhirError {
  const what = `There is no ${type.name}/${id}`;
  if (ifMatch !== undefined) {
    return new FhirError([
      {
        kind: 'precondition-failed',
        diagnostics: `${what}, so If-Match cannot match. Create the resource with POST.`,
      },
    ]);
  }
  const readers = type.interactions.filter(
    ({ path, needs }) => path === update.path && needs === 'read',
  );
  const diagnostics =
    `${what}, and clients do not choose ids. ` +
    `Create it with POST ${type.name}; the Location header of the answer has its id.`;
  return new FhirError(
    [{ kind: 'method-not-allowed', diagnostics }],
    // PUT is not allowed before the resource exists.
    ['Allow', allowOf(readers)],
  );
}

/** The FHIR version defines the status for If-Match. HTTP defines 412 for other preconditions. */
function conflict(
  { request, service, type, id }: TypeContext,
  header: PreconditionHeader,
  current: number,
): FhirError {
  const path = versionPath(type, id, current);
  const remedy = `Read it, and send your change again with If-Match: W/"${current}".`;
  if (header === 'If-Match') {
    const diagnostics = `If-Match does not match the current version, ${path}. ${remedy}`;
    return new FhirError([{ kind: service.version.failedIfMatch, diagnostics }]);
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
