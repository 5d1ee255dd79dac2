/**
 * Tells clients who issues the tokens that the server accepts.
 * https://hl7.org/fhir/smart-app-launch/conformance.html
 */
import { openBytes } from '../service/answer.ts';
import type { Download, ServedType, Service, TokenIssuer } from '../service/interaction.ts';

/** Names the issuer in the services that ask for tokens, and serves the document of all of them. */
export function withTokenIssuer(
  services: readonly Service[],
  issuer: TokenIssuer | undefined,
): readonly Service[] {
  const secured = services.filter(({ authorize }) => authorize !== undefined);
  const [first] = secured;
  if (issuer === undefined || first === undefined) return services;
  const download = documentOf(secured, issuer, first.serverUrl);
  return services.map((service) => {
    if (!secured.includes(service)) return service;
    const { downloads } = service;
    const own = service === first ? { downloads: [...downloads, download] } : {};
    return { ...service, tokenIssuer: issuer, ...own };
  });
}

function smartConfigurationUrl(serverUrl: string): string {
  return `${serverUrl}/.well-known/smart-configuration`;
}

/** The description of the issuer of tokens, with its token endpoint as an extension of FHIR. */
export interface IssuerStatement {
  readonly description: string;
  readonly extension?: readonly object[];
}

/** In `rest.security` of the capability statement. */
export function issuerStatement({ serverUrl, tokenIssuer }: Service): IssuerStatement | undefined {
  if (tokenIssuer === undefined) return undefined;
  const { issuer, tokenUrl } = tokenIssuer;
  const where = tokenUrl === undefined ? '' : ` Get one at ${tokenUrl}.`;
  return {
    description: `The issuer of tokens is ${issuer}.${where} See ${smartConfigurationUrl(serverUrl)}.`,
    ...(tokenUrl !== undefined && {
      extension: [
        {
          url: 'http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris',
          extension: [{ url: 'token', valueUri: tokenUrl }],
        },
      ],
    }),
  };
}

function documentOf(
  services: readonly Service[],
  { issuer, tokenUrl, jwksUrl }: TokenIssuer,
  serverUrl: string,
): Download {
  const bytes = Buffer.from(
    JSON.stringify({
      issuer,
      token_endpoint: tokenUrl,
      jwks_uri: jwksUrl,
      grant_types_supported: ['client_credentials'],
      scopes_supported: [...new Set(services.flatMap(({ types }) => types.flatMap(scopesOf)))],
      capabilities: ['permission-v1'],
    }),
  );
  return {
    url: smartConfigurationUrl(serverUrl),
    name: 'smartConfiguration',
    documentation: 'Who issues the tokens that the server accepts, and for which scopes.',
    contentType: 'application/json',
    open: () => openBytes(bytes),
  };
}

/** Who may read organisations may read the types that describe them too. */
function scopesOf({ name, stored, interactions }: ServedType): string[] {
  if (stored === undefined && name !== 'Organization') return [];
  const actions = new Set(interactions.map(({ needs }) => needs));
  return (['read', 'write'] as const)
    .filter((action) => actions.has(action))
    .map((action) => `system/${name}.${action}`);
}
