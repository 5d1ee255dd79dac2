/** The answer to a create or update: https://hl7.org/fhir/DSTU2/http.html#return */

import { validForm } from '../http/negotiate.ts';
import { preferredValue } from '../http/prefer-header.ts';
import { headersOf } from '../service/answer.ts';
import { encodeBody } from '../service/encode-body.ts';
import type { TypeContext } from '../service/interaction.ts';
import { successOutcome } from '../service/outcome.ts';
import { type FhirResponse, headerOf } from '../service/request.ts';
import type { StoredVersion } from './repository.ts';
import { representationOf, versionPath } from './stored-resource.ts';

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
    ...['ETag', etag, 'Last-Modified', lastModified, 'Content-Location', contentLocation],
    ...(interaction.code === 'create' || isLocated ? ['Location', contentLocation] : []),
    ...headersOf(service, request),
  ];
  const { lastUpdated } = representation;
  const response = { status, headers, lastUpdated, interaction: interaction.code, format };
  const preferred = preferredValue(headerOf(request, 'prefer'), 'return');
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
