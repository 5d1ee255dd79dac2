/**
 * The header If-None-Exist of a conditional create: a search by identifier, with or without the
 * address to search. https://hl7.org/fhir/DSTU2/http.html#ccreate
 */
import { FhirError } from './fhir-error.ts';
import type { TypeContext } from './interaction.ts';
import { parseQueryString } from './query-string.ts';
import { headerOf } from './request.ts';
import { parseAlternatives } from './search/alternatives.ts';
import { IDENTIFIER_PARAMETER } from './search/resource-tokens.ts';
import { type TokenCriterion, type TokenValue, tokenValueOf } from './search/token.ts';

/** Undefined without the header; throws where the header is not a supported search. */
export function ifNoneExistOf(context: TypeContext): TokenCriterion | undefined {
  const header = headerOf(context.request, 'if-none-exist')?.trim();
  if (header === undefined) return undefined;
  const { address, query } = splitSearch(header);
  if (!isAddressHere(address, context)) throw searchOfOtherType(header, context);
  const identifier = parseIdentifier(query);
  if (identifier === undefined) throw malformed(header);
  return { type: 'token', field: IDENTIFIER_PARAMETER, values: [identifier] };
}

/** A search without an address may have question marks in its value, but only after a `=`. */
function splitSearch(header: string): { readonly address: string; readonly query: string } {
  const [, address = '', query = header] = /^([^=?]*)\?(.*)$/.exec(header) ?? [];
  return { address, query };
}

/**
 * Whether an address is that of the created type on this server: under the public base, or under
 * the host that the client used. An empty address is, too: it resolves to that of the type.
 */
function isAddressHere(address: string, { request, service, type }: TypeContext): boolean {
  const own = new URL(`${service.baseUrl}/${type.name}`);
  const named = URL.canParse(address, own.href) ? new URL(address, own.href) : undefined;
  if (named === undefined || named.pathname !== own.pathname) return false;
  // Behind a proxy that terminates TLS, the server does not know the scheme of the request.
  return named.host === own.host || named.host === headerOf(request, 'host')?.toLowerCase();
}

/** `identifier={system}|{value}`, percent-encoded and escaped as in a search. */
function parseIdentifier(query: string): TokenValue | undefined {
  const [pair, ...otherPairs] = parseQueryString(query);
  if (pair?.name !== IDENTIFIER_PARAMETER || pair.isMalformed) return undefined;
  if (otherPairs.length > 0 || !ESCAPED.test(pair.value)) return undefined;
  const [alternative = [], ...others] = parseAlternatives(pair.value);
  const token = tokenValueOf(alternative);
  return others.length === 0 && token?.system && token.code ? token : undefined;
}

/**
 * Whether each backslash escapes a character. A value with any other backslash would match
 * nothing, and the server would create a duplicate resource.
 * https://hl7.org/fhir/DSTU2/search.html#escaping
 */
const ESCAPED = /^(?:[^\\]|\\[\\,$|])*$/;

function malformed(header: string): FhirError {
  return refusalOf(
    `If-None-Exist "${header}" is not understood. Send identifier={system}|{value}, ` +
      'percent-encoded, with a backslash before each backslash, comma and pipe in the system or value.',
  );
}

function searchOfOtherType(header: string, { service, type }: TypeContext): FhirError {
  const here = `${service.baseUrl}/${type.name}`;
  return refusalOf(
    `If-None-Exist "${header}" is not a search of ${here}. ` +
      `Send ${here}?identifier={system}|{value}, or identifier={system}|{value} alone.`,
  );
}

function refusalOf(diagnostics: string): FhirError {
  return new FhirError([{ kind: 'invalid-request', diagnostics, location: 'http.If-None-Exist' }]);
}
