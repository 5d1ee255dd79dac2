/** What a client of the national R4 service does with code systems and value sets. */

import ca.uhn.fhir.rest.client.api.IGenericClient;
import ca.uhn.fhir.rest.server.exceptions.InvalidRequestException;
import ca.uhn.fhir.rest.server.exceptions.ResourceNotFoundException;
import org.hl7.fhir.r4.model.Bundle;
import org.hl7.fhir.r4.model.CodeSystem;
import org.hl7.fhir.r4.model.CodeType;
import org.hl7.fhir.r4.model.Coding;
import org.hl7.fhir.r4.model.IntegerType;
import org.hl7.fhir.r4.model.Organization;
import org.hl7.fhir.r4.model.Parameters;
import org.hl7.fhir.r4.model.Parameters.ParametersParameterComponent;
import org.hl7.fhir.r4.model.UriType;
import org.hl7.fhir.r4.model.ValueSet;

final class Terminology {
  private static final String ODS =
      "https://digital.nhs.uk/services/organisation-data-service/CodeSystem/";
  private static final String ROLES = ODS + "ODSOrganisationRole";
  static final String[] SYSTEMS = {
    DirectoryR4.CODES,
    ROLES,
    ODS + "organization-role-instance",
    ODS + "organization-relationship-instance",
    ODS + "succession",
    ODS + "postcode",
    ODS + "geography-name",
    ODS + "practitioner",
    ODS + "practitioner-role",
    ODS + "practitioner-relationship-instance",
    ODS + "practitioner-additional-attribute",
  };

  private final Checks checks;
  private final IGenericClient client;
  private final String title;

  Terminology(Checks checks, IGenericClient client, String title) {
    this.checks = checks;
    this.client = client;
    this.title = title;
  }

  void run() throws Exception {
    check("search code systems and value sets by URL", this::search);
    check("read a code system with its codes", this::read);
    check("look up an organisation with all properties", this::lookUp);
    check("look up a code of each code system", this::lookUpEach);
    check("validate a code and its properties", this::validate);
    check("validate a coding of a value set", this::validateInValueSet);
    check("compare two codes", this::subsumes);
    check("expand a value set page by page", this::expand);
    check("expand a value set in the request", this::expandInline);
    check("errors of operations have an OperationOutcome", this::errors);
  }

  private void check(String name, Checks.Check check) throws Exception {
    checks.check(title + ": " + name, check);
  }

  private void search() {
    for (String system : SYSTEMS) {
      Bundle found =
          client
              .search()
              .forResource(CodeSystem.class)
              .where(CodeSystem.URL.matches().value(system))
              .returnBundle(Bundle.class)
              .execute();
      Checks.equal(found.getTotal(), 1);
      Bundle valueSets =
          client
              .search()
              .forResource(ValueSet.class)
              .where(ValueSet.REFERENCE.matches().value(system))
              .returnBundle(Bundle.class)
              .execute();
      Checks.equal(valueSets.getTotal(), 1);
    }
  }

  private void read() {
    CodeSystem roles =
        client.read().resource(CodeSystem.class).withId("ODSOrganisationRole").execute();
    Checks.holds(!roles.getConcept().isEmpty(), "no roles");
  }

  private void lookUp() {
    String code = anyCode(DirectoryR4.CODES);
    Parameters answer =
        onCodeSystem(
            "$lookup",
            new Parameters()
                .addParameter("system", new UriType(DirectoryR4.CODES))
                .addParameter("code", new CodeType(code))
                .addParameter("property", new CodeType("*")));
    ParametersParameterComponent role =
        answer.getParameter().stream()
            .filter(each -> each.getName().equals("property"))
            .filter(each -> part(each, "code").primitiveValue().equals("primaryRole"))
            .findFirst()
            .orElseThrow();
    Checks.equal(((Coding) part(role, "value")).getSystem(), ROLES);
    Checks.equal(((Coding) part(role, "valueCoding")).getSystem(), ROLES);
  }

  private static org.hl7.fhir.r4.model.Type part(ParametersParameterComponent one, String name) {
    return one.getPart().stream()
        .filter(each -> each.getName().equals(name))
        .findFirst()
        .orElseThrow()
        .getValue();
  }

  private void lookUpEach() {
    for (String system : SYSTEMS) {
      String code = anyCode(system);
      Parameters answer =
          onCodeSystem(
              "$lookup",
              new Parameters()
                  .addParameter("system", new UriType(system))
                  .addParameter("code", new CodeType(code)));
      Checks.equal(answer.getParameter("code").getValue().primitiveValue(), code);
    }
  }

  private void validate() {
    Organization one =
        (Organization)
            client
                .search()
                .forResource(Organization.class)
                .where(Organization.ACTIVE.exactly().code("true"))
                .count(1)
                .returnBundle(Bundle.class)
                .execute()
                .getEntryFirstRep()
                .getResource();
    for (String status : new String[] {"active", "inactive"}) {
      Parameters answer =
          onCodeSystem(
              "$validate-code",
              new Parameters()
                  .addParameter("url", new UriType(DirectoryR4.CODES))
                  .addParameter("code", new CodeType(one.getIdElement().getIdPart()))
                  .addParameter("status", new CodeType(status)));
      Checks.equal(answer.getParameterBool("result"), status.equals("active"));
    }
  }

  private void validateInValueSet() {
    Parameters answer =
        onValueSet(
            "$validate-code",
            new Parameters()
                .addParameter("url", new UriType(ROLES.replace("/CodeSystem/", "/ValueSet/")))
                .addParameter("coding", new Coding().setSystem(ROLES).setCode("RO197")));
    Checks.equal(answer.getParameterBool("result"), true);
  }

  private void subsumes() {
    Parameters answer =
        onCodeSystem(
            "$subsumes",
            new Parameters()
                .addParameter("system", new UriType(ROLES))
                .addParameter("codeA", new CodeType("RO197"))
                .addParameter("codeB", new CodeType("RO177")));
    Checks.equal(answer.getParameter("outcome").getValue().primitiveValue(), "not-subsumed");
  }

  private void expand() {
    for (String system : SYSTEMS) {
      ValueSet first = expansion(system, 0);
      Checks.holds(first.getExpansion().getIdentifier().startsWith("urn:uuid:"), system);
      if (first.getExpansion().getTotal() < 4) {
        continue;
      }
      String next = expansion(system, 2).getExpansion().getContainsFirstRep().getCode();
      Checks.holds(!next.equals(first.getExpansion().getContainsFirstRep().getCode()), next);
    }
  }

  private ValueSet expansion(String system, int offset) {
    return client
        .operation()
        .onType(ValueSet.class)
        .named("$expand")
        .withParameters(
            new Parameters()
                .addParameter("url", new UriType(system))
                .addParameter("offset", new IntegerType(offset))
                .addParameter("count", new IntegerType(2)))
        .returnResourceType(ValueSet.class)
        .execute();
  }

  private void expandInline() {
    ValueSet inline = new ValueSet();
    inline.getCompose().setInactive(true);
    inline
        .getCompose()
        .addInclude()
        .setSystem(DirectoryR4.CODES)
        .addFilter()
        .setProperty("lastChangeDate")
        .setOp(ValueSet.FilterOperator.EQUAL)
        .setValue("gt1990-01-01");
    Parameters parameters =
        new Parameters()
            .addParameter("property", new CodeType("primaryRole"))
            .addParameter("count", new IntegerType(2));
    parameters.addParameter().setName("valueSet").setResource(inline);
    ValueSet found =
        client
            .operation()
            .onType(ValueSet.class)
            .named("$expand")
            .withParameters(parameters)
            .returnResourceType(ValueSet.class)
            .execute();
    Checks.equal(found.getExpansion().getContains().size(), 2);
  }

  private void errors() throws Exception {
    Checks.throwing(
        ResourceNotFoundException.class,
        () ->
            onCodeSystem(
                "$lookup",
                new Parameters()
                    .addParameter("system", new UriType(ODS + "postcode"))
                    .addParameter("code", new CodeType("ZZ99 3WZ"))));
    Checks.throwing(
        InvalidRequestException.class,
        () ->
            onCodeSystem(
                "$lookup", new Parameters().addParameter("system", new UriType(ROLES))));
  }

  private String anyCode(String system) {
    return expansion(system, 0).getExpansion().getContainsFirstRep().getCode();
  }

  private Parameters onCodeSystem(String name, Parameters parameters) {
    return client
        .operation()
        .onType(CodeSystem.class)
        .named(name)
        .withParameters(parameters)
        .execute();
  }

  private Parameters onValueSet(String name, Parameters parameters) {
    return client.operation().onType(ValueSet.class).named(name).withParameters(parameters).execute();
  }
}
