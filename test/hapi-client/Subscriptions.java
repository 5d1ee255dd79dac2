/** What a client does with a subscription: writes, reads and searches it, and gets notifications. */

import ca.uhn.fhir.model.api.ExtensionDt;
import ca.uhn.fhir.model.dstu2.resource.Bundle;
import ca.uhn.fhir.model.dstu2.resource.OrderResponse;
import ca.uhn.fhir.model.dstu2.resource.Subscription;
import ca.uhn.fhir.model.dstu2.valueset.SubscriptionChannelTypeEnum;
import ca.uhn.fhir.model.dstu2.valueset.SubscriptionStatusEnum;
import ca.uhn.fhir.model.primitive.StringDt;
import ca.uhn.fhir.parser.IParser;
import ca.uhn.fhir.rest.api.EncodingEnum;
import ca.uhn.fhir.rest.api.MethodOutcome;
import ca.uhn.fhir.rest.client.api.IGenericClient;
import ca.uhn.fhir.rest.gclient.UriClientParam;
import ca.uhn.fhir.rest.server.exceptions.ResourceGoneException;
import ca.uhn.fhir.rest.server.exceptions.UnprocessableEntityException;
import java.util.List;
import org.hl7.fhir.instance.model.api.IIdType;

final class Subscriptions {
  private static final String SECRET_URL =
      "https://gazetteer-fhir.example/StructureDefinition/subscription-secret";
  private static final String SECRET = "a secret of the test";

  private final Checks checks;
  private final IGenericClient client;
  private final String title;
  private final EncodingEnum payload;
  private final Orders orders = new Orders();

  /** `payload`: the form of the bodies of notifications. */
  Subscriptions(Checks checks, IGenericClient client, String title, EncodingEnum payload) {
    this.checks = checks;
    this.client = client;
    this.title = title;
    this.payload = payload;
  }

  void run() throws Exception {
    checks.check(title + ": create, read, notifications, search, off, delete", this::lifecycle);
    checks.check(title + ": errors have an OperationOutcome", this::errors);
  }

  private void lifecycle() throws Exception {
    try (Receiver receiver = new Receiver()) {
      IIdType id = created(receiver);
      receives(receiver, id);
      isFound(receiver, id);
      turnsOff(id);
      client.delete().resourceById(id).execute();
      Checks.throwing(ResourceGoneException.class, () -> read(id));
    }
  }

  private IIdType created(Receiver receiver) throws Exception {
    MethodOutcome outcome = client.create().resource(subscription(receiver.url())).execute();
    Checks.equal(outcome.getCreated(), true);
    IIdType id = outcome.getId().toUnqualifiedVersionless();
    Checks.equal(id.getResourceType(), "Subscription");
    Subscription stored = read(id);
    while ("requested".equals(stored.getStatus())) {
      Thread.sleep(50);
      stored = read(id);
    }
    Checks.equal(stored.getStatus(), "active");
    Checks.equal(stored.getCriteria(), subscription("").getCriteria());
    Checks.equal(stored.getChannel().getEndpoint(), receiver.url());
    Checks.equal(stored.getChannel().getHeader(), "X-System: ***");
    Checks.equal(secretOf(stored), "***");
    return id;
  }

  /** A create, an update and a delete, in this order. The first one comes twice. */
  private void receives(Receiver receiver, IIdType id) throws Exception {
    client.create().resource(orders.order("another")).execute();
    IIdType order = client.create().resource(orders.order("told")).execute().getId();
    OrderResponse next = orders.order("told");
    next.setId(order.toUnqualifiedVersionless());
    next.setDescription("the second version");
    client.update().resource(next).execute();
    client.delete().resourceById(order.toUnqualifiedVersionless()).execute();

    Receiver.Notification failed = receiver.next();
    Receiver.Notification first = receiver.next();
    Checks.equal(first.header("Gazetteer-Delivery"), failed.header("Gazetteer-Delivery"));
    OrderResponse created = contentOf(first, order, 1);
    Checks.equal(created.getIdentifierFirstRep().getValue(), orders.identifier("told").getValue());
    Receiver.Notification second = receiver.next();
    Checks.equal(contentOf(second, order, 2).getDescription(), "the second version");
    Checks.holds(
        !second.header("Gazetteer-Delivery").equals(first.header("Gazetteer-Delivery")),
        second.header("Gazetteer-Delivery"));
    Receiver.Notification third = receiver.next();
    isAbout(third, order, 3);
    Checks.equal(third.text(), "");
  }

  private OrderResponse contentOf(Receiver.Notification notification, IIdType id, int version)
      throws Exception {
    isAbout(notification, id, version);
    String type = notification.header("Content-Type");
    Checks.holds(type.startsWith(mediaType()), type);
    IParser parser = payload.newParser(client.getFhirContext());
    OrderResponse content = parser.parseResource(OrderResponse.class, notification.text());
    Checks.equal(content.getIdElement().getIdPart(), id.getIdPart());
    Checks.equal(content.getIdElement().getVersionIdPart(), String.valueOf(version));
    return content;
  }

  private void isAbout(Receiver.Notification notification, IIdType id, int version)
      throws Exception {
    String address = id.toUnqualifiedVersionless() + "/_history/" + version;
    Checks.equal(notification.header("Gazetteer-Resource"), address);
    Checks.equal(notification.header("X-System"), "4711");
    Checks.holds(notification.isSignedWith(SECRET), notification.header("Gazetteer-Signature"));
  }

  private void isFound(Receiver receiver, IIdType id) {
    Bundle found =
        client
            .search()
            .forResource(Subscription.class)
            .where(Subscription.STATUS.exactly().code("active"))
            .and(new UriClientParam(Subscription.SP_URL).matches().value(receiver.url()))
            .returnBundle(Bundle.class)
            .execute();
    Checks.equal(found.getTotal(), 1);
    String only = found.getEntryFirstRep().getResource().getId().getIdPart();
    Checks.equal(only, id.getIdPart());
  }

  /** The client sends back what it has read, with the masks. */
  private void turnsOff(IIdType id) {
    Subscription stored = read(id);
    stored.setStatus(SubscriptionStatusEnum.OFF);
    MethodOutcome outcome = client.update().resource(stored).execute();
    Checks.equal(outcome.getId().getVersionIdPart(), "3");
    Checks.equal(read(id).getStatus(), "off");
    Bundle history = client.history().onInstance(id).returnBundle(Bundle.class).execute();
    List<String> statuses =
        history.getEntry().stream()
            .map((entry) -> ((Subscription) entry.getResource()).getStatus())
            .toList();
    Checks.equal(statuses, List.of("off", "active", "requested"));
  }

  private void errors() throws Exception {
    Subscription wrong = subscription("http://127.0.0.1:1/");
    wrong.setCriteria("OrderResponse?colour=red");
    isRefused(wrong, "colour");
    isRefused(subscription("https://elsewhere.example/"), "subscriptions.allowedHosts");
  }

  private void isRefused(Subscription subscription, String named) throws Exception {
    UnprocessableEntityException problem =
        Checks.throwing(
            UnprocessableEntityException.class,
            () -> client.create().resource(subscription).execute());
    Orders.hasOutcome(problem);
    Checks.holds(problem.getMessage().contains(named), problem.getMessage());
  }

  private Subscription read(IIdType id) {
    return client.read().resource(Subscription.class).withId(id.getIdPart()).execute();
  }

  private Subscription subscription(String endpoint) {
    Subscription subscription = new Subscription();
    String value = orders.identifier("told").getValue();
    subscription.setCriteria("OrderResponse?identifier=" + Orders.SYSTEM + "|" + value);
    subscription.setReason("The outcomes of one order");
    subscription.setStatus(SubscriptionStatusEnum.REQUESTED);
    Subscription.Channel channel = subscription.getChannel();
    channel.setType(SubscriptionChannelTypeEnum.REST_HOOK);
    channel.setEndpoint(endpoint);
    channel.setPayload(mediaType());
    channel.setHeader("X-System: 4711");
    channel.addUndeclaredExtension(new ExtensionDt(false, SECRET_URL, new StringDt(SECRET)));
    return subscription;
  }

  private String mediaType() {
    return payload == EncodingEnum.XML ? "application/xml" : "application/json";
  }

  private static String secretOf(Subscription subscription) {
    List<ExtensionDt> found =
        subscription.getChannel().getUndeclaredExtensionsByUrl(SECRET_URL);
    Checks.equal(found.size(), 1);
    return ((StringDt) found.get(0).getValue()).getValue();
  }
}
