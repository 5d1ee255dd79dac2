/** What update and conditional update have in common: what a request has, and its description. */

import type { AnyResource, Resource } from '../format/resource.ts';
import { PRECONDITION_PARAMETERS, preconditionsOf } from '../http/precondition-headers.ts';
import { type ResourceBody, readResource, readWithHeader } from '../interactions/resource-body.ts';
import type { Finding } from '../rules/finding.ts';
import type { ErrorKind } from '../service/fhir-error.ts';
import type { Service, TypeContext } from '../service/interaction.ts';
import {
  errorResponses,
  RETURN,
  requestBody,
  WRITE_ERRORS,
  written,
} from '../statement/open-api-answers.ts';
import type { Preconditions } from './preconditions.ts';

export interface UpdateRequest extends ResourceBody {
  readonly preconditions: Preconditions;
}

/** `idFinding` returns why the id of the resource is not valid. Throws all problems in one error. */
export function readUpdate(
  context: TypeContext,
  idFinding: (resource: Resource) => Finding | undefined,
): UpdateRequest {
  const { header: preconditions, ...body } = readWithHeader(
    () => preconditionsOf(context),
    () => readResource(context, idFinding),
  );
  return { ...body, preconditions };
}

/** The parts of the description that differ between interactions. */
interface UpdateTexts {
  /** What the status 201 means. */
  readonly created: string;
  readonly errors?: readonly ErrorKind[];
  readonly example: AnyResource | undefined;
}

/** For the OpenAPI description. */
export function describeUpdate(service: Service, { created, errors = [], example }: UpdateTexts) {
  return {
    parameters: [...PRECONDITION_PARAMETERS, RETURN],
    requestBody: requestBody(service, example),
    responses: {
      200: written(service, 'Updated.'),
      201: written(service, created),
      ...errorResponses(service, [
        ...WRITE_ERRORS,
        service.version.failedIfMatch,
        'precondition-failed',
        ...errors,
      ]),
    },
  };
}
