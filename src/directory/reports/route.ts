/** A path of this interface, and its operation in the OpenAPI description. */
import type { PlainOperation } from '../../fhir/service/interaction.ts';
import type { PlainRoute } from '../../fhir/service/plain-service.ts';

export interface ReportRoute extends PlainRoute {
  readonly operation: PlainOperation;
}
