/**
 * FHIR capabilities: what a service offers. https://hl7.org/fhir/STU3/http.html#capabilities,
 * in DSTU2 https://hl7.org/fhir/DSTU2/http.html#conformance
 */
import type { AnyResource } from '../format/resource.ts';
import { validForm } from '../http/negotiate.ts';
import { parseQueryString } from '../http/query-string.ts';
import type { InteractionCode } from '../request/interaction-code.ts';
import type { SearchParameter } from '../search/parameter.ts';
import { FORMAT_NAMES } from '../search/result-parameters.ts';
import { answer, encodeBody, hashed } from '../service/answer.ts';
import type {
  RequestContext,
  ServedType,
  Service,
  Software,
  SystemInteraction,
  TypeCapabilities,
} from '../service/interaction.ts';
import { writtenTypes } from '../service/stored-resource.ts';
import { FORM_PARAMETERS, queryParameter } from './open-api-answers.ts';
import { issuerStatement } from './smart-configuration.ts';
import { codeSystemsOf, terminologyCapabilities } from './terminology-capabilities.ts';

export const capabilities: SystemInteraction = {
  code: 'capabilities',
  method: 'GET',
  path: 'metadata',
  needs: undefined,
  describe: (service) => ({
    operationId: `${service.name}.capabilities`,
    summary: 'What the service offers',
    parameters: [...modeParameters(service), ...FORM_PARAMETERS],
    returns: service.version.capabilities.resourceType,
    errors: ['invalid-value', 'not-acceptable'],
  }),
  run: (context) => {
    const { service, software } = context;
    const form = validForm(context.negotiated);
    const { definitions } = service.version;
    const statement = wantsTerminology(context)
      ? terminologyCapabilities(service, software)
      : capabilityStatement(service, software);
    return answer(context, form, hashed(encodeBody(statement, form, definitions)));
  },
};

/** A server may ignore the other modes: https://hl7.org/fhir/R4/http.html#capabilities */
function wantsTerminology({ request, service }: RequestContext): boolean {
  const modes = parseQueryString(request.query).filter(({ name }) => name === 'mode');
  return modes.some(({ value }) => value === TERMINOLOGY) && codeSystemsOf(service).length > 0;
}

const TERMINOLOGY = 'terminology';

function modeParameters(service: Service): readonly object[] {
  if (codeSystemsOf(service).length === 0) return [];
  const documentation = `${TERMINOLOGY}: a TerminologyCapabilities. Other values have no effect.`;
  return [queryParameter('mode', 'string', documentation)];
}

/**
 * https://hl7.org/fhir/STU3/capabilitystatement.html, in DSTU2
 * https://hl7.org/fhir/DSTU2/conformance.html
 */
export function capabilityStatement(service: Service, software: Software): AnyResource {
  const { json, xml } = service.version.mediaTypes;
  const elements = {
    url: `${service.baseUrl}/metadata`,
    version: software.version,
    name: service.name,
    status: 'active',
    date: software.releaseDate,
    description: service.description,
    kind: 'instance',
    instantiates: service.instantiates,
    software: { ...software },
    implementation: { description: service.description, url: service.baseUrl },
    fhirVersion: service.version.number,
    // Clients may write resources with any extension.
    acceptUnknown: writtenTypes(service.types).length > 0 ? 'extensions' : 'no',
    format: [json, xml],
    rest: [restStatement(service)],
  };
  const { resourceType } = service.version.capabilities;
  return { resourceType, ...knownElements('', elements, service) };
}

/**
 * Omits the elements that are undefined, and those that the FHIR version does not have. `part`: such
 * as `.rest.resource`.
 */
function knownElements(part: string, elements: object, { version }: Service) {
  const { definitions, capabilities } = version;
  const known = definitions.type(`${capabilities.resourceType}${part}`)?.properties;
  const isKept = ([name, value]: [string, unknown]) => value !== undefined && known?.has(name);
  return Object.fromEntries(Object.entries(elements).filter(isKept));
}

function restStatement(service: Service) {
  const elements = {
    mode: 'server',
    documentation: documentationOf(service),
    security: knownElements('.rest.security', security(service), service),
    resource: service.types.map((type) =>
      knownElements('.rest.resource', typeStatement(type, service), service),
    ),
    ...systemInteractions(service),
    operation: hasOperationsByType(service) ? undefined : operationList(service.types, service),
  };
  return knownElements('.rest', elements, service);
}

/** FHIR has no code for the capability statement itself here. */
function systemInteractions({ interactions }: Service) {
  const codes = interactions.map(({ code }) => code).filter((code) => code !== 'capabilities');
  return {
    interaction: codes.length > 0 ? codes.map((code) => ({ code })) : undefined,
    // Only DSTU2 has this element.
    transactionMode: codes.includes('transaction') ? 'both' : undefined,
  };
}

/** FHIR R4 lists the operations of each type. Earlier versions have one list for all types. */
function hasOperationsByType({ version: { definitions, capabilities } }: Service): boolean {
  const resource = definitions.type(`${capabilities.resourceType}.rest.resource`);
  return resource?.properties.has('operation') === true;
}

function operationList(types: readonly ServedType[], { version }: Service) {
  const definitions = new Map(
    types.flatMap(({ interactions }) =>
      interactions.flatMap(({ path, definition }) =>
        definition === undefined ? [] : [[definition, path] as const],
      ),
    ),
  );
  if (definitions.size === 0) return undefined;
  return Array.from(definitions, ([definition, path]) => ({
    name: path.slice(path.indexOf('$') + 1),
    definition: version.capabilities.profile(definition),
  }));
}

/** FHIR has no element for downloads. */
function documentationOf({ downloads }: Service) {
  const texts = downloads.map(({ url, documentation }) => `${url}: ${documentation}`);
  return texts.length === 0 ? undefined : texts.join(' ');
}

function security(service: Service) {
  const { headers, corsOrigins = [], authorize, checkApiKey, types } = service;
  const cors = headers.includes('Access-Control-Allow-Origin') || corsOrigins.length > 0;
  const always = ', on every request but this one';
  const scopes = scopesFor(types).join(' or ');
  const issuer = issuerStatement(service);
  const descriptions = [
    ...(checkApiKey ? [`An API key in the header apikey${always}.`] : []),
    ...(authorize
      ? [`A bearer token in the header Authorization${always}, with a scope such as ${scopes}.`]
      : []),
    ...(issuer === undefined ? [] : [issuer.description]),
  ];
  return {
    extension: issuer?.extension,
    cors,
    service: authorize && [OAUTH],
    description: descriptions.length === 0 ? undefined : descriptions.join(' '),
  };
}

const OAUTH = {
  coding: [{ system: 'http://hl7.org/fhir/restful-security-service', code: 'OAuth' }],
  text: 'OAuth 2.0 bearer tokens',
};

/** Examples: the scopes of the first type. */
function scopesFor([type]: readonly ServedType[]): readonly string[] {
  const actions = new Set(type?.interactions.map(({ needs }) => needs));
  return [...actions].map((action) => `system/${type?.name}.${action}`);
}

function typeStatement(type: ServedType, service: Service) {
  const { version } = service;
  const { profile } = type;
  const { combinations = [], parameters = [], includes, reverseIncludes } = type.search ?? {};
  return {
    extension: combinations.length === 0 ? undefined : combinations.map(combinationExtension),
    type: type.name,
    profile: profile && version.capabilities.profile(profile),
    documentation: type.documentation,
    interaction: codesOf(type).map((code) => ({ code })),
    ...capabilitiesOf(type),
    searchInclude: includes,
    searchRevInclude: reverseIncludes,
    searchParam: searchParams(parameters, service),
    operation: operationList([type], service),
  };
}

/** Without operations, which have a separate list. */
function codesOf({ interactions }: ServedType): readonly InteractionCode[] {
  return [...new Set(interactions.map(({ code }) => code))].filter((code) => code !== 'operation');
}

function capabilitiesOf({ interactions, search }: ServedType): TypeCapabilities {
  const offered = interactions.map((each) => each.capabilities);
  const known: TypeCapabilities = Object.assign({}, NO_CAPABILITIES, ...offered);
  // The condition of a create is a search.
  return { ...known, conditionalCreate: known.conditionalCreate && search !== undefined };
}

const NO_CAPABILITIES: TypeCapabilities = {
  versioning: 'no-version',
  readHistory: false,
  updateCreate: false,
  conditionalCreate: false,
  conditionalRead: 'not-supported',
  conditionalUpdate: false,
  conditionalDelete: 'not-supported',
};

function searchParams(parameters: readonly SearchParameter[], service: Service) {
  const named = parameters.filter(({ name }) => !FORMAT_NAMES.has(name));
  if (named.length === 0) return undefined;
  return named.map((parameter) =>
    knownElements('.rest.resource.searchParam', searchParamElements(parameter), service),
  );
}

/** Only DSTU2 has targets and modifiers. A target is the modifier `type`. */
function searchParamElements(parameter: SearchParameter) {
  const { name, type, documentation, definition, modifiers, targets } = parameter;
  const modifier = [...modifiers.filter((code) => MODIFIER_CODES.has(code))];
  if (targets !== undefined) modifier.push('type');
  const more = { target: targets, modifier: modifier.length === 0 ? undefined : modifier };
  return { name, definition, type, documentation, ...more };
}

/** https://hl7.org/fhir/DSTU2/valueset-search-modifier-code.html */
const MODIFIER_CODES: ReadonlySet<string> = new Set([
  'missing',
  'exact',
  'contains',
  'not',
  'text',
]);

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
