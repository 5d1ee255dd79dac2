/** What a client does with the directory: reads, searches page by page, codes. */

import ca.uhn.fhir.rest.api.SearchStyleEnum;
import ca.uhn.fhir.rest.api.SummaryEnum;
import ca.uhn.fhir.rest.client.api.IGenericClient;
import ca.uhn.fhir.rest.gclient.StringClientParam;
import ca.uhn.fhir.rest.gclient.TokenClientParam;
import ca.uhn.fhir.rest.server.exceptions.InvalidRequestException;
import ca.uhn.fhir.rest.server.exceptions.NotModifiedException;
import ca.uhn.fhir.rest.server.exceptions.ResourceNotFoundException;
import java.util.HashSet;
import java.util.Set;
import org.hl7.fhir.dstu3.model.Bundle;
import org.hl7.fhir.dstu3.model.CapabilityStatement;
import org.hl7.fhir.dstu3.model.CodeSystem;
import org.hl7.fhir.dstu3.model.OperationOutcome;
import org.hl7.fhir.dstu3.model.Organization;
import org.hl7.fhir.dstu3.model.SearchParameter;
import org.hl7.fhir.dstu3.model.ValueSet;

final class Directory {
  private final Checks checks;
  private final IGenericClient client;
  private final String title;

  Directory(Checks checks, IGenericClient client, String title) {
    this.checks = checks;
    this.client = client;
    this.title = title;
  }

  void run() throws Exception {
    check("the capability statement says what the service does", this::capabilities);
    check("read, with and without an entity tag", this::read);
    check("search, page by page to the end", this::search);
    check("search by form and with a summary", this::searchByForm);
    check("code systems, value sets and search parameters", this::definitions);
    check("errors have an OperationOutcome", this::errors);
  }

  private void check(String name, Checks.Check check) throws Exception {
    checks.check(title + ": " + name, check);
  }

  private void capabilities() {
    client.forceConformanceCheck();
    CapabilityStatement statement =
        client.capabilities().ofType(CapabilityStatement.class).execute();
    Checks.equal(statement.getFhirVersion(), "3.0.2");
    Checks.equal(statement.getRestFirstRep().getResourceFirstRep().getType(), "Organization");
  }

  private void read() throws Exception {
    String code = anyCode();
    Organization organization =
        client.read().resource(Organization.class).withId(code).execute();
    Checks.equal(organization.getIdElement().getIdPart(), code);
    Checks.equal(organization.getIdentifierFirstRep().getValue(), code);
    Checks.holds(organization.hasName() && organization.hasActive(), code);
    String version = organization.getIdElement().getVersionIdPart();
    Checks.holds(version != null, "no version");
    Checks.throwing(
        NotModifiedException.class,
        () ->
            client
                .read()
                .resource(Organization.class)
                .withId(code)
                .ifVersionMatches(version)
                .throwNotModifiedException()
                .execute());
  }

  private void search() {
    Bundle page =
        client
            .search()
            .forResource(Organization.class)
            .where(new TokenClientParam("active").exactly().code("true"))
            .count(20)
            .returnBundle(Bundle.class)
            .execute();
    int total = page.getTotal();
    Checks.holds(total > 120, total);
    Set<String> codes = new HashSet<>();
    int pages = 1;
    add(page, codes);
    while (page.getLink(Bundle.LINK_NEXT) != null) {
      page = client.loadPage().next(page).execute();
      pages += 1;
      add(page, codes);
    }
    Checks.equal(codes.size(), total);
    Checks.equal(pages, (total + 19) / 20);
    Bundle before = client.loadPage().previous(page).execute();
    Checks.equal(before.getEntry().size(), 20);
  }

  private static void add(Bundle page, Set<String> codes) {
    Checks.equal(page.getType(), Bundle.BundleType.SEARCHSET);
    for (Bundle.BundleEntryComponent entry : page.getEntry()) {
      Checks.holds(codes.add(entry.getResource().getIdElement().getIdPart()), "twice");
      Checks.holds(((Organization) entry.getResource()).getActive(), "not active");
    }
  }

  private void searchByForm() {
    Organization organization =
        client.read().resource(Organization.class).withId(anyCode()).execute();
    Bundle found =
        client
            .search()
            .forResource(Organization.class)
            .where(new StringClientParam("name").matchesExactly().value(organization.getName()))
            .usingStyle(SearchStyleEnum.POST)
            .returnBundle(Bundle.class)
            .execute();
    Checks.holds(found.getTotal() >= 1, found.getTotal());
    for (Bundle.BundleEntryComponent entry : found.getEntry()) {
      Checks.equal(((Organization) entry.getResource()).getName(), organization.getName());
    }
    Bundle count =
        client
            .search()
            .forResource(Organization.class)
            .summaryMode(SummaryEnum.COUNT)
            .returnBundle(Bundle.class)
            .execute();
    Checks.holds(count.getTotal() > 120 && count.getEntry().isEmpty(), count.getTotal());
  }

  private void definitions() {
    CodeSystem roles =
        client.read().resource(CodeSystem.class).withId("ODSAPI-OrganizationRole-1").execute();
    Checks.holds(!roles.getConcept().isEmpty(), "no roles");
    Bundle valueSets =
        client.search().forResource(ValueSet.class).returnBundle(Bundle.class).execute();
    Checks.holds(!valueSets.getEntry().isEmpty(), "no value sets");
    CapabilityStatement statement =
        client.capabilities().ofType(CapabilityStatement.class).execute();
    for (var parameter : statement.getRestFirstRep().getResourceFirstRep().getSearchParam()) {
      String definition = parameter.getDefinition();
      if (definition == null || !definition.startsWith(client.getServerBase())) {
        continue;
      }
      String id = definition.substring(definition.lastIndexOf('/') + 1);
      SearchParameter read = client.read().resource(SearchParameter.class).withId(id).execute();
      Checks.equal(read.getCode(), parameter.getName());
    }
  }

  private void errors() throws Exception {
    ResourceNotFoundException missing =
        Checks.throwing(
            ResourceNotFoundException.class,
            () -> client.read().resource(Organization.class).withId("ZZZ999").execute());
    Checks.holds(((OperationOutcome) missing.getOperationOutcome()).hasIssue(), "no issue");
    InvalidRequestException unknown =
        Checks.throwing(
            InvalidRequestException.class,
            () -> client.search().byUrl("Organization?colour=red").execute());
    Checks.holds(((OperationOutcome) unknown.getOperationOutcome()).hasIssue(), "no issue");
  }

  private String anyCode() {
    Bundle one =
        client
            .search()
            .forResource(Organization.class)
            .count(1)
            .returnBundle(Bundle.class)
            .execute();
    return one.getEntryFirstRep().getResource().getIdElement().getIdPart();
  }
}
