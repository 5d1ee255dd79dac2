/** What a client does with several order responses in one request. */

import ca.uhn.fhir.model.dstu2.resource.Bundle;
import ca.uhn.fhir.model.dstu2.resource.OperationOutcome;
import ca.uhn.fhir.model.dstu2.resource.OrderResponse;
import ca.uhn.fhir.model.dstu2.valueset.BundleTypeEnum;
import ca.uhn.fhir.model.dstu2.valueset.HTTPVerbEnum;
import ca.uhn.fhir.model.dstu2.valueset.OrderStatusEnum;
import ca.uhn.fhir.model.primitive.IdDt;
import ca.uhn.fhir.rest.client.api.IGenericClient;
import ca.uhn.fhir.rest.server.exceptions.BaseServerResponseException;
import ca.uhn.fhir.rest.server.exceptions.InvalidRequestException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.hl7.fhir.instance.model.api.IIdType;

final class Transactions {
  private final Checks checks;
  private final IGenericClient client;
  private final String title;
  private final Orders orders = new Orders();

  Transactions(Checks checks, IGenericClient client, String title) {
    this.checks = checks;
    this.client = client;
    this.title = title;
  }

  void run() throws Exception {
    check("transaction", this::transaction);
    check("a transaction that fails stores nothing", this::failedTransaction);
    check("batch", this::batch);
  }

  private void check(String name, Checks.Check check) throws Exception {
    checks.check(title + ": " + name, check);
  }

  private void transaction() throws Exception {
    IIdType id =
        client
            .create()
            .resource(orders.order("transaction-before"))
            .execute()
            .getId()
            .toUnqualifiedVersionless();
    OrderResponse changed = orders.order("transaction-before");
    changed.setId(id);
    changed.setDescription("in a transaction");
    Bundle sent = new Bundle().setType(BundleTypeEnum.TRANSACTION);
    addPost(sent, orders.order("transaction-0"));
    addPost(sent, orders.order("transaction-1"));
    sent.addEntry()
        .setResource(changed)
        .getRequest()
        .setMethod(HTTPVerbEnum.PUT)
        .setUrl(id.getValue());
    sent.addEntry().getRequest().setMethod(HTTPVerbEnum.GET).setUrl(id.getValue());
    Bundle answer = client.transaction().withBundle(sent).execute();
    Checks.equal(answer.getTypeElement().getValueAsEnum(), BundleTypeEnum.TRANSACTION_RESPONSE);
    List<String> statuses = new ArrayList<>();
    for (Bundle.Entry entry : answer.getEntry()) {
      statuses.add(entry.getResponse().getStatus().substring(0, 3));
    }
    Checks.equal(statuses, List.of("201", "201", "200", "200"));
    String location = answer.getEntry().get(0).getResponse().getLocation();
    Checks.equal(new IdDt(location).getVersionIdPart(), "1");
    OrderResponse read = (OrderResponse) answer.getEntry().get(3).getResource();
    Checks.equal(read.getDescription(), "in a transaction");
    // This shorter form leaves out Bundle.entry.request.url, which FHIR requires.
    Orders.hasOutcome(
        Checks.throwing(
            InvalidRequestException.class,
            () -> client.transaction().withResources(List.of(orders.order("short"))).execute()));
  }

  private void failedTransaction() throws Exception {
    Bundle sent = new Bundle().setType(BundleTypeEnum.TRANSACTION);
    addPost(sent, orders.order("refused"));
    addPost(sent, new OrderResponse().setOrderStatus(OrderStatusEnum.ACCEPTED));
    Checks.throwing(
        BaseServerResponseException.class, () -> client.transaction().withBundle(sent).execute());
    Bundle found =
        client
            .search()
            .forResource(OrderResponse.class)
            .where(orders.isNamed("refused"))
            .returnBundle(Bundle.class)
            .execute();
    Checks.equal(found.getTotal(), 0);
  }

  private void batch() {
    Bundle sent = new Bundle().setType(BundleTypeEnum.BATCH);
    addPost(sent, orders.order("batch"));
    sent.addEntry().getRequest().setMethod(HTTPVerbEnum.GET).setUrl("OrderResponse/none");
    Bundle answer = client.transaction().withBundle(sent).execute();
    Checks.equal(answer.getTypeElement().getValueAsEnum(), BundleTypeEnum.BATCH_RESPONSE);
    Checks.equal(answer.getEntry().get(0).getResponse().getStatus().substring(0, 3), "201");
    Checks.equal(answer.getEntry().get(1).getResponse().getStatus().substring(0, 3), "404");
    OperationOutcome problem = (OperationOutcome) answer.getEntry().get(1).getResource();
    Checks.equal(problem.getIssueFirstRep().getSeverity(), "error");
  }

  private static void addPost(Bundle bundle, OrderResponse order) {
    bundle
        .addEntry()
        .setFullUrl("urn:uuid:" + UUID.randomUUID())
        .setResource(order)
        .getRequest()
        .setMethod(HTTPVerbEnum.POST)
        .setUrl("OrderResponse");
  }
}
