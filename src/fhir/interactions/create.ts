/** FHIR create, also conditional. https://hl7.org/fhir/DSTU2/http.html#create */
import { authorize } from '../authorize.ts';
import type { Exchange } from '../exchange.ts';
import { FhirError } from '../fhir-error.ts';
import type { Finding } from '../finding.ts';
import type { Resource } from '../format/resource.ts';
import { ifNoneExistOf } from '../if-none-exist.ts';
import { type FhirResponse, headerOf } from '../request.ts';
import { readResource, readWithHeader } from '../resource-body.ts';
import type { CreateRoute } from '../route.ts';
import { answerWritten } from '../write-answer.ts';

export async function create(exchange: Exchange<CreateRoute>): Promise<FhirResponse> {
  const { request, route, access } = exchange;
  const { type } = route;
  const {
    header: ifNoneExist,
    resource,
    warnings,
    refusal,
  } = readWithHeader(
    () => ifNoneExistOf(exchange),
    () => readResource(exchange, idIsNotSent),
  );
  if (refusal !== undefined) throw refusal;
  exchange.handOver();
  const { repository, newId, textOf, identifiersOf } = type.versions;
  const id = newId();
  const creation = {
    type: type.name,
    id,
    text: textOf(resource, id),
    identifiers: identifiersOf(resource),
    ...(ifNoneExist === undefined ? {} : { ifNoneExist }),
  };
  const result = await repository.create(creation, access);
  switch (result.kind) {
    case 'stored': {
      const done = 'Successfully created resource';
      return answerWritten(exchange, { stored: result.stored, status: 201, done, warnings });
    }
    case 'exists': {
      const done = 'Nothing was created: the identifier of If-None-Exist is that of resource';
      const isHidden = !(await mayRead(exchange));
      const { stored } = result;
      return answerWritten(exchange, { stored, status: 200, done, warnings: [], isHidden });
    }
    case 'several':
      throw new FhirError([
        {
          kind: 'precondition-failed',
          diagnostics:
            `${result.count} resources have the identifier of If-None-Exist "${headerOf(request, 'if-none-exist')}". ` +
            'Nothing was created. Send an identifier that only one can have.',
        },
      ]);
  }
}

/** What somebody else has written is shown only to those who could read it by its address. */
async function mayRead({ request, service, route }: Exchange<CreateRoute>): Promise<boolean> {
  try {
    await authorize(request, service, { type: route.type.name, action: 'read' });
    return true;
  } catch (error) {
    if (error instanceof FhirError) return false;
    throw error;
  }
}

/** DSTU2 refuses it: the server makes the ids. */
function idIsNotSent({ resourceType, id }: Resource): Finding | undefined {
  if (id === undefined) return undefined;
  return {
    path: `/f:${resourceType}/f:id`,
    code: 'invalid',
    text: `The server gives new resources their ids. Leave the id out, or update with PUT ${resourceType}/{id}.`,
  };
}
