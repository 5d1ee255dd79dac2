/** Order responses of one run, each with an identifier by which only this run finds it. */

import ca.uhn.fhir.model.api.TemporalPrecisionEnum;
import ca.uhn.fhir.model.dstu2.composite.IdentifierDt;
import ca.uhn.fhir.model.dstu2.composite.ResourceReferenceDt;
import ca.uhn.fhir.model.dstu2.resource.OperationOutcome;
import ca.uhn.fhir.model.dstu2.resource.Order;
import ca.uhn.fhir.model.dstu2.resource.OrderResponse;
import ca.uhn.fhir.model.dstu2.resource.Patient;
import ca.uhn.fhir.model.dstu2.resource.Practitioner;
import ca.uhn.fhir.model.dstu2.valueset.OrderStatusEnum;
import ca.uhn.fhir.rest.gclient.ICriterion;
import ca.uhn.fhir.rest.gclient.TokenClientParam;
import ca.uhn.fhir.rest.server.exceptions.BaseServerResponseException;
import java.util.Date;
import java.util.UUID;

final class Orders {
  static final String SYSTEM = "https://system.example/responses";

  private final String run = UUID.randomUUID().toString();

  IdentifierDt identifier(String name) {
    return new IdentifierDt(SYSTEM, run + name);
  }

  ICriterion<TokenClientParam> isNamed(String name) {
    return OrderResponse.IDENTIFIER.exactly().systemAndIdentifier(SYSTEM, run + name);
  }

  /** The client contains the order, the patient and the practitioner by itself. */
  OrderResponse order(String name) {
    Patient patient = new Patient();
    patient.addIdentifier(new IdentifierDt("https://fhir.nhs.uk/Id/nhs-number", "9434765919"));
    patient.addName().addFamily("Müller & Söhne");
    Order order = new Order();
    order.setSubject(new ResourceReferenceDt(patient));
    order.addDetail().setReference("https://system.example/DiagnosticReport/1");
    Practitioner practitioner = new Practitioner();
    practitioner.addIdentifier(new IdentifierDt("https://fhir.nhs.uk/Id/sds-user-id", "123455"));
    OrderResponse response = new OrderResponse();
    response.addIdentifier(identifier(name));
    response.setRequest(new ResourceReferenceDt(order));
    response.setWho(new ResourceReferenceDt(practitioner));
    response.setDate(new Date(), TemporalPrecisionEnum.SECOND);
    response.setOrderStatus(OrderStatusEnum.ACCEPTED);
    return response;
  }

  static void hasOutcome(BaseServerResponseException problem) {
    OperationOutcome outcome = (OperationOutcome) problem.getOperationOutcome();
    Checks.equal(outcome.getIssueFirstRep().getSeverity(), "error");
  }
}
