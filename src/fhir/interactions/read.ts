/** FHIR read and vread: a resource, or one version of it. https://hl7.org/fhir/STU3/http.html#read */
import { validForm } from '../http/negotiate.ts';
import type { ErrorKind } from '../request/fhir-error.ts';
import { answer } from '../service/answer.ts';
import type { Interaction, ServedType, TypeContext } from '../service/interaction.ts';
import { after } from '../service/run-interaction.ts';
import { noRecord } from '../service/stored-resource.ts';
import { FORM_PARAMETERS } from '../statement/open-api-answers.ts';

export const read: Interaction = {
  code: 'read',
  method: 'GET',
  path: '[type]/[id]',
  needs: 'read',
  capabilities: { conditionalRead: 'full-support' },
  describe: (_service, type) => ({
    operationId: `read${type.name}`,
    summary: `Read one ${type.name} by its id.`,
    parameters: FORM_PARAMETERS,
    returns: type.name,
    errors: readErrors(type),
  }),
  run: (context) => answerRead(context, context.type.notFound),
};

/** Reads the version that the context names. Answers 404 with `notFound` if there is no such resource. */
function answerRead(context: TypeContext, notFound: string) {
  const { type, negotiated } = context;
  const form = validForm(negotiated);
  if (type.read === undefined) throw new Error(`the type ${type.name} has no read`);
  return after(type.read(context, form), (found) => {
    if (found === undefined) throw noRecord(notFound);
    return answer(context, form, found);
  });
}

/** Only resources that clients write can be gone. */
function readErrors({ stored }: ServedType): readonly ErrorKind[] {
  const always: readonly ErrorKind[] = ['invalid-value', 'no-record', 'not-acceptable'];
  return stored === undefined ? always : [...always, 'gone'];
}

export const vread: Interaction = {
  code: 'vread',
  method: 'GET',
  path: '[type]/[id]/_history/[vid]',
  needs: 'read',
  capabilities: { readHistory: true },
  describe: (_service, type) => ({
    operationId: `vread${type.name}`,
    summary: 'Read one version.',
    parameters: FORM_PARAMETERS,
    returns: type.name,
    errors: readErrors(type),
  }),
  run: (context) => {
    const { type, id, version } = context;
    return answerRead(context, `There is no version ${version} of ${type.name}/${id}.`);
  },
};

/** The same for a type that has versions, of which it serves only the current one. */
export const vreadCurrent: Interaction = { ...vread, capabilities: { versioning: 'versioned' } };
