/**
 * Uses a server through the client of HAPI FHIR, as programs of hospitals do. The parser is strict:
 * whatever is not FHIR in an answer is a problem. Arguments: the base of the server, and a token.
 */

import ca.uhn.fhir.context.FhirContext;
import ca.uhn.fhir.parser.StrictErrorHandler;
import ca.uhn.fhir.rest.api.EncodingEnum;
import ca.uhn.fhir.rest.client.api.IGenericClient;
import ca.uhn.fhir.rest.client.interceptor.BearerTokenAuthInterceptor;

public final class HapiClient {
  public static void main(String[] arguments) throws Exception {
    String base = arguments[0];
    String token = arguments[1];
    Checks checks = new Checks();
    FhirContext dstu2 = strict(FhirContext.forDstu2());
    FhirContext dstu3 = strict(FhirContext.forDstu3());
    FhirContext r4 = strict(FhirContext.forR4());
    for (EncodingEnum encoding : new EncodingEnum[] {null, EncodingEnum.XML, EncodingEnum.JSON}) {
      String title = encoding == null ? "no format" : encoding.name();
      IGenericClient orders = clientOf(dstu2, base, encoding);
      IGenericClient stranger = clientOf(dstu2, base, encoding);
      orders.registerInterceptor(new BearerTokenAuthInterceptor(token));
      new OrderResponses(checks, orders, stranger, "OrderResponse, " + title).run();
      new Transactions(checks, orders, "OrderResponse, " + title).run();
      EncodingEnum payload = encoding == EncodingEnum.XML ? encoding : EncodingEnum.JSON;
      new Subscriptions(checks, orders, "Subscription, " + title, payload).run();
      IGenericClient directory = clientOf(dstu3, base + "/STU3", encoding);
      new Directory(checks, directory, "Organization, " + title).run();
      IGenericClient successor = clientOf(r4, base + "/R4", encoding);
      new DirectoryR4(checks, successor, "R4, " + title).run();
      new Terminology(checks, successor, "R4, " + title).run();
    }
    new RemoteTerminology(checks, clientOf(r4, base + "/R4", EncodingEnum.JSON)).run();
    new ValidAnswers(checks, clientOf(r4, base + "/R4", EncodingEnum.XML)).run();
    String legacy = base + "/legacy/STU3";
    IGenericClient legacyDirectory = clientOf(dstu3, legacy, EncodingEnum.XML);
    new Directory(checks, legacyDirectory, "legacy Organization, XML").run();
    for (String directory : new String[] {base + "/STU3", legacy}) {
      EarlierClient client = new EarlierClient(strict(FhirContext.forDstu2()), directory);
      checks.check("a client for DSTU2 at " + directory, client::run);
    }
  }

  private static FhirContext strict(FhirContext context) {
    context.setParserErrorHandler(new StrictErrorHandler());
    return context;
  }

  /** `encoding` becomes the parameter `_format`; null leaves the choice to the server. */
  private static IGenericClient clientOf(FhirContext context, String base, EncodingEnum encoding) {
    IGenericClient client = context.newRestfulGenericClient(base);
    client.setEncoding(encoding);
    return client;
  }
}
