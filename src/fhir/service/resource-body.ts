/** Reads and checks the resource in the body of a create, update or operation. */
import type { Definitions } from '../definitions/definitions.ts';
import { FINDINGS_MAX } from '../format/findings.ts';
import { decodeJson, encodeJson } from '../format/json.ts';
import type { Limits } from '../format/limits.ts';
import type { Decoded, FhirObject, Resource } from '../format/resource.ts';
import { decodeXml } from '../format/xml.ts';
import { bodyFormatOf, mediaTypeRefusal } from '../http/media-type.ts';
import { type Format, formatOfMediaType } from '../http/negotiate.ts';
import { type ErrorKind, FhirError, type Issue } from '../request/fhir-error.ts';
import type { Finding } from '../request/finding.ts';
import type { FhirRequest } from '../request/request.ts';
import { checkResource } from '../rules/check-resource.ts';
import type { Review } from '../stored/stored-type.ts';
import type { Service, TypeContext } from './interaction.ts';
import { writeRulesOf } from './stored-resource.ts';

export interface ResourceBody {
  readonly resource: Resource;
  readonly warnings: readonly string[];
  /** Why the service refuses a resource that its FHIR version allows. */
  readonly refusal: FhirError | undefined;
}

export const NO_BODY = new Uint8Array();

/**
 * Rejects if the server does not support the media type of the body, or the body is too
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
 * The resource in the body. `idFinding` returns why the id is not valid. Throws a FhirError with
 * every problem if the body is not a valid resource of its FHIR version.
 */
export function readResource(
  context: TypeContext,
  idFinding: (resource: Resource) => Finding | undefined,
  source = sourceOf(context),
): ResourceBody {
  const { service, type } = context;
  const { limits, review } = writeRulesOf(type);
  const { definitions } = service.version;
  const decoded = decodeBody(context, type.name, limits, source);
  const { resource } = decoded;
  const wrongId = idFinding(resource);
  // A resource that was read in part would get findings about elements that were left out.
  const { findings, warnings } = decoded.isWhole
    ? check(resource, definitions, (whole) => review?.(whole, context.id === '') ?? NOT_CHECKED)
    : NOT_CHECKED;
  const more = wrongId === undefined ? findings : [wrongId, ...findings];
  const isRefused = decoded.findingsTotal + more.length > 0;
  const refusal = isRefused ? refusalOf(decoded, more) : undefined;
  if (refusal?.issues[0].kind === 'invalid-resource') throw refusal;
  return { resource, warnings, refusal };
}

/** A resource as a client sent it. */
interface SentSource {
  readonly bytes: Uint8Array;
  readonly format: Format | undefined;
}

function sourceOf({ request, body }: TypeContext): SentSource {
  return { bytes: body, format: bodyFormatOf(request) };
}

/** A resource inside of the body, for `readResource`. */
export function nestedSource(resource: FhirObject): SentSource {
  return { bytes: Buffer.from(encodeJson(resource)), format: 'json' };
}

/** The resource in the body without any check of its content; undefined if it cannot be read. */
export function peekBody(context: TypeContext, limits: Partial<Limits>): Resource | undefined {
  return decodeSent(sourceOf(context), context.service.version.definitions, limits).resource;
}

/** The resource with the findings of its decoder. Throws a FhirError if it is not of the type. */
export function decodeBody(
  context: TypeContext,
  typeName: string,
  limits: Partial<Limits>,
  source = sourceOf(context),
): Decoded & { readonly resource: Resource } {
  const decoded =
    context.decoded === undefined
      ? decodeSent(source, context.service.version.definitions, limits)
      : { resource: context.decoded, findings: [], findingsTotal: 0, isWhole: true };
  const { resource } = decoded;
  if (resource === undefined) {
    const [{ path } = { path: '' }] = decoded.findings;
    const resourceType = UNKNOWN_TYPE.exec(path)?.[1];
    const { definitions } = context.service.version;
    // A resource of a known type can lack the namespace of FHIR.
    const isKnown = resourceType !== undefined && definitions.resource(resourceType) !== undefined;
    if (resourceType === undefined || isKnown) throw refusalOf(decoded, []);
    const findings = [wrongType({ resourceType }, typeName)];
    throw refusalOf({ ...decoded, findings: [], findingsTotal: 0 }, findings);
  }
  if (resource.resourceType !== typeName) {
    throw refusalOf(decoded, [wrongType(resource, typeName)]);
  }
  return { ...decoded, resource };
}

/** The place of the only finding about a resource whose type is unknown. */
const UNKNOWN_TYPE = /^\/f:([A-Za-z][\w.-]*)$/;

function decodeSent(
  { bytes, format }: SentSource,
  definitions: Definitions,
  limits: Partial<Limits>,
): Decoded {
  const decode = format === 'json' ? decodeJson : decodeXml;
  return decode(bytes, definitions, limits);
}

/** Reads a header, then the body. Throws the problems of both in one error. */
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

/** Checks the rules of FHIR, then those of the service. */
function check(
  resource: Resource,
  definitions: Definitions,
  review: (resource: Resource) => Review,
): Review {
  const findings = checkResource(resource, definitions);
  const own = review(resource);
  return { findings: [...findings, ...own.findings], warnings: own.warnings };
}

const NOT_CHECKED: Review = { findings: [], warnings: [] };

function wrongType({ resourceType }: Pick<Resource, 'resourceType'>, wanted: string): Finding {
  return {
    path: `/f:${resourceType}`,
    code: 'invalid',
    text: `The body is of type ${resourceType}. Send ${wanted}.`,
  };
}

/** Every problem. The status is 422 only if all findings are about the service's own rules. */
export function refusalOf(decoded: Decoded, more: readonly Finding[]): FhirError {
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
  if (rest > 0)
    shown.push({ kind, diagnostics: `${rest} more findings of this kind are not listed.` });
  return new FhirError(shown);
}

/** Findings in XML have lines. Those in JSON have none, and keep their order. */
function inBody(a: Finding, b: Finding): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}

function issueOf({ path, code, text, line, column }: Finding, kind: ErrorKind): Issue {
  const position = line === undefined ? '' : ` (line ${line}, column ${column})`;
  return {
    kind,
    code,
    diagnostics: `${text}${position}`,
    ...(path !== '/' && { location: path }),
  };
}

/** For a create: DSTU2 refuses an id in the body, because the server makes the ids. */
export function requireNoId({ resourceType, id }: Resource): Finding | undefined {
  if (id === undefined) return undefined;
  return {
    path: `/f:${resourceType}/f:id`,
    code: 'invalid',
    text: `The server gives new resources their ids. Leave the id out, or update with PUT ${resourceType}/{id}.`,
  };
}

/** For an update: the id in the body must equal the id in the address. */
export function requireId({ resourceType, id }: Resource, wanted: string): Finding | undefined {
  if (id === wanted) return undefined;
  const path = `/f:${resourceType}/f:id`;
  return id === undefined
    ? { path, code: 'required', text: `The id is missing. Send ${wanted}, as the address has it.` }
    : {
        path,
        code: 'invalid',
        text: `The id "${id}" differs from the id in the address. Send ${wanted}.`,
      };
}
