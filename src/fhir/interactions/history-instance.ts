/** FHIR history of one resource, newest first. https://hl7.org/fhir/DSTU2/http.html#history */

import { handOver } from '../audit/refused-access.ts';
import { validForm } from '../http/negotiate.ts';
import { headersOf } from '../service/answer.ts';
import type { Interaction, TypeContext } from '../service/interaction.ts';
import type { FhirResponse } from '../service/request.ts';
import { FORM_PARAMETERS, queryParameter, responses } from '../statement/open-api-answers.ts';
import { encodeHistory, historyUrl } from '../stored/history-bundle.ts';
import {
  HISTORY_PARAMETERS,
  parseHistoryParameters,
  parseVersion,
} from '../stored/history-parameters.ts';
import { isStoredForm, pageLengthMax } from '../stored/stored-bundle.ts';
import { addressOf, noRecord, storedTypeOf } from '../stored/stored-resource.ts';
import { READ_ERRORS } from './read.ts';

export const historyInstance: Interaction = {
  code: 'history-instance',
  method: 'GET',
  path: '[type]/[id]/_history',
  needs: 'read',
  describe: (service, { name }) => ({
    operationId: `history${name}`,
    summary: 'The versions, newest first.',
    parameters: [
      ...HISTORY_PARAMETERS,
      queryParameter('_before', 'integer', 'Only versions before this one. The link next sets it.'),
      ...FORM_PARAMETERS,
    ],
    responses: responses(service, 'Bundle', [...READ_ERRORS, 'invalid-parameter']),
  }),
  run,
};

async function run(context: TypeContext): Promise<FhirResponse> {
  const { request, service, type, id, interaction, negotiated } = context;
  const form = validForm(negotiated);
  const { own, ...asked } = parseHistoryParameters(request.query, [BEFORE]);
  const before = own.get(BEFORE.name);
  const page = await storedTypeOf(type).repository.history(
    {
      ...addressOf(context),
      ...asked,
      lengthMax: pageLengthMax(isStoredForm(form)),
      ...(before === undefined ? {} : { before }),
    },
    handOver(context),
  );
  if (page === undefined) throw noRecord(type.notFound);
  const { versions, total, hasMore } = page;
  const linkTo = (relation: string, version: number | undefined) => ({
    relation,
    url: historyUrl(`${service.baseUrl}/${type.name}/${id}/_history`, request.query, [
      ['_count', String(asked.count)],
      ...(version === undefined ? [] : [[BEFORE.name, String(version)] as const]),
    ]),
  });
  const body = encodeHistory(service, form, {
    versions: versions.map((version) => ({ type: type.name, ...version })),
    total,
    link: [linkTo('self', before), ...(hasMore ? [linkTo('next', versions.at(-1)?.version)] : [])],
  });
  return {
    status: 200,
    headers: [...headersOf(service, request), 'Content-Type', form.contentType],
    body,
    interaction: interaction.code,
    format: form.format,
  };
}

const BEFORE = { name: '_before', parse: parseVersion, allowed: 'the number of a version' };
