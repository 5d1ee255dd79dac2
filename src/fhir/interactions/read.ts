/** FHIR read: the current version of a resource. https://hl7.org/fhir/STU3/http.html#read */

import { type Form, validForm } from '../http/negotiate.ts';
import { answer } from '../service/answer.ts';
import type { ErrorKind } from '../service/fhir-error.ts';
import type { Interaction, TypeContext } from '../service/interaction.ts';
import type { Representation } from '../service/representation.ts';
import type { FhirResponse } from '../service/request.ts';
import { FORM_PARAMETERS, responses } from '../statement/open-api-answers.ts';
import { noRecord } from '../stored/stored-resource.ts';

export const read: Interaction = {
  code: 'read',
  method: 'GET',
  path: '[type]/[id]',
  needs: 'read',
  capabilities: { conditionalRead: 'full-support' },
  describe: (service, { name }) => ({
    operationId: `read${name}`,
    summary: `Read one ${name} by its id.`,
    parameters: FORM_PARAMETERS,
    responses: responses(service, name, READ_ERRORS),
  }),
  run: (context) => answerRead(context, context.type.notFound),
};

/** Reads the version that the context names. Answers 404 with `notFound` if there is no such resource. */
export function answerRead(context: TypeContext, notFound: string) {
  const { type, negotiated } = context;
  const form = validForm(negotiated);
  if (type.read === undefined) throw new Error(`the type ${type.name} has no read`);
  const found = type.read(context, form);
  return found instanceof Promise
    ? found.then((stored) => answerFound(context, form, stored, notFound))
    : answerFound(context, form, found, notFound);
}

function answerFound(
  context: TypeContext,
  form: Form,
  found: Representation | undefined,
  notFound: string,
): FhirResponse {
  if (found === undefined) throw noRecord(notFound);
  return answer(context, form, found);
}

export const READ_ERRORS: readonly ErrorKind[] = ['invalid-value', 'no-record', 'not-acceptable'];
