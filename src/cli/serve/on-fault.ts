/** Logs a fault in a request, with its message if the message cannot contain data of patients. */
import type { FhirRequest, OnFault } from '../../fhir/service/request.ts';
import { ORDER_SERVICE_NAME } from '../../order-response/service.ts';

/** A request outside all services can have the path of an order response, so the log omits the message. */
export function createOnFault(
  serviceNameOf: (request: FhirRequest) => string | undefined,
  report: (error: unknown, requestId: string, withMessage: boolean) => void,
): OnFault {
  return (error, request) => {
    const name = serviceNameOf(request);
    report(error, request.id, name !== undefined && name !== ORDER_SERVICE_NAME);
  };
}
