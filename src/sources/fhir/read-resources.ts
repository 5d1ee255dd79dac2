/** Reads the resources of one file, in JSON, NDJSON or XML, without holding it in memory. */

import {
  type LeftOutReason,
  SourceError,
  type SourceReceiver,
} from '../../directory/record/source.ts';
import type { Resource } from '../../fhir/format/resource.ts';
import type { Finding } from '../../fhir/request/finding.ts';
import type { ReleaseDocument } from '../release-file/read-release.ts';
import { ParseError } from '../text/parse-error.ts';
import { isCode } from '../text/source-text.ts';
import { type ByteReader, inPieces } from '../text/utf8-pieces.ts';
import { JsonResources } from './json-resources.ts';
import type { LeftOut } from './organization-parts.ts';
import type { ResourceEvents, ResourceKind } from './resource-events.ts';
import { XmlResources } from './xml-resources.ts';

/** `ndjson`: each line is a JSON document, even if the first line is not valid. */
export type FhirForm = 'json' | 'ndjson' | 'xml';

/** Takes the contents of a file. */
export interface ResourceReading {
  bundle?(lastUpdated: string | undefined): void;
  /** Takes a valid resource of one of the types. Returns why it is left out, if it is. */
  resource(resource: Resource): LeftOut | undefined;
  /** `name` is the code of the resource, or its place in the file. */
  leaveOut(reason: LeftOutReason, name: string, detail?: string): void;
  /** Called after the last resource. */
  end(): void;
}

export interface ReadResourcesOptions {
  readonly form: FhirForm;
  readonly kind: ResourceKind;
  readonly reading: ResourceReading;
  readonly progress: SourceReceiver['progress'];
}

/** Throws a SourceError if the file cannot be read to its end. */
export async function readResources(
  document: ReleaseDocument,
  { form, kind, reading, progress }: ReadResourcesOptions,
): Promise<void> {
  let resources = 0;
  const leaveOut = (place: string, { leftOut, code, detail }: LeftOut) => {
    const details = [code === '' ? undefined : place, detail].filter((text) => text !== undefined);
    const shown = details.length === 0 ? undefined : oneLine(details.join(': '));
    reading.leaveOut(leftOut, code === '' ? place : code, shown);
  };
  const reader = readerOf(form, kind, {
    bundle: (lastUpdated) => reading.bundle?.(lastUpdated),
    resource: (resource, findings, place) => {
      resources += 1;
      const left = problemOf(resource, findings, kind) ?? (resource && reading.resource(resource));
      if (left !== undefined) leaveOut(place, left);
    },
    leftOut: (place, detail) => {
      resources += 1;
      leaveOut(place, { leftOut: 'invalid-resource', code: '', detail });
    },
  });
  let bytesRead = 0;
  let bytesReported = 0;
  const reportProgress = (): void => {
    progress(document.bytesBefore + bytesRead, document.bytesTotal());
    bytesReported = bytesRead;
  };
  try {
    for await (const bytes of document.chunks) {
      reader.write(bytes);
      bytesRead += bytes.length;
      if (bytesRead - bytesReported >= PROGRESS_BYTES) reportProgress();
    }
    reader.end();
    reportProgress();
    reading.end();
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new SourceError(
      `${document.name} cannot be read after ${resources} resources ` +
        `(byte ${bytesRead} or soon after): ${oneLine(error.message)}. ${error.remedy}`,
    );
  }
}

/** Why a resource cannot be read. */
function problemOf(
  resource: Resource | undefined,
  [finding]: readonly Finding[],
  { types }: ResourceKind,
): LeftOut | undefined {
  const leftOut = 'invalid-resource';
  if (resource === undefined) {
    return { leftOut, code: '', detail: finding?.text ?? 'it is not a resource' };
  }
  const { resourceType, id } = resource;
  if (!types.includes(resourceType)) {
    const wanted = types.length === 1 ? `, not ${types[0]}` : '';
    return { leftOut, code: '', detail: `a resource of type ${resourceType}${wanted}` };
  }
  if (finding === undefined) return undefined;
  const code = typeof id === 'string' && isCode(id) ? id : '';
  return { leftOut, code, detail: `${finding.path}: ${finding.text}` };
}

/** As for release files. */
const PROGRESS_BYTES = 4 * 1024 * 1024;

function readerOf(form: FhirForm, kind: ResourceKind, events: ResourceEvents): ByteReader {
  if (form !== 'xml') return new JsonResources(events, kind, form === 'ndjson');
  return inPieces(new XmlResources(events, kind));
}

/** Makes a text of a source fit on one line of a report. */
function oneLine(text: string): string {
  const line = text.replace(/[\p{C}\s]+/gu, ' ').trim();
  return line.length > LINE_LENGTH_MAX ? `${line.slice(0, LINE_LENGTH_MAX)}…` : line;
}

/** Long enough for a finding with its path and a quotation. */
const LINE_LENGTH_MAX = 400;
