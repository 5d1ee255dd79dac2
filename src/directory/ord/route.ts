/** A path of ORD: its parameters, and what it answers. */

import type { Form, Format } from '../../fhir/http/negotiate.ts';
import { type AnswerContext, answer } from '../../fhir/service/answer.ts';
import type { MaybePromise } from '../../fhir/service/interaction.ts';
import type { InteractionCode } from '../../fhir/service/interaction-code.ts';
import type { Representation } from '../../fhir/service/representation.ts';
import type { FhirResponse } from '../../fhir/service/request.ts';
import { currentOf } from '../edition/editions.ts';
import { FORMAT_PARAMETER, type OrdParameter, parseOrdQuery } from './parameters.ts';
import type { OrdEdition, ServedOrd } from './served-ord.ts';

export interface OrdRoute {
  /** Below the base; at most its last segment is a parameter: `organisations/{code}`. */
  readonly path: string;
  /** The id of the operation in the OpenAPI description. */
  readonly operationId: string;
  readonly summary: string;
  /** The label in metrics: the FHIR interaction that does the same. */
  readonly interaction: InteractionCode;
  readonly parameters: readonly OrdParameter[];
  /** The names of the headers that only its answers have. */
  readonly headers: readonly string[];
  /** Throws a FhirError if there is no such answer. */
  answer(context: OrdContext): MaybePromise<FhirResponse>;
}

export interface OrdContext extends AnswerContext {
  readonly form: Form;
  /** The last segment of the path, decoded. */
  readonly id: string;
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
