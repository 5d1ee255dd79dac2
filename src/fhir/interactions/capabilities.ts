/**
 * FHIR capabilities: what a service offers, made of the service's own value.
 * https://hl7.org/fhir/STU3/http.html#capabilities
 */
import { createHash } from 'node:crypto';
import { encodeJson } from '../format/json.ts';
import { encodeXml } from '../format/xml.ts';
import type { Form } from '../negotiate.ts';
import type { Representation, ServedType, Service } from '../service.ts';

/** The program, as the statement names it. */
export interface Software {
  readonly name: string;
  readonly version: string;
  /** `YYYY-MM-DD`; also the statement's date, so that it stays the same from start to start. */
  readonly releaseDate: string;
}

export function capabilities(service: Service, software: Software, form: Form): Representation {
  const statement = capabilityStatement(service, software);
  const { format, isPretty } = form;
  const body =
    format === 'json'
      ? encodeJson(statement, { pretty: isPretty })
      : encodeXml(statement, service.version.definitions, { pretty: isPretty });
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 16);
  return { etag: `W/"${digest}"`, body: () => body };
}

/** https://hl7.org/fhir/STU3/capabilitystatement.html */
export function capabilityStatement(service: Service, software: Software) {
  const { json, xml } = service.version.mediaTypes;
  return {
    resourceType: 'CapabilityStatement',
    url: `${service.baseUrl}/metadata`,
    version: software.version,
    name: service.name,
    status: 'active',
    date: software.releaseDate,
    description: service.description,
    kind: 'instance',
    software: { ...software },
    implementation: { description: service.description, url: service.baseUrl },
    fhirVersion: service.version.number,
    acceptUnknown: 'no',
    format: [json, xml],
    rest: [
      {
        mode: 'server',
        ...documentation(service),
        security: { cors: service.headers.includes('Access-Control-Allow-Origin') },
        resource: service.types.map(typeStatement),
      },
    ],
  };
}

/** What FHIR has no element for. */
function documentation({ documents }: Service) {
  if (documents.length === 0) return {};
  return {
    documentation: documents.map(({ url, documentation }) => `${url}: ${documentation}`).join(' '),
  };
}

function typeStatement(type: ServedType) {
  const searchParam = type.searchParameters
    .filter(({ isCriterion }) => isCriterion)
    .map(({ name, type: kind, documentation, definition }) => ({
      name,
      ...(definition === undefined ? {} : { definition }),
      type: kind,
      documentation,
    }));
  return {
    ...(type.searchCombinations.length === 0
      ? {}
      : { extension: type.searchCombinations.map(combinationExtension) }),
    type: type.name,
    ...(type.profile === undefined ? {} : { profile: { reference: type.profile } }),
    documentation: type.documentation,
    interaction: [
      ...(type.read === undefined ? [] : [{ code: 'read' }]),
      ...(type.search === undefined ? [] : [{ code: 'search-type' }]),
    ],
    versioning: 'no-version',
    readHistory: false,
    updateCreate: false,
    conditionalCreate: false,
    conditionalRead: 'full-support',
    conditionalUpdate: false,
    conditionalDelete: 'not-supported',
    ...(searchParam.length === 0 ? {} : { searchParam }),
  };
}

/** https://hl7.org/fhir/STU3/extension-capabilitystatement-search-parameter-combination.html */
function combinationExtension([required, optional]: readonly [string, string]) {
  return {
    url: 'http://hl7.org/fhir/StructureDefinition/capabilitystatement-search-parameter-combination',
    extension: [
      { url: 'required', valueString: required },
      { url: 'optional', valueString: optional },
    ],
  };
}
