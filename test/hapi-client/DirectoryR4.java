/** What a client of the national R4 service does with organisations, relationships and lists. */

import ca.uhn.fhir.rest.api.SearchStyleEnum;
import ca.uhn.fhir.rest.api.SummaryEnum;
import ca.uhn.fhir.rest.client.api.IGenericClient;
import ca.uhn.fhir.rest.gclient.DateClientParam;
import ca.uhn.fhir.rest.gclient.TokenClientParam;
import ca.uhn.fhir.rest.server.exceptions.InvalidRequestException;
import ca.uhn.fhir.rest.server.exceptions.ResourceNotFoundException;
import java.util.HashSet;
import java.util.Set;
import org.hl7.fhir.r4.model.Bundle;
import org.hl7.fhir.r4.model.CapabilityStatement;
import org.hl7.fhir.r4.model.ListResource;
import org.hl7.fhir.r4.model.OperationOutcome;
import org.hl7.fhir.r4.model.Organization;
import org.hl7.fhir.r4.model.OrganizationAffiliation;

final class DirectoryR4 {
  static final String CODES = "https://fhir.nhs.uk/Id/ods-organization-code";

  private final Checks checks;
  private final IGenericClient client;
  private final String title;

  DirectoryR4(Checks checks, IGenericClient client, String title) {
    this.checks = checks;
    this.client = client;
    this.title = title;
  }

  void run() throws Exception {
    check("the capability statement says what the service does", this::capabilities);
    check("read, and read the version", this::read);
    check("search, page by page to the end", this::pages);
    check("search by form and with a summary", this::searchByForm);
    check("search by identifier, role and date", this::searchByParts);
    check("include the relationships of an organisation", this::revinclude);
    check("read a relationship", this::affiliation);
    check("search relationships by each form of a reference", this::references);
    check("include the organisations of a relationship", this::include);
    check("read the lists of deletions", this::deletions);
    check("errors have an OperationOutcome", this::errors);
  }

  private void check(String name, Checks.Check check) throws Exception {
    checks.check(title + ": " + name, check);
  }

  private void capabilities() {
    client.forceConformanceCheck();
    CapabilityStatement statement =
        client.capabilities().ofType(CapabilityStatement.class).execute();
    Checks.equal(statement.getFhirVersion().toCode(), "4.0.1");
  }

  private void read() {
    String code = anyOrganization().getIdElement().getIdPart();
    Organization found = client.read().resource(Organization.class).withId(code).execute();
    Checks.equal(found.getIdentifierFirstRep().getValue(), code);
    String version = found.getMeta().getVersionId();
    Organization again =
        client.read().resource(Organization.class).withIdAndVersion(code, version).execute();
    Checks.equal(again.getName(), found.getName());
  }

  private void pages() {
    Bundle page =
        client
            .search()
            .forResource(Organization.class)
            .where(new TokenClientParam("active").exactly().code("true"))
            .count(50)
            .returnBundle(Bundle.class)
            .execute();
    int total = page.getTotal();
    Set<String> codes = new HashSet<>();
    add(page, codes);
    while (page.getLink(Bundle.LINK_NEXT) != null) {
      page = client.loadPage().next(page).execute();
      add(page, codes);
    }
    Checks.equal(codes.size(), total);
  }

  private static void add(Bundle page, Set<String> codes) {
    for (Bundle.BundleEntryComponent entry : page.getEntry()) {
      Checks.holds(codes.add(entry.getResource().getIdElement().getIdPart()), "twice");
    }
  }

  private void searchByForm() {
    Organization one = anyOrganization();
    Bundle found =
        client
            .search()
            .forResource(Organization.class)
            .where(Organization.NAME.matchesExactly().value(one.getName()))
            .usingStyle(SearchStyleEnum.POST)
            .returnBundle(Bundle.class)
            .execute();
    Checks.holds(found.getTotal() >= 1, found.getTotal());
    Bundle count =
        client
            .search()
            .forResource(Organization.class)
            .summaryMode(SummaryEnum.COUNT)
            .returnBundle(Bundle.class)
            .execute();
    Checks.holds(count.getTotal() > 120 && count.getEntry().isEmpty(), count.getTotal());
  }

  private void searchByParts() {
    String code = anyOrganization().getIdElement().getIdPart();
    Bundle one =
        client
            .search()
            .forResource(Organization.class)
            .where(Organization.IDENTIFIER.exactly().systemAndCode(CODES, code))
            .returnBundle(Bundle.class)
            .execute();
    Checks.equal(one.getTotal(), 1);
    Bundle practices =
        client
            .search()
            .forResource(Organization.class)
            .where(new TokenClientParam("roleCode").exactly().code("RO177"))
            .and(new DateClientParam("lastChangeDate").after().day("1990-01-01"))
            .returnBundle(Bundle.class)
            .execute();
    Checks.holds(practices.getTotal() > 0, practices.getTotal());
  }

  private void revinclude() {
    String source = sourceOf(anyAffiliation());
    Bundle found =
        client
            .search()
            .forResource(Organization.class)
            .where(Organization.RES_ID.exactly().code(source))
            .revInclude(OrganizationAffiliation.INCLUDE_PRIMARY_ORGANIZATION)
            .returnBundle(Bundle.class)
            .execute();
    Checks.equal(found.getTotal(), 1);
    Checks.holds(found.getEntry().size() > 1, found.getEntry().size());
  }

  private void affiliation() {
    String id = anyAffiliation().getIdElement().getIdPart();
    OrganizationAffiliation found =
        client.read().resource(OrganizationAffiliation.class).withId(id).execute();
    Checks.holds(found.getCodeFirstRep().getCodingFirstRep().getCode().startsWith("RE"), id);
  }

  private void references() {
    String source = sourceOf(anyAffiliation());
    int expected = totalOf("primary-organization=" + source);
    Checks.holds(expected > 0, expected);
    Bundle byReference =
        client
            .search()
            .forResource(OrganizationAffiliation.class)
            .where(OrganizationAffiliation.PRIMARY_ORGANIZATION.hasId("Organization/" + source))
            .returnBundle(Bundle.class)
            .execute();
    Checks.equal(byReference.getTotal(), expected);
    Bundle byIdentifier =
        client
            .search()
            .forResource(OrganizationAffiliation.class)
            .where(
                OrganizationAffiliation.PRIMARY_ORGANIZATION.hasChainedProperty(
                    Organization.IDENTIFIER.exactly().systemAndCode(CODES, source)))
            .returnBundle(Bundle.class)
            .execute();
    Checks.equal(byIdentifier.getTotal(), expected);
    Checks.equal(totalOf("primary-organization.identifier=" + source), expected);
    Checks.equal(totalOf("primary-organization:identifier=" + CODES + "%7C" + source), expected);
    Checks.equal(totalOf("primary-organization=" + CODES + "%7C" + source), expected);
  }

  private int totalOf(String query) {
    return client
        .search()
        .byUrl("OrganizationAffiliation?" + query)
        .returnBundle(Bundle.class)
        .execute()
        .getTotal();
  }

  private void include() {
    Bundle found =
        client
            .search()
            .forResource(OrganizationAffiliation.class)
            .include(OrganizationAffiliation.INCLUDE_PRIMARY_ORGANIZATION)
            .count(1)
            .returnBundle(Bundle.class)
            .execute();
    Checks.equal(found.getEntry().size(), 2);
    Checks.holds(found.getEntry().get(1).getResource() instanceof Organization, "no organisation");
  }

  private void deletions() {
    for (String part : new String[] {"Organization", "OrganizationAffiliation"}) {
      ListResource list =
          client.read().resource(ListResource.class).withId(part + "-deletion").execute();
      Checks.equal(list.getStatus(), ListResource.ListStatus.CURRENT);
    }
  }

  private void errors() throws Exception {
    ResourceNotFoundException missing =
        Checks.throwing(
            ResourceNotFoundException.class,
            () -> client.read().resource(Organization.class).withId("8J632648493").execute());
    Checks.holds(((OperationOutcome) missing.getOperationOutcome()).hasIssue(), "no issue");
    Checks.throwing(
        InvalidRequestException.class, () -> client.search().byUrl("Organization?count=2").execute());
  }

  private Organization anyOrganization() {
    Bundle one =
        client.search().forResource(Organization.class).count(1).returnBundle(Bundle.class).execute();
    return (Organization) one.getEntryFirstRep().getResource();
  }

  private OrganizationAffiliation anyAffiliation() {
    Bundle one =
        client
            .search()
            .forResource(OrganizationAffiliation.class)
            .count(1)
            .returnBundle(Bundle.class)
            .execute();
    return (OrganizationAffiliation) one.getEntryFirstRep().getResource();
  }

  private static String sourceOf(OrganizationAffiliation affiliation) {
    return affiliation.getOrganization().getIdentifier().getValue();
  }
}
