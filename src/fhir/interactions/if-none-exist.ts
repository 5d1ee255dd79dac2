/**
 * The header If-None-Exist of a conditional create: a search, with or without the address to
 * search. https://hl7.org/fhir/DSTU2/http.html#ccreate
 */

import type { Condition } from '../search/criterion.ts';
import { FhirError, type Issue } from '../service/fhir-error.ts';
import type { TypeContext } from '../service/interaction.ts';
import { headerOf } from '../service/request.ts';
import { parseCondition } from '../stored/condition.ts';

/** Undefined without the header; throws if the header is not a search of this type. */
export function ifNoneExistOf(context: TypeContext): Condition | undefined {
  const header = headerOf(context.request, 'if-none-exist')?.trim();
  if (header === undefined) return undefined;
  if (context.type.search === undefined) throw NO_SEARCH;
  const { address, query } = splitSearch(header);
  if (!isAddressHere(address, context)) throw searchOfOtherType(header, context);
  try {
    return parseCondition(query, context);
  } catch (error) {
    if (!(error instanceof FhirError)) throw error;
    const [first, ...others] = error.issues.map(({ diagnostics }) => issueOf(header, diagnostics));
    throw first === undefined ? error : new FhirError([first, ...others]);
  }
}

const NO_SEARCH = new FhirError([
  {
    kind: 'invalid-request',
    diagnostics: 'This server offers no searches, so it cannot check If-None-Exist. Leave it out.',
    location: 'http.If-None-Exist',
  },
]);

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

function searchOfOtherType(header: string, { service, type }: TypeContext): FhirError {
  const here = `${service.baseUrl}/${type.name}`;
  const diagnostics =
    `It is not a search of ${here}. ` +
    `Send ${here}?identifier={system}|{value}, or identifier={system}|{value} alone.`;
  return new FhirError([issueOf(header, diagnostics)]);
}

function issueOf(header: string, diagnostics: string): Issue {
  return {
    kind: 'invalid-request',
    diagnostics: `If-None-Exist "${header}": ${diagnostics}`,
    location: 'http.If-None-Exist',
  };
}
