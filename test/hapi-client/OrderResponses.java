/** What a client does with order responses: writes, reads, histories, searches. */

import static java.util.Collections.singletonList;

import ca.uhn.fhir.model.api.IResource;
import ca.uhn.fhir.model.dstu2.composite.ResourceReferenceDt;
import ca.uhn.fhir.model.dstu2.resource.Bundle;
import ca.uhn.fhir.model.dstu2.resource.Conformance;
import ca.uhn.fhir.model.dstu2.resource.OperationOutcome;
import ca.uhn.fhir.model.dstu2.resource.Order;
import ca.uhn.fhir.model.dstu2.resource.OrderResponse;
import ca.uhn.fhir.model.dstu2.resource.Patient;
import ca.uhn.fhir.model.dstu2.valueset.BundleTypeEnum;
import ca.uhn.fhir.model.dstu2.valueset.OrderStatusEnum;
import ca.uhn.fhir.model.primitive.IdDt;
import ca.uhn.fhir.rest.api.MethodOutcome;
import ca.uhn.fhir.rest.api.PreferReturnEnum;
import ca.uhn.fhir.rest.api.SearchStyleEnum;
import ca.uhn.fhir.rest.api.SortOrderEnum;
import ca.uhn.fhir.rest.api.SortSpec;
import ca.uhn.fhir.rest.api.SummaryEnum;
import ca.uhn.fhir.rest.client.api.IGenericClient;
import ca.uhn.fhir.rest.gclient.TokenClientParam;
import ca.uhn.fhir.rest.server.exceptions.AuthenticationException;
import ca.uhn.fhir.rest.server.exceptions.InvalidRequestException;
import ca.uhn.fhir.rest.server.exceptions.MethodNotAllowedException;
import ca.uhn.fhir.rest.server.exceptions.NotModifiedException;
import ca.uhn.fhir.rest.server.exceptions.PreconditionFailedException;
import ca.uhn.fhir.rest.server.exceptions.ResourceGoneException;
import ca.uhn.fhir.rest.server.exceptions.ResourceNotFoundException;
import ca.uhn.fhir.rest.server.exceptions.ResourceVersionConflictException;
import ca.uhn.fhir.rest.server.exceptions.UnprocessableEntityException;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.hl7.fhir.instance.model.api.IIdType;

final class OrderResponses {
  private final Checks checks;
  private final IGenericClient client;
  private final IGenericClient stranger;
  private final String title;
  private final Orders orders = new Orders();

  /** `stranger` has no token. */
  OrderResponses(Checks checks, IGenericClient client, IGenericClient stranger, String title) {
    this.checks = checks;
    this.client = client;
    this.stranger = stranger;
    this.title = title;
  }

  void run() throws Exception {
    check("the conformance statement says what the service does", this::conformance);
    check("create", this::create);
    check("conditional create", this::conditionalCreate);
    check("read, with and without an entity tag", this::read);
    check("vread", this::vread);
    check("update, with the current and with an earlier version", this::update);
    check("conditional update", this::conditionalUpdate);
    check("history of an instance, page by page", this::historyOfInstance);
    check("history of the type and of the server, page by page", this::historyOfType);
    check("search, page by page", this::search);
    check("search by form, with a sort order, dates and a summary", this::searchByForm);
    check("$validate", this::validate);
    check("delete", this::delete);
    check("errors have an OperationOutcome", this::errors);
  }

  private void check(String name, Checks.Check check) throws Exception {
    checks.check(title + ": " + name, check);
  }

  private void conformance() {
    client.forceConformanceCheck();
    Conformance statement = client.capabilities().ofType(Conformance.class).execute();
    Checks.equal(statement.getFhirVersion(), "1.0.2");
    Set<String> interactions = new HashSet<>();
    for (Conformance.RestResource type : statement.getRest().get(0).getResource()) {
      if (!"OrderResponse".equals(type.getType())) {
        continue;
      }
      type.getInteraction().forEach((each) -> interactions.add(each.getCode()));
    }
    for (String code : List.of("create", "read", "vread", "update", "delete", "search-type")) {
      Checks.holds(interactions.contains(code), interactions);
    }
  }

  private void create() {
    OrderResponse sent = orders.order("create");
    MethodOutcome outcome =
        client.create().resource(sent).prefer(PreferReturnEnum.REPRESENTATION).execute();
    Checks.equal(outcome.getCreated(), true);
    Checks.equal(outcome.getId().getVersionIdPart(), "1");
    Checks.equal(outcome.getId().getResourceType(), "OrderResponse");
    OrderResponse stored = (OrderResponse) outcome.getResource();
    Checks.equal(stored.getIdElement().getIdPart(), outcome.getId().getIdPart());
    Checks.equal(stored.getIdentifierFirstRep().getValue(), orders.identifier("create").getValue());
    Order contained = (Order) stored.getRequest().getResource();
    Patient patient = (Patient) contained.getSubject().getResource();
    Checks.equal(patient.getIdentifierFirstRep().getValue(), "9434765919");

    MethodOutcome plain = client.create().resource(orders.order("create-plain")).execute();
    Checks.equal(plain.getCreated(), true);
    OperationOutcome report = (OperationOutcome) plain.getOperationOutcome();
    Checks.equal(report.getIssueFirstRep().getSeverity(), "information");

    MethodOutcome minimal =
        client
            .create()
            .resource(orders.order("create-minimal"))
            .prefer(PreferReturnEnum.MINIMAL)
            .execute();
    Checks.equal(minimal.getCreated(), true);
    Checks.equal(minimal.getId().getVersionIdPart(), "1");
  }

  private void conditionalCreate() throws Exception {
    MethodOutcome first = createdOnce();
    Checks.equal(first.getCreated(), true);
    MethodOutcome second = createdOnce();
    Checks.holds(!Boolean.TRUE.equals(second.getCreated()), second.getCreated());
    Checks.equal(second.getId().getIdPart(), first.getId().getIdPart());
    String named = Orders.SYSTEM + "|" + orders.identifier("once").getValue();
    MethodOutcome byUrl =
        client
            .create()
            .resource(orders.order("once"))
            .conditionalByUrl("OrderResponse?identifier=" + named)
            .execute();
    Checks.equal(byUrl.getId().getIdPart(), first.getId().getIdPart());
    client.create().resource(orders.order("once")).execute();
    Checks.throwing(PreconditionFailedException.class, this::createdOnce);
  }

  private MethodOutcome createdOnce() {
    OrderResponse order = orders.order("once");
    return client.create().resource(order).conditional().where(orders.isNamed("once")).execute();
  }

  private void read() throws Exception {
    IIdType id = created("read");
    OrderResponse read =
        client.read().resource(OrderResponse.class).withId(id.getIdPart()).execute();
    Checks.equal(read.getIdElement().getVersionIdPart(), "1");
    Checks.holds(read.getMeta().getLastUpdated() != null, read.getMeta());
    Checks.throwing(
        NotModifiedException.class,
        () ->
            client
                .read()
                .resource(OrderResponse.class)
                .withId(id.getIdPart())
                .ifVersionMatches("1")
                .throwNotModifiedException()
                .execute());
  }

  private void vread() {
    IIdType id = created("vread");
    OrderResponse changed = orders.order("vread");
    changed.setId(id.toUnqualifiedVersionless());
    changed.setDescription("changed");
    client.update().resource(changed).execute();
    for (String version : new String[] {"1", "2"}) {
      OrderResponse read =
          client
              .read()
              .resource(OrderResponse.class)
              .withIdAndVersion(id.getIdPart(), version)
              .execute();
      Checks.equal(read.getIdElement().getVersionIdPart(), version);
      Checks.equal(read.getDescription(), version.equals("2") ? "changed" : null);
    }
  }

  private void update() throws Exception {
    IIdType id = created("update");
    OrderResponse read =
        client.read().resource(OrderResponse.class).withUrl(id.getValue()).execute();
    read.setOrderStatus(OrderStatusEnum.COMPLETED);
    MethodOutcome outcome =
        client.update().resource(read).prefer(PreferReturnEnum.REPRESENTATION).execute();
    Checks.holds(!Boolean.TRUE.equals(outcome.getCreated()), outcome.getCreated());
    Checks.equal(outcome.getId().getIdPart(), id.getIdPart());
    Checks.equal(outcome.getId().getVersionIdPart(), "2");
    OrderResponse stored = (OrderResponse) outcome.getResource();
    Checks.equal(stored.getOrderStatusElement().getValueAsEnum(), OrderStatusEnum.COMPLETED);
    // The client sends the version of the id as If-Match.
    read.setId(new IdDt("OrderResponse", id.getIdPart(), "1"));
    Checks.throwing(
        ResourceVersionConflictException.class, () -> client.update().resource(read).execute());
  }

  private void conditionalUpdate() {
    MethodOutcome first = updatedByIdentifier();
    Checks.equal(first.getCreated(), true);
    MethodOutcome second = updatedByIdentifier();
    Checks.equal(second.getId().getIdPart(), first.getId().getIdPart());
    Checks.equal(second.getId().getVersionIdPart(), "2");
  }

  private MethodOutcome updatedByIdentifier() {
    OrderResponse order = orders.order("upsert");
    return client.update().resource(order).conditional().where(orders.isNamed("upsert")).execute();
  }

  private void historyOfInstance() {
    IIdType id = created("history").toUnqualifiedVersionless();
    for (int version = 2; version <= 5; version++) {
      OrderResponse next = orders.order("history");
      next.setId(id);
      client.update().resource(next).execute();
    }
    Bundle page =
        client.history().onInstance(id).returnBundle(Bundle.class).count(2).execute();
    Checks.equal(page.getTotal(), 5);
    List<String> versions = new ArrayList<>();
    for (Bundle each : pagesFrom(page)) {
      for (Bundle.Entry entry : each.getEntry()) {
        versions.add(entry.getResource().getIdElement().getVersionIdPart());
      }
    }
    Checks.equal(versions, List.of("5", "4", "3", "2", "1"));
  }

  private void historyOfType() {
    Date start = new Date(System.currentTimeMillis() - 3_600_000);
    Set<String> wanted = new HashSet<>();
    for (int i = 0; i < 5; i++) {
      wanted.add(created("of-type" + i).getIdPart());
    }
    Bundle ofType =
        client
            .history()
            .onType(OrderResponse.class)
            .returnBundle(Bundle.class)
            .since(start)
            .count(3)
            .execute();
    Bundle ofServer = client.history().onServer().returnBundle(Bundle.class).count(50).execute();
    for (Bundle first : List.of(ofType, ofServer)) {
      Set<String> seen = new HashSet<>();
      int versions = 0;
      for (Bundle page : pagesFrom(first)) {
        for (Bundle.Entry entry : page.getEntry()) {
          versions += 1;
          IResource resource = entry.getResource();
          String url = resource == null ? entry.getRequest().getUrl() : resource.getId().getValue();
          seen.add(url + " " + (resource == null ? versions : ""));
        }
      }
      Checks.equal(seen.size(), versions);
      for (String id : wanted) {
        Checks.holds(seen.stream().anyMatch((each) -> each.contains(id)), id);
      }
    }
  }

  private void search() {
    Set<String> wanted = new HashSet<>();
    for (int i = 0; i < 7; i++) {
      OrderResponse order = orders.order("search" + i);
      order.setDescription("search");
      order.addIdentifier(orders.identifier("search"));
      wanted.add(client.create().resource(order).execute().getId().getIdPart());
    }
    Bundle first =
        client
            .search()
            .forResource(OrderResponse.class)
            .where(orders.isNamed("search"))
            .and(
                new TokenClientParam("request.patient.identifier")
                    .exactly()
                    .systemAndIdentifier("https://fhir.nhs.uk/Id/nhs-number", "9434765919"))
            .count(3)
            .returnBundle(Bundle.class)
            .execute();
    Checks.equal(first.getTotal(), 7);
    Set<String> found = new HashSet<>();
    List<Bundle> pages = pagesFrom(first);
    Checks.equal(pages.size(), 3);
    for (Bundle page : pages) {
      Checks.equal(page.getTypeElement().getValueAsEnum(), BundleTypeEnum.SEARCH_RESULTS);
      for (Bundle.Entry entry : page.getEntry()) {
        Checks.equal(entry.getSearch().getMode(), "match");
        found.add(entry.getResource().getIdElement().getIdPart());
      }
    }
    Checks.equal(found, wanted);
    Bundle back = client.loadPage().previous(pages.get(2)).execute();
    Checks.equal(idsOf(back), idsOf(pages.get(1)));
  }

  private void searchByForm() {
    List<String> made = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      OrderResponse order = orders.order("form" + i);
      order.addIdentifier(orders.identifier("form"));
      made.add(client.create().resource(order).execute().getId().getIdPart());
    }
    Bundle sorted =
        client
            .search()
            .forResource(OrderResponse.class)
            .where(orders.isNamed("form"))
            .and(OrderResponse.DATE.afterOrEquals().day("2026-01-01"))
            .and(OrderResponse.CODE.exactly().code("accepted"))
            .sort(new SortSpec("_lastUpdated", SortOrderEnum.ASC))
            .usingStyle(SearchStyleEnum.POST)
            .returnBundle(Bundle.class)
            .execute();
    Checks.equal(idsOf(sorted), made);
    Bundle summary =
        client
            .search()
            .forResource(OrderResponse.class)
            .where(orders.isNamed("form"))
            .summaryMode(SummaryEnum.TRUE)
            .returnBundle(Bundle.class)
            .execute();
    Checks.equal(summary.getEntry().size(), 3);
    Bundle count =
        client
            .search()
            .forResource(OrderResponse.class)
            .where(orders.isNamed("form"))
            .summaryMode(SummaryEnum.COUNT)
            .returnBundle(Bundle.class)
            .execute();
    Checks.equal(count.getTotal(), 3);
    Checks.equal(count.getEntry().size(), 0);
    Bundle elements =
        client
            .search()
            .forResource(OrderResponse.class)
            .where(orders.isNamed("form"))
            .elementsSubset("identifier", "orderStatus")
            .returnBundle(Bundle.class)
            .execute();
    Checks.equal(elements.getEntry().size(), 3);
  }

  private void validate() {
    MethodOutcome valid = client.validate().resource(orders.order("validate")).execute();
    OperationOutcome report = (OperationOutcome) valid.getOperationOutcome();
    Checks.equal(report.getIssueFirstRep().getSeverity(), "information");
    OrderResponse incomplete = new OrderResponse().setOrderStatus(OrderStatusEnum.ACCEPTED);
    MethodOutcome invalid = client.validate().resource(incomplete).execute();
    OperationOutcome findings = (OperationOutcome) invalid.getOperationOutcome();
    Checks.holds(
        findings.getIssue().stream().anyMatch((issue) -> "error".equals(issue.getSeverity())),
        "no error");
  }

  private void delete() throws Exception {
    IIdType id = created("delete").toUnqualifiedVersionless();
    client.delete().resourceById(id).execute();
    Checks.throwing(
        ResourceGoneException.class,
        () -> client.read().resource(OrderResponse.class).withId(id.getIdPart()).execute());
    client.delete().resourceById(id).execute();
    Bundle history = client.history().onInstance(id).returnBundle(Bundle.class).execute();
    Checks.equal(history.getEntry().get(0).getRequest().getMethod(), "DELETE");
    Checks.equal(history.getEntry().get(0).getResource(), null);
    OrderResponse again = orders.order("delete");
    again.setId(id);
    MethodOutcome back = client.update().resource(again).execute();
    Checks.equal(back.getId().getVersionIdPart(), "3");
  }

  private void errors() throws Exception {
    Orders.hasOutcome(
        Checks.throwing(
            ResourceNotFoundException.class,
            () -> client.read().resource(OrderResponse.class).withId("none").execute()));
    Orders.hasOutcome(
        Checks.throwing(
            AuthenticationException.class,
            () -> stranger.read().resource(OrderResponse.class).withId("none").execute()));
    Orders.hasOutcome(
        Checks.throwing(
            InvalidRequestException.class,
            () -> client.create().resource(new OrderResponse()).execute()));
    OrderResponse plain = new OrderResponse();
    plain.setRequest(new ResourceReferenceDt("Order/1"));
    plain.setOrderStatus(OrderStatusEnum.ACCEPTED);
    Orders.hasOutcome(
        Checks.throwing(
            UnprocessableEntityException.class, () -> client.create().resource(plain).execute()));
    OrderResponse chosen = orders.order("chosen");
    chosen.setId("OrderResponse/chosen");
    Orders.hasOutcome(
        Checks.throwing(
            MethodNotAllowedException.class, () -> client.update().resource(chosen).execute()));
  }

  /** Follows the links `next` to the end. */
  private List<Bundle> pagesFrom(Bundle first) {
    List<Bundle> pages = new ArrayList<>(singletonList(first));
    for (Bundle page = first; page.getLink("next") != null; pages.add(page)) {
      page = client.loadPage().next(page).execute();
    }
    return pages;
  }

  private static List<String> idsOf(Bundle page) {
    List<String> ids = new ArrayList<>();
    page.getEntry().forEach((entry) -> ids.add(entry.getResource().getIdElement().getIdPart()));
    return ids;
  }

  private IIdType created(String name) {
    return client.create().resource(orders.order(name)).execute().getId();
  }
}
