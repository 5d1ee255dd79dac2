/** What a client for DSTU2 does with the directory, which is STU3: it works in XML. */

import ca.uhn.fhir.context.FhirContext;
import ca.uhn.fhir.model.dstu2.resource.Bundle;
import ca.uhn.fhir.model.dstu2.resource.Organization;
import ca.uhn.fhir.rest.api.EncodingEnum;
import ca.uhn.fhir.rest.client.api.IGenericClient;
import ca.uhn.fhir.rest.client.api.ServerValidationModeEnum;
import java.util.HashSet;
import java.util.Set;

final class EarlierClient {
  private final IGenericClient client;

  /** Without its check of the server, which accepts only servers of DSTU2. */
  EarlierClient(FhirContext context, String base) {
    context.getRestfulClientFactory().setServerValidationMode(ServerValidationModeEnum.NEVER);
    client = context.newRestfulGenericClient(base);
    client.setEncoding(EncodingEnum.XML);
  }

  void run() {
    Bundle page =
        client
            .search()
            .forResource(Organization.class)
            .count(20)
            .returnBundle(Bundle.class)
            .execute();
    int total = page.getTotal();
    Set<String> codes = new HashSet<>();
    for (add(page, codes); page.getLink("next") != null; add(page, codes)) {
      page = client.loadPage().next(page).execute();
    }
    Checks.equal(codes.size(), total);
    String code = codes.iterator().next();
    Organization read = client.read().resource(Organization.class).withId(code).execute();
    Checks.equal(read.getIdentifierFirstRep().getValue(), code);
  }

  private static void add(Bundle page, Set<String> codes) {
    page.getEntry().forEach((entry) -> codes.add(entry.getResource().getIdElement().getIdPart()));
  }
}
