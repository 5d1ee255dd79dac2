/** Reads the resources of one file, in JSON, NDJSON or XML, without holding it in memory. */

import type { SourceError, SourceReceiver } from '../../directory/import/source.ts';
import { ParseError } from '../release-file/parse-error.ts';
import type { ReleaseDocument } from '../release-file/read-release.ts';
import { Utf8Pieces } from '../release-file/utf8-pieces.ts';
import { JsonResources } from './json-resources.ts';
import type { ResourceEvents, ResourceKind } from './resource-events.ts';
import { XmlResources } from './xml-resources.ts';

/** `ndjson`: each line is a JSON document, even if the first line is not valid. */
export type FhirForm = 'json' | 'ndjson' | 'xml';

/** The state of a file that is being read. */
export interface ResourceReading extends ResourceEvents {
  /** Called after the last resource. */
  end(): void;
  /** Makes the error for a fault in the file: the position, the fault, and the remedy. */
  fault(error: ParseError, bytesRead: number): SourceError;
}

export interface ReadResourcesOptions {
  readonly form: FhirForm;
  readonly kind: ResourceKind;
  readonly reading: ResourceReading;
  readonly progress: SourceReceiver['progress'];
}

export async function readResources(
  document: ReleaseDocument,
  { form, kind, reading, progress }: ReadResourcesOptions,
): Promise<void> {
  const reader = readerOf(form, kind, reading);
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
    throw error instanceof ParseError ? reading.fault(error, bytesRead) : error;
  }
}

/** As for release files. */
const PROGRESS_BYTES = 4 * 1024 * 1024;

interface ByteReader {
  write(bytes: Uint8Array): void;
  end(): void;
}

function readerOf(form: FhirForm, kind: ResourceKind, events: ResourceEvents): ByteReader {
  if (form !== 'xml') {
    const json = new JsonResources(events, kind, form === 'ndjson');
    return {
      write: ({ buffer, byteOffset, length }) =>
        json.write(Buffer.from(buffer, byteOffset, length)),
      end: () => json.end(),
    };
  }
  const xml = new XmlResources(events, kind);
  const pieces = new Utf8Pieces();
  return {
    write: (bytes) => {
      for (const piece of pieces.write(bytes)) xml.write(piece);
    },
    end: () => {
      pieces.end();
      xml.end();
    },
  };
}

/** Makes a text of a source fit on one line of a report. */
export function oneLine(text: string): string {
  const line = text.replace(/[\p{C}\s]+/gu, ' ').trim();
  return line.length > LINE_LENGTH_MAX ? `${line.slice(0, LINE_LENGTH_MAX)}…` : line;
}

/** Long enough for a finding with its path and a quotation. */
const LINE_LENGTH_MAX = 400;
