/**
 * Validates what the server answers about its code systems with the validator of HL7, which checks
 * the structure, the invariants and the codes that FHIR defines.
 */

import ca.uhn.fhir.context.FhirContext;
import ca.uhn.fhir.context.support.DefaultProfileValidationSupport;
import ca.uhn.fhir.rest.client.api.IGenericClient;
import ca.uhn.fhir.validation.FhirValidator;
import ca.uhn.fhir.validation.ResultSeverityEnum;
import ca.uhn.fhir.validation.SingleValidationMessage;
import java.util.List;
import java.util.stream.Collectors;
import org.hl7.fhir.common.hapi.validation.support.CommonCodeSystemsTerminologyService;
import org.hl7.fhir.common.hapi.validation.support.InMemoryTerminologyServerValidationSupport;
import org.hl7.fhir.common.hapi.validation.support.SnapshotGeneratingValidationSupport;
import org.hl7.fhir.common.hapi.validation.support.ValidationSupportChain;
import org.hl7.fhir.common.hapi.validation.validator.FhirInstanceValidator;
import org.hl7.fhir.r4.model.Bundle;
import org.hl7.fhir.r4.model.CodeSystem;
import org.hl7.fhir.r4.model.CodeType;
import org.hl7.fhir.r4.model.IntegerType;
import org.hl7.fhir.r4.model.Parameters;
import org.hl7.fhir.r4.model.Resource;
import org.hl7.fhir.r4.model.UriType;
import org.hl7.fhir.r4.model.ValueSet;

final class ValidAnswers {
  /** The national service has this extension. The validator lacks the package that defines it. */
  private static final String EXTENSION_OF_R5 =
      "'http://hl7.org/fhir/5.0/StructureDefinition/extension-ValueSet.expansion.contains.property' is"
          + " not valid (invalid Version '5.0')";

  private final Checks checks;
  private final IGenericClient client;
  private final FhirValidator validator;

  ValidAnswers(Checks checks, IGenericClient client) {
    this.checks = checks;
    this.client = client;
    FhirContext context = client.getFhirContext();
    ValidationSupportChain chain =
        new ValidationSupportChain(
            new DefaultProfileValidationSupport(context),
            new CommonCodeSystemsTerminologyService(context),
            new InMemoryTerminologyServerValidationSupport(context),
            new SnapshotGeneratingValidationSupport(context));
    validator = context.newValidator().registerValidatorModule(new FhirInstanceValidator(chain));
  }

  void run() throws Exception {
    for (String system : Terminology.SYSTEMS) {
      String name = system.substring(system.lastIndexOf('/') + 1);
      checks.check("R4, valid answers: " + name, () -> answersOf(system));
    }
    checks.check(
        "R4, valid answers: the validator finds what is wrong",
        () -> {
          CodeSystem wrong = codeSystem(DirectoryR4.CODES);
          wrong.setContent(null);
          Checks.holds(!errorsIn(wrong).isEmpty(), "valid");
        });
  }

  private void answersOf(String system) {
    requireValid(codeSystem(system));
    requireValid(search("ValueSet?reference=" + system));
    ValueSet all = expansion(system);
    requireValid(all);
    String code = all.getExpansion().getContainsFirstRep().getCode();
    Parameters asked = new Parameters().addParameter("code", new CodeType(code));
    UriType url = new UriType(system);
    requireValid(
        operation(
            "$lookup",
            asked
                .copy()
                .addParameter("system", url)
                .addParameter("property", new CodeType("*"))));
    requireValid(operation("$validate-code", asked.copy().addParameter("url", url)));
    requireValid(
        operation(
            "$subsumes",
            new Parameters()
                .addParameter("system", url)
                .addParameter("codeA", new CodeType(code))
                .addParameter("codeB", new CodeType(code))));
  }

  private void requireValid(Resource answer) {
    Checks.equal(errorsIn(answer), List.of());
  }

  private List<String> errorsIn(Resource answer) {
    return validator.validateWithResult(answer).getMessages().stream()
        .filter(each -> each.getSeverity().ordinal() >= ResultSeverityEnum.ERROR.ordinal())
        .map(ValidAnswers::textOf)
        .filter(text -> !text.contains(EXTENSION_OF_R5))
        .collect(Collectors.toList());
  }

  private static String textOf(SingleValidationMessage message) {
    return message.getLocationString() + ": " + message.getMessage();
  }

  private CodeSystem codeSystem(String system) {
    Bundle found = search("CodeSystem?_summary=false&url=" + system);
    requireValid(found);
    String id = found.getEntryFirstRep().getResource().getIdElement().getIdPart();
    return client.read().resource(CodeSystem.class).withId(id).execute();
  }

  private Bundle search(String target) {
    return client.search().byUrl(target).returnBundle(Bundle.class).execute();
  }

  private ValueSet expansion(String system) {
    Parameters parameters =
        new Parameters()
            .addParameter("url", new UriType(system))
            .addParameter("property", new CodeType("*"))
            .addParameter("count", new IntegerType(20));
    return client
        .operation()
        .onType(ValueSet.class)
        .named("$expand")
        .withParameters(parameters)
        .returnResourceType(ValueSet.class)
        .execute();
  }

  private Parameters operation(String name, Parameters parameters) {
    return client
        .operation()
        .onType(CodeSystem.class)
        .named(name)
        .withParameters(parameters)
        .execute();
  }
}
