/** What a create or update is answered with: https://hl7.org/fhir/DSTU2/http.html#return */
import { headersOf } from './answer.ts';
import { type Exchange, versionPath } from './exchange.ts';
import { encodeJson } from './format/json.ts';
import { encodeXml } from './format/xml.ts';
import { successOutcome } from './outcome.ts';
import { preferredValue } from './prefer-header.ts';
import type { StoredVersion } from './repository.ts';
import { type FhirResponse, headerOf } from './request.ts';
import type { CreateRoute, UpdateRoute } from './route.ts';
import { representationOf } from './stored-resource.ts';

export interface Written {
  readonly stored: StoredVersion;
  /** 201 where the resource is new. */
  readonly status: 200 | 201;
  /** `Successfully created resource`; the outcome goes on with which, and in what time. */
  readonly done: string;
  readonly warnings: readonly string[];
  /** It is not what the client has sent, and not the client's to see. */
  readonly isHidden?: boolean;
}

/** An outcome, unless the client would rather have the resource, or nothing. */
export function answerWritten(
  exchange: Exchange<CreateRoute | UpdateRoute>,
  { stored, status, done, warnings, isHidden = false }: Written,
): FhirResponse {
  const { request, service, route, form, elapsedMs } = exchange;
  const { interaction, type } = route;
  const { format, contentType, isPretty: pretty } = form;
  const representation = representationOf(stored, service, type, form);
  const { etag, lastModified, contentLocation } = representation;
  const headers = [
    ...['ETag', etag, 'Last-Modified', lastModified, 'Content-Location', contentLocation],
    ...(interaction === 'create' ? ['Location', contentLocation] : []),
    ...headersOf(service, request),
  ];
  const preferred = preferredValue(headerOf(request, 'prefer'), 'return');
  switch (preferred === 'representation' && isHidden ? undefined : preferred) {
    case 'minimal':
      headers.push('Preference-Applied', 'return=minimal');
      return { status, headers, body: '', interaction, format };
    case 'representation':
      headers.push('Preference-Applied', 'return=representation', 'Content-Type', contentType);
      return { status, headers, body: representation.body(), interaction, format };
    default: {
      const where = versionPath(type, stored.id, stored.version);
      const outcome = successOutcome(
        `${done} "${where}" in ${Math.round(elapsedMs())}ms`,
        warnings,
      );
      const { definitions } = service.version;
      headers.push('Content-Type', contentType);
      const body =
        format === 'xml'
          ? encodeXml(outcome, definitions, { pretty })
          : encodeJson(outcome, { pretty });
      return { status, headers, body, interaction, format };
    }
  }
}
