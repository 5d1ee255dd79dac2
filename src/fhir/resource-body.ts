/** The resource in the body of a create or update: read, checked, or refused with all that is wrong. */
import type { Exchange } from './exchange.ts';
import { type ErrorKind, FhirError, type Issue } from './fhir-error.ts';
import type { Finding } from './finding.ts';
import { FINDINGS_MAX } from './format/findings.ts';
import { decodeJson } from './format/json.ts';
import type { Decoded, Resource } from './format/resource.ts';
import { decodeXml } from './format/xml.ts';
import { bodyFormatOf, mediaTypeRefusal } from './media-type.ts';
import { formatOfMediaType } from './negotiate.ts';
import type { Review } from './repository.ts';
import type { FhirRequest } from './request.ts';
import type { CreateRoute, UpdateRoute } from './route.ts';
import type { Service } from './service.ts';

export interface ResourceBody {
  readonly resource: Resource;
  readonly warnings: readonly string[];
  /** It is what its FHIR version allows, and not what the service takes. */
  readonly refusal: FhirError | undefined;
}

export const NO_BODY = new Uint8Array();

/**
 * Rejects where the server does not support the media type of the body, or the body is too
 * large.
 */
export async function readResourceBody(
  request: FhirRequest,
  { version }: Service,
): Promise<Uint8Array> {
  const { json, xml } = version.mediaTypes;
  const isTaken = (type: string) => formatOfMediaType(type) !== undefined;
  const refusal = mediaTypeRefusal(request, isTaken, `${xml} or ${json}`);
  if (refusal !== undefined) throw refusal;
  return (await request.readBody?.('resource')) ?? NO_BODY;
}

/**
 * The resource in the body. `idFinding` says what is wrong with the id. Throws what is wrong with
 * form or structure.
 */
export function readResource(
  exchange: Exchange<CreateRoute | UpdateRoute>,
  idFinding: (resource: Resource) => Finding | undefined,
): ResourceBody {
  const { request, service, route, body } = exchange;
  const decode = bodyFormatOf(request) === 'json' ? decodeJson : decodeXml;
  const { definitions } = service.version;
  const decoded = decode(body, definitions, route.type.versions.limits);
  const { resource } = decoded;
  if (resource === undefined) throw refusalOf(decoded, []);
  if (resource.resourceType !== route.type.name) {
    throw refusalOf(decoded, [wrongType(resource, route.type.name)]);
  }
  const wrongId = idFinding(resource);
  // Where something was left out, the rest would be judged for what it is not.
  const { findings, warnings } = decoded.isWhole
    ? route.type.versions.review(resource)
    : NOT_REVIEWED;
  const more = wrongId === undefined ? findings : [wrongId, ...findings];
  const isRefused = decoded.findingsTotal + more.length > 0;
  const brokenRules = isRefused ? refusalOf(decoded, more) : undefined;
  if (brokenRules?.issues[0].kind === 'invalid-resource') throw brokenRules;
  return { resource, warnings, refusal: brokenRules };
}

/** What a header says, and then the body; what is wrong with both is thrown at once. */
export function readWithHeader<T>(
  readHeader: () => T,
  readBody: () => ResourceBody,
): ResourceBody & { readonly header: T } {
  let header: T;
  try {
    header = readHeader();
  } catch (error) {
    throw error instanceof FhirError ? joined(error, readBody) : error;
  }
  return { ...readBody(), header };
}

function joined(first: FhirError, readBody: () => ResourceBody): FhirError {
  try {
    readBody();
    return first;
  } catch (error) {
    if (error instanceof FhirError) return new FhirError([...first.issues, ...error.issues]);
    throw error;
  }
}

const NOT_REVIEWED: Review = { findings: [], warnings: [] };

function wrongType({ resourceType }: Resource, wanted: string): Finding {
  return {
    path: `/f:${resourceType}`,
    code: 'invalid',
    text: `The body is of type ${resourceType}. Send ${wanted}.`,
  };
}

/** All that is wrong; one finding against FHIR makes it a matter of FHIR. */
function refusalOf(decoded: Decoded, more: readonly Finding[]): FhirError {
  const { findings, findingsTotal, positionOf } = decoded;
  const placed = more.slice(0, FINDINGS_MAX).map((finding) => ({
    ...finding,
    ...positionOf?.(finding.path),
  }));
  const all = [...findings, ...placed].toSorted(inBody);
  const kind = [...findings, ...more].every(({ code }) => code === 'business-rule')
    ? 'rule-broken'
    : 'invalid-resource';
  const shown = all.slice(0, FINDINGS_MAX).map((finding) => issueOf(finding, kind));
  const rest = findingsTotal + more.length - shown.length;
  if (rest > 0) shown.push({ kind, diagnostics: `${rest} more of such findings are not listed.` });
  const [first, ...others] = shown;
  if (first === undefined) throw new Error('a body was refused without a finding');
  return new FhirError([first, ...others]);
}

/** Findings in XML have lines, those in JSON have none and stay as they are. */
function inBody(a: Finding, b: Finding): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}

function issueOf({ path, code, text, line, column }: Finding, kind: ErrorKind): Issue {
  const position = line === undefined ? '' : ` (line ${line}, column ${column})`;
  return {
    kind,
    code,
    diagnostics: `${text}${position}`,
    ...(path === '/' ? {} : { location: path }),
  };
}
