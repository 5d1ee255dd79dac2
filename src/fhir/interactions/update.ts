/** FHIR update, also only of the version that the client knows. https://hl7.org/fhir/DSTU2/http.html#update */
import { type Exchange, versionPath } from '../exchange.ts';
import { FhirError } from '../fhir-error.ts';
import type { Finding } from '../finding.ts';
import type { Resource } from '../format/resource.ts';
import { type FhirResponse, headerOf } from '../request.ts';
import { readResource, readWithHeader } from '../resource-body.ts';
import { READING, type UpdateRoute } from '../route.ts';
import { type IfMatch, matches } from '../versions.ts';
import { answerWritten } from '../write-answer.ts';

export async function update(exchange: Exchange<UpdateRoute>): Promise<FhirResponse> {
  const { request, route, access } = exchange;
  const { type, id } = route;
  const { versions } = type;
  const sent = headerOf(request, 'if-match');
  const {
    header: ifMatch,
    resource,
    warnings,
    refusal,
  } = readWithHeader(
    () => (sent === undefined ? undefined : parseIfMatch(sent)),
    () => readResource(exchange, (body) => idDiffers(body, id)),
  );
  exchange.handOver();
  if (refusal !== undefined) {
    // A version that does not match is told of before rules that are the service's own.
    const current = await versions.refuse({ reason: 'invalid', id }, access);
    if (current === undefined) throw absent(exchange, ifMatch);
    if (ifMatch !== undefined && !matches(ifMatch, current)) throw conflict(exchange, current);
    throw refusal;
  }
  if (ifMatch === undefined && versions.demandsIfMatch) {
    const current = await versions.refuse({ reason: 'invalid', id }, access);
    throw current === undefined ? absent(exchange, ifMatch) : IF_MATCH_MISSING;
  }
  const result = await versions.update(id, resource, ifMatch, access);
  switch (result.kind) {
    case 'stored': {
      const done = 'Successfully updated resource';
      return answerWritten(exchange, { stored: result.stored, status: 200, done, warnings });
    }
    case 'absent':
      throw absent(exchange, ifMatch);
    case 'conflict':
      throw conflict(exchange, result.currentVersion);
  }
}

function idDiffers({ resourceType, id }: Resource, wanted: string): Finding | undefined {
  if (id === wanted) return undefined;
  const path = `/f:${resourceType}/f:id`;
  return id === undefined
    ? { path, code: 'required', text: `The id is missing. Send ${wanted}, as the address has it.` }
    : {
        path,
        code: 'invalid',
        text: `The id "${id}" is not that of the address. Send ${wanted}.`,
      };
}

/** `W/"2"`, `"2"`, a list of them, or `*`: RFC 9110, section 13.1.1. */
function parseIfMatch(header: string): IfMatch {
  if (header.trim() === '*') return '*';
  if (!ENTITY_TAGS.test(header)) {
    throw new FhirError([
      {
        kind: 'invalid-request',
        diagnostics: `If-Match "${header}" is not understood. Send the ETag that you have, such as W/"2".`,
        location: 'http.If-Match',
      },
    ]);
  }
  return [...header.matchAll(/"([^"]*)"/g)].map(([, tag = '']) => tag);
}

/** Elements of a list may be empty: RFC 9110, section 5.6.1. */
const ENTITY_TAGS =
  /^[\s,]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:\s*,[\s,]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*[\s,]*$/;

const IF_MATCH_MISSING = new FhirError([
  {
    kind: 'precondition-failed',
    diagnostics:
      'This server takes an update only with If-Match. Read the resource, and send its ETag.',
    location: 'http.If-Match',
  },
]);

function absent({ route }: Exchange<UpdateRoute>, ifMatch: IfMatch | undefined): FhirError {
  const what = `There is no ${route.type.name}/${route.id}`;
  if (ifMatch !== undefined) {
    return new FhirError([
      { kind: 'precondition-failed', diagnostics: `${what} that If-Match could be about.` },
    ]);
  }
  const diagnostics =
    `${what}, and clients do not choose ids. ` +
    `Create it with POST ${route.type.name}; the answer says which id it has.`;
  return new FhirError(
    [{ kind: 'method-not-allowed', diagnostics }],
    // Before there is something to update, PUT is not offered.
    ['Allow', READING.allow],
  );
}

function conflict({ route }: Exchange<UpdateRoute>, current: number): FhirError {
  return new FhirError([
    {
      kind: 'conflict',
      diagnostics:
        `The current version is ${versionPath(route.type, route.id, current)}, which If-Match does ` +
        `not name. Read it, and send your change again with If-Match: W/"${current}".`,
    },
  ]);
}
