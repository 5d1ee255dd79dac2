/**
 * Validates organisations with the validator of HAPI FHIR, which asks the server about their codes: a
 * profile binds the record class to its value set, and the codings of roles and of the record's use,
 * also those in extensions, are asked about one by one.
 */

import ca.uhn.fhir.context.FhirContext;
import ca.uhn.fhir.context.support.ConceptValidationOptions;
import ca.uhn.fhir.context.support.DefaultProfileValidationSupport;
import ca.uhn.fhir.context.support.IValidationSupport;
import ca.uhn.fhir.context.support.ValidationSupportContext;
import ca.uhn.fhir.rest.client.api.IGenericClient;
import ca.uhn.fhir.util.FhirTerser;
import ca.uhn.fhir.validation.FhirValidator;
import ca.uhn.fhir.validation.SingleValidationMessage;
import ca.uhn.fhir.validation.ValidationOptions;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.hl7.fhir.common.hapi.validation.support.CommonCodeSystemsTerminologyService;
import org.hl7.fhir.common.hapi.validation.support.InMemoryTerminologyServerValidationSupport;
import org.hl7.fhir.common.hapi.validation.support.PrePopulatedValidationSupport;
import org.hl7.fhir.common.hapi.validation.support.RemoteTerminologyServiceValidationSupport;
import org.hl7.fhir.common.hapi.validation.support.SnapshotGeneratingValidationSupport;
import org.hl7.fhir.common.hapi.validation.support.ValidationSupportChain;
import org.hl7.fhir.common.hapi.validation.validator.FhirInstanceValidator;
import org.hl7.fhir.r4.model.Bundle;
import org.hl7.fhir.r4.model.Coding;
import org.hl7.fhir.r4.model.ElementDefinition;
import org.hl7.fhir.r4.model.Enumerations;
import org.hl7.fhir.r4.model.Organization;
import org.hl7.fhir.r4.model.StructureDefinition;

final class RemoteTerminology {
  private static final String PROFILE = "http://example.org/StructureDefinition/bound";
  private static final String ODS = "https://digital.nhs.uk/services/organisation-data-service/";
  private static final String VALUE_SET = ODS + "ValueSet/ODSRecordClass";
  private static final String ROLES = ODS + "CodeSystem/ODSOrganisationRole";
  private static final String RECORD_USE =
      "https://fhir.nhs.uk/England/CodeSystem/England-ODSRecordUseType";

  /** The value sets of the systems whose codes an organisation has. */
  private static final Map<String, String> VALUE_SETS =
      Map.of(
          ROLES, ODS + "ValueSet/ODSOrganisationRole",
          ODS + "CodeSystem/ODSRecordClass", VALUE_SET,
          RECORD_USE, RECORD_USE.replace("/CodeSystem/", "/ValueSet/"));

  private static final Map<String, String> KINDS =
      Map.of(
          "trust", "roleCode=RO197",
          "site", "roleCode=RO198",
          "practice", "roleCode=RO76",
          "network", "roleCode=RO272",
          "pharmacy", "roleCode=RO182",
          "closed organisation", "active=false",
          "reference-only organisation", "type=RefOnly");

  private final Checks checks;
  private final IGenericClient client;
  private final ValidationSupportChain chain;

  RemoteTerminology(Checks checks, IGenericClient client) {
    this.checks = checks;
    this.client = client;
    FhirContext context = client.getFhirContext();
    PrePopulatedValidationSupport profiles = new PrePopulatedValidationSupport(context);
    profiles.addStructureDefinition(profile());
    chain =
        new ValidationSupportChain(
            profiles,
            new DefaultProfileValidationSupport(context),
            new CommonCodeSystemsTerminologyService(context),
            remote(),
            new InMemoryTerminologyServerValidationSupport(context),
            new SnapshotGeneratingValidationSupport(context));
  }

  void run() throws Exception {
    FhirValidator validator = validator();
    for (Map.Entry<String, String> kind : KINDS.entrySet()) {
      checks.check(
          "R4, remote terminology: a " + kind.getKey() + " and each of its codes are valid",
          () -> {
            Organization organization = organization(kind.getValue());
            requireValidCodes(organization);
            List<SingleValidationMessage> problems = problemsOf(validator, organization);
            Checks.holds(problems.isEmpty(), problems);
          });
    }
    checks.check(
        "R4, remote terminology: a role that the server does not have is not valid",
        () -> Checks.holds(!isValid(new Coding().setSystem(ROLES).setCode("RO0")), "valid"));
    checks.check(
        "R4, remote terminology: a record class that the server does not have is not valid",
        () -> {
          Organization wrong = organization("type=RC1");
          wrong.getType().get(1).getCodingFirstRep().setCode("RC9").setDisplay(null);
          Checks.holds(!problemsOf(validator, wrong).isEmpty(), "valid");
        });
  }

  /** Each coding of a system that the server has, wherever it is, also in extensions. */
  private void requireValidCodes(Organization organization) {
    Set<String> asked = new HashSet<>();
    FhirTerser terser = client.getFhirContext().newTerser();
    for (Coding coding : terser.getAllPopulatedChildElementsOfType(organization, Coding.class)) {
      if (!VALUE_SETS.containsKey(coding.getSystem())) {
        continue;
      }
      asked.add(coding.getSystem());
      Checks.holds(isValid(coding), coding.getSystem() + "|" + coding.getCode());
    }
    Checks.equal(asked, VALUE_SETS.keySet());
  }

  /** As the server says through the validation support of HAPI. */
  private boolean isValid(Coding coding) {
    IValidationSupport.CodeValidationResult result =
        remote()
            .validateCode(
                new ValidationSupportContext(chain),
                new ConceptValidationOptions(),
                coding.getSystem(),
                coding.getCode(),
                coding.getDisplay(),
                VALUE_SETS.get(coding.getSystem()));
    return result != null
        && result.isOk()
        && result.getSeverity() != IValidationSupport.IssueSeverity.ERROR;
  }

  private RemoteTerminologyServiceValidationSupport remote() {
    return new RemoteTerminologyServiceValidationSupport(
        client.getFhirContext(), client.getServerBase());
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
