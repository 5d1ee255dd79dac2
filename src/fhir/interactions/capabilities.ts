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

/**
 * https://hl7.org/fhir/STU3/capabilitystatement.html, in DSTU2
 * https://hl7.org/fhir/DSTU2/conformance.html
 */
export function capabilityStatement(service: Service, software: Software) {
  const { json, xml } = service.version.mediaTypes;
  return {
    resourceType: service.version.capabilitiesType,
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
    // What clients write may have extensions that nobody here has heard of.
    acceptUnknown: service.types.some(({ versions }) => versions) ? 'extensions' : 'no',
    format: [json, xml],
    rest: [
      {
        mode: 'server',
        ...documentation(service),
        security: security(service),
        resource: service.types.map((type) => typeStatement(type, service)),
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

function security({ headers, corsOrigins = [], authorize, types }: Service) {
  const cors = headers.includes('Access-Control-Allow-Origin') || corsOrigins.length > 0;
  if (authorize === undefined) return { cors };
  return {
    cors,
    service: [
      {
        coding: [{ system: 'http://hl7.org/fhir/restful-security-service', code: 'OAuth' }],
        text: 'OAuth 2.0 bearer tokens',
      },
    ],
    description:
      'A bearer token in the header Authorization, on every request but this one, with a scope ' +
      `such as ${scopesFor(types).join(' or ')}.`,
  };
}

function scopesFor(types: readonly ServedType[]): readonly string[] {
  const [type] = types;
  const actions = type?.versions === undefined ? ['read'] : ['read', 'write'];
  return actions.map((action) => `system/${type?.name}.${action}`);
}

/** Without what the service's FHIR version has no element for. */
function typeStatement(type: ServedType, { version }: Service) {
  const { definitions, capabilitiesType } = version;
  const known = definitions.type(`${capabilitiesType}.rest.resource`)?.properties;
  return Object.fromEntries(
    Object.entries(fullTypeStatement(type)).filter(([name]) => known?.has(name)),
  );
}

function fullTypeStatement(type: ServedType) {
  const { versions } = type;
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
    interaction: interactionsOf(type).map((code) => ({ code })),
    versioning: versions === undefined ? 'no-version' : 'versioned-update',
    readHistory: versions !== undefined,
    updateCreate: false,
    conditionalCreate: versions !== undefined,
    conditionalRead: 'full-support',
    conditionalUpdate: false,
    conditionalDelete: 'not-supported',
    ...(searchParam.length === 0 ? {} : { searchParam }),
  };
}

function interactionsOf({ read, search, versions }: ServedType): readonly string[] {
  if (versions !== undefined) return ['read', 'vread', 'update', 'history-instance', 'create'];
  return [
    ...(read === undefined ? [] : ['read']),
    ...(search === undefined ? [] : ['search-type']),
  ];
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
