/**
 * Validates organisations with the validator of HAPI FHIR, which asks the server about the codes of
 * their types and roles: a profile binds these to the value sets of the server.
 */

import ca.uhn.fhir.context.FhirContext;
import ca.uhn.fhir.context.support.DefaultProfileValidationSupport;
import ca.uhn.fhir.rest.client.api.IGenericClient;
import ca.uhn.fhir.validation.FhirValidator;
import ca.uhn.fhir.validation.SingleValidationMessage;
import ca.uhn.fhir.validation.ValidationOptions;
import java.util.List;
import java.util.stream.Collectors;
import org.hl7.fhir.common.hapi.validation.support.CommonCodeSystemsTerminologyService;
import org.hl7.fhir.common.hapi.validation.support.InMemoryTerminologyServerValidationSupport;
import org.hl7.fhir.common.hapi.validation.support.PrePopulatedValidationSupport;
import org.hl7.fhir.common.hapi.validation.support.RemoteTerminologyServiceValidationSupport;
import org.hl7.fhir.common.hapi.validation.support.SnapshotGeneratingValidationSupport;
import org.hl7.fhir.common.hapi.validation.support.ValidationSupportChain;
import org.hl7.fhir.common.hapi.validation.validator.FhirInstanceValidator;
import org.hl7.fhir.r4.model.Bundle;
import org.hl7.fhir.r4.model.ElementDefinition;
import org.hl7.fhir.r4.model.Enumerations;
import org.hl7.fhir.r4.model.Organization;
import org.hl7.fhir.r4.model.StructureDefinition;

final class RemoteTerminology {
  private static final String PROFILE = "http://example.org/StructureDefinition/bound";
  private static final String VALUE_SET =
      "https://digital.nhs.uk/services/organisation-data-service/ValueSet/ODSRecordClass";

  private final Checks checks;
  private final IGenericClient client;

  RemoteTerminology(Checks checks, IGenericClient client) {
    this.checks = checks;
    this.client = client;
  }

  void run() throws Exception {
    FhirValidator validator = validator();
    for (String kind : new String[] {"type=RC1", "type=RC2", "active=false", "roleCode=RO177"}) {
      checks.check(
          "R4, remote terminology: an organisation with " + kind + " is valid",
          () -> {
            List<SingleValidationMessage> problems = problemsOf(validator, organization(kind));
            Checks.holds(problems.isEmpty(), problems);
          });
    }
    checks.check(
        "R4, remote terminology: a record class that the server does not have is not valid",
        () -> {
          Organization wrong = organization("type=RC1");
          wrong.getType().get(1).getCodingFirstRep().setCode("RC9").setDisplay(null);
          Checks.holds(!problemsOf(validator, wrong).isEmpty(), "valid");
        });
  }

  private Organization organization(String query) {
    Bundle found =
        client
            .search()
            .byUrl("Organization?_count=1&" + query)
            .returnBundle(Bundle.class)
            .execute();
    return (Organization) found.getEntryFirstRep().getResource();
  }

  /** The errors about codes: the national profiles and extensions are not at hand. */
  private static List<SingleValidationMessage> problemsOf(
      FhirValidator validator, Organization organization) {
    organization.getMeta().getProfile().clear();
    organization.getExtension().clear();
    organization.getAddress().forEach(address -> address.getExtension().clear());
    return validator
        .validateWithResult(organization, new ValidationOptions().addProfile(PROFILE))
        .getMessages()
        .stream()
        .filter(each -> each.getSeverity().ordinal() >= 2)
        .collect(Collectors.toList());
  }

  private FhirValidator validator() {
    FhirContext context = client.getFhirContext();
    PrePopulatedValidationSupport profiles = new PrePopulatedValidationSupport(context);
    profiles.addStructureDefinition(profile());
    ValidationSupportChain chain =
        new ValidationSupportChain(
            profiles,
            new DefaultProfileValidationSupport(context),
            new CommonCodeSystemsTerminologyService(context),
            new RemoteTerminologyServiceValidationSupport(context, client.getServerBase()),
            new InMemoryTerminologyServerValidationSupport(context),
            new SnapshotGeneratingValidationSupport(context));
    return context.newValidator().registerValidatorModule(new FhirInstanceValidator(chain));
  }

  /** The second type of an organisation is its record class. */
  private static StructureDefinition profile() {
    StructureDefinition profile = new StructureDefinition();
    profile.setUrl(PROFILE).setName("Bound").setStatus(Enumerations.PublicationStatus.ACTIVE);
    profile.setKind(StructureDefinition.StructureDefinitionKind.RESOURCE).setAbstract(false);
    profile.setType("Organization");
    profile.setBaseDefinition("http://hl7.org/fhir/StructureDefinition/Organization");
    profile.setDerivation(StructureDefinition.TypeDerivationRule.CONSTRAINT);
    ElementDefinition type = element(profile, "Organization.type", null);
    type.getSlicing()
        .setRules(ElementDefinition.SlicingRules.OPEN)
        .addDiscriminator()
        .setType(ElementDefinition.DiscriminatorType.VALUE)
        .setPath("coding.system");
    ElementDefinition slice = element(profile, "Organization.type", "class");
    slice.setMin(1).setMax("1");
    slice.getBinding().setStrength(Enumerations.BindingStrength.REQUIRED).setValueSet(VALUE_SET);
    ElementDefinition system = element(profile, "Organization.type.coding.system", null);
    system.setId("Organization.type:class.coding.system");
    system.setMin(1);
    system.setFixed(
        new org.hl7.fhir.r4.model.UriType(VALUE_SET.replace("/ValueSet/", "/CodeSystem/")));
    return profile;
  }

  private static ElementDefinition element(
      StructureDefinition profile, String path, String sliceName) {
    ElementDefinition element = profile.getDifferential().addElement();
    element.setPath(path).setId(sliceName == null ? path : path + ":" + sliceName);
    if (sliceName != null) {
      element.setSliceName(sliceName);
    }
    return element;
  }
}
