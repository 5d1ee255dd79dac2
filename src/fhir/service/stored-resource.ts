/** Reads stored versions from the repository of a type, and makes answers of them. */

import type { Definitions } from '../definitions/definitions.ts';
import { decodeJson } from '../format/json.ts';
import { UNLIMITED } from '../format/limits.ts';
import type { Resource } from '../format/resource.ts';
import { headerOf, httpDate, preferredValue } from '../http/headers.ts';
import { type Form, validForm } from '../http/negotiate.ts';
import { FhirError } from '../request/fhir-error.ts';
import type { FhirRequest, FhirResponse } from '../request/request.ts';
import type { ResourceAddress, StoredVersion } from '../stored/repository.ts';
import type { StoredType, WriteRules } from '../stored/stored-type.ts';
import { encodeBody, headersOf } from './answer.ts';
import { successOutcome } from './failure.ts';
import type { ServedType, Service, TypeContext } from './interaction.ts';
import { handOver } from './refused-access.ts';
import type { Representation } from './representation.ts';

/** Reads from a repository: the `ServedType.read` of a stored type. */
export async function readStored(
  context: TypeContext,
  form: Form,
): Promise<Representation | undefined> {
  const { service, type, version } = context;
  const { repository } = storedTypeOf(type);
  const address = { ...addressOf(context), ...(version !== '' && { version }) };
  const stored = await repository.read(address, handOver(context));
  if (stored === undefined) return undefined;
  if (stored.text === undefined) throw gone(context, stored);
  const { etag, lastModified, lastUpdated, contentLocation, body } = representationOf(
    stored,
    service,
    type,
    form,
  );
  return {
    etag,
    lastModified,
    lastUpdated,
    body,
    ...(type.interactions.some(({ code }) => code === 'vread') && { contentLocation }),
    // The version before it may have been written in the same second.
    isDateAmbiguous: version === '' && stored.version > 1,
  };
}

/** The repository and the rules of a type whose interactions need them. */
export function storedTypeOf({ name, stored }: ServedType): StoredType {
  if (stored === undefined) throw new Error(`the type ${name} has no repository`);
  return stored;
}

/** The rules of a type whose interactions write. */
export function writeRulesOf(type: ServedType): WriteRules {
  const { writing } = storedTypeOf(type);
  if (writing === undefined) throw new Error(`clients do not write the type ${type.name}`);
  return writing;
}

/** The types that clients write. */
export function writtenTypes(types: readonly ServedType[]): readonly ServedType[] {
  return types.filter(({ stored }) => stored?.writing !== undefined);
}

export function addressOf({ type, id }: TypeContext): ResourceAddress {
  return { type: type.name, id };
}

export function representationOf(
  stored: StoredVersion,
  service: Service,
  type: ServedType,
  form: Form,
): Required<Pick<Representation, 'lastModified' | 'lastUpdated' | 'contentLocation'>> &
  Representation {
  const { version, text } = stored;
  const { etag, lastModified, lastUpdated } = validatorsOf(stored);
  return {
    etag,
    lastModified,
    lastUpdated,
    contentLocation: `${service.baseUrl}/${versionPath(type, stored.id, version)}`,
    body: () => encodeStored(text, service.version.definitions, form),
  };
}

/** The entity tag and the date of a version, as a header and as FHIR have it. */
export interface VersionValidators {
  readonly etag: string;
  readonly lastModified: string;
  readonly lastUpdated: string;
}

export function validatorsOf({ version, writtenAt }: StoredVersion): VersionValidators {
  return {
    etag: `W/"${version}"`,
    lastModified: httpDate(Date.parse(writtenAt)),
    lastUpdated: writtenAt,
  };
}

/** `OrderResponse/{id}/_history/{version}` */
export function versionPath({ name }: ServedType, id: string, version: number): string {
  return `${name}/${id}/_history/${version}`;
}

/** The text is compact JSON already, so that this form needs no work. */
function encodeStored(text: string | undefined, definitions: Definitions, form: Form): string {
  if (text === undefined) throw new Error('a version without content has no body');
  if (form.format === 'json' && !form.isPretty) return text;
  return encodeBody(parseStored(text, definitions), form, definitions);
}

/**
 * Numbers keep their text. A stored resource is read without limits, because it passed the
 * limits that applied when it was written.
 */
export function parseStored(text: string, definitions: Definitions): Resource {
  const { resource } = decodeJson(Buffer.from(text), definitions, UNLIMITED);
  if (resource === undefined) throw new Error('a stored resource cannot be read');
  return resource;
}

export function noRecord(diagnostics: string): FhirError {
  return FhirError.of('no-record', diagnostics);
}

/**
 * The error for a version without content. https://hl7.org/fhir/DSTU2/http.html#delete: a deleted
 * resource is gone, and its history stays.
 */
export function gone({ type, id }: TypeContext, stored: StoredVersion): FhirError {
  const { etag, lastModified } = validatorsOf(stored);
  const name = `${type.name}/${id}`;
  const diagnostics = stored.isErased
    ? `The content of version ${stored.version} of ${name} was erased. It cannot be read, changed or restored.`
    : `${name} was deleted: version ${stored.version} has no content. ` +
      `Read the versions before it at ${name}/_history.`;
  const headers = ['ETag', etag, 'Last-Modified', lastModified];
  return FhirError.of('gone', diagnostics, { headers });
}

export interface Written {
  readonly stored: StoredVersion;
  /** 201 for a new resource, and for one that was deleted and exists again. */
  readonly status: 200 | 201;
  /** The start of the diagnostics, such as `Successfully created resource`. */
  readonly done: string;
  readonly warnings: readonly string[];
  /** Another client wrote the resource, and this one must not see it. */
  readonly isHidden?: boolean;
  /** The client did not name the resource, so the answer does, as that to a create. */
  readonly isLocated?: boolean;
}

/** Whether the answer to a write is the resource. */
export function prefersResource(request: FhirRequest): boolean {
  return returnPreference(request) === 'representation';
}

function returnPreference(request: FhirRequest): string | undefined {
  return preferredValue(headerOf(request, 'prefer'), 'return');
}

/** An outcome, unless the client prefers the resource or an empty body. */
export function answerWritten(
  { request, service, type, interaction, negotiated, startMs }: TypeContext,
  { stored, status, done, warnings, isHidden = false, isLocated = status === 201 }: Written,
): FhirResponse {
  const form = validForm(negotiated);
  const { format, contentType } = form;
  const representation = representationOf(stored, service, type, form);
  const { etag, lastModified, contentLocation } = representation;
  const headers = [
    'ETag',
    etag,
    'Last-Modified',
    lastModified,
    'Content-Location',
    contentLocation,
    ...(interaction.code === 'create' || isLocated ? ['Location', contentLocation] : []),
    ...headersOf(service, request),
  ];
  const { lastUpdated } = representation;
  const response = { status, headers, lastUpdated, interaction: interaction.code, format };
  const preferred = returnPreference(request);
  switch (preferred === 'representation' && isHidden ? undefined : preferred) {
    case 'minimal':
      headers.push('Preference-Applied', 'return=minimal');
      return { ...response, body: '' };
    case 'representation':
      headers.push('Preference-Applied', 'return=representation', 'Content-Type', contentType);
      return { ...response, body: representation.body() };
    default: {
      const where = versionPath(type, stored.id, stored.version);
      const elapsedMs = Math.round(performance.now() - startMs);
      const outcome = successOutcome(`${done} "${where}" in ${elapsedMs}ms`, warnings);
      headers.push('Content-Type', contentType);
      return { ...response, body: encodeBody(outcome, form, service.version.definitions) };
    }
  }
}
