/** A path of ORD: its parameters, and what it answers. */

import type { Form, Format } from '../../fhir/http/negotiate.ts';
import type { FhirResponse } from '../../fhir/request/request.ts';
import { answer } from '../../fhir/service/answer.ts';
import type { PlainContext, PlainRoute } from '../../fhir/service/plain-service.ts';
import type { Representation } from '../../fhir/service/representation.ts';
import { currentOf } from '../answer/editions.ts';
import { FORMAT_PARAMETER, type OrdParameter, parseOrdQuery } from './parameters.ts';
import type { OrdEdition, ServedOrd } from './served-ord.ts';

export interface OrdRoute extends Pick<PlainRoute, 'path' | 'interaction'> {
  /** The id of the operation in the OpenAPI description. */
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly OrdParameter[];
  /** The names of the headers that only its answers have. */
  readonly headers: readonly string[];
  /** Throws a FhirError if there is no such answer. */
  answer(context: OrdContext): FhirResponse;
}

export interface OrdContext extends PlainContext {
  readonly form: Form;
}

/** Creates the routes of a path, or of several. */
export type CreateOrdRoutes = (served: ServedOrd) => readonly OrdRoute[];

/** The route of something in the current edition, which has no parameters but the format. */
export function readRoute(
  { editions, render }: ServedOrd,
  described: Pick<OrdRoute, 'path' | 'operationId' | 'summary'>,
  make: (rendered: OrdEdition, id: string, format: Format) => Representation,
): OrdRoute {
  const parameters = [FORMAT_PARAMETER];
  return {
    ...described,
    interaction: 'read',
    parameters,
    headers: [],
    answer: (context) => {
      const { request, form, id } = context;
      parseOrdQuery(request.query, parameters);
      const rendered = render(currentOf(editions));
      const { kept } = rendered;
      const key = `${form.format}/${described.path}/${id}`;
      const found = kept.get(key) ?? kept.note(key, make(rendered, id, form.format));
      return answer(context, form, found);
    },
  };
}
