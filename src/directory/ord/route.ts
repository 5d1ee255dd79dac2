/** A path of ORD: its parameters, and what it answers. */

import type { Form } from '../../fhir/http/negotiate.ts';
import type { AnswerContext } from '../../fhir/service/answer.ts';
import type { InteractionCode } from '../../fhir/service/interaction-code.ts';
import type { FhirResponse } from '../../fhir/service/request.ts';
import type { OrdParameter } from './query.ts';
import type { ServedOrd } from './served-ord.ts';

export interface OrdRoute {
  /** Below the base; at most its last segment is a parameter: `organisations/{code}`. */
  readonly path: string;
  /** The id of the operation in the OpenAPI description. */
  readonly operationId: string;
  readonly summary: string;
  /** The label in metrics: the FHIR interaction that does the same. */
  readonly interaction: InteractionCode;
  readonly parameters: readonly Pick<OrdParameter<unknown>, 'name' | 'documentation' | 'schema'>[];
  /** The names of the headers that only its answers have. */
  readonly headers: readonly string[];
  /** Throws a FhirError if there is no such answer. */
  answer(context: OrdContext): FhirResponse;
}

export interface OrdContext extends AnswerContext {
  readonly form: Form;
  /** The last segment of the path, decoded. */
  readonly id: string;
}

/** Creates the routes of a path, or of several. */
export type CreateOrdRoutes = (served: ServedOrd) => readonly OrdRoute[];
