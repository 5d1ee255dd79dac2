/** Reads records of ORD into a top-up: an object or a line for each in JSON, or one element in XML. */

import type { TopUp } from '../../directory/import/top-up.ts';
import { elementXml } from '../../directory/record/organisation-element.ts';
import { SourceError } from '../../directory/record/source.ts';
import { fitsXml } from '../../fhir/definitions/primitives.ts';
import { readJson } from '../../fhir/format/json.ts';
import { startBudget } from '../../fhir/format/limits.ts';
import {
  type FhirObject,
  type FhirValue,
  isObject,
  isRawJSON,
} from '../../fhir/format/resource.ts';
import type { OrganisationDraft } from '../release-file/parse/draft.ts';
import { recordFromDraft } from '../release-file/parse/organisation-draft.ts';
import { ReleaseParser } from '../release-file/parse/release-parser.ts';
import type { ReleaseDocument } from '../release-file/read-release.ts';
import { JsonLines } from '../text/json-lines.ts';
import { ParseError } from '../text/parse-error.ts';
import { printable } from '../text/source-text.ts';
import { type ByteReader, inPieces } from '../text/utf8-pieces.ts';

export type OrdForm = 'json' | 'xml';

export interface ReadOrdOptions {
  readonly form: OrdForm;
  readonly topUp: TopUp;
  /** The last change of records that state none: `YYYY-MM-DD`. */
  readonly today: string;
}

/** Throws a SourceError if the file cannot be read to its end. */
export async function readOrd(
  document: ReleaseDocument,
  { form, topUp, today }: ReadOrdOptions,
): Promise<void> {
  let records = 0;
  const onDraft = (draft: OrganisationDraft) => {
    records += 1;
    take(draft, topUp, today);
  };
  const reader =
    form === 'xml'
      ? xmlReader(document.name, onDraft)
      : jsonReader((organisation) => takeJson(organisation, onDraft, topUp));
  let bytesRead = document.bytesBefore;
  try {
    for await (const bytes of document.chunks) {
      reader.write(bytes);
      bytesRead += bytes.length;
      topUp.progress(bytesRead, document.bytesTotal());
    }
    reader.end();
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new SourceError(
      `${document.name} cannot be read as records of ORD after ${records} records: ` +
        `${printable(error.message)}. Fetch them again.`,
    );
  }
}

/**
 * A record in JSON has the content of the same element in XML. One that is not valid must not prevent
 * the import of the others.
 */
function takeJson(
  organisation: FhirObject,
  onDraft: (draft: OrganisationDraft) => void,
  topUp: TopUp,
): void {
  const code = printable(String(objectIn(organisation.OrgId).extension));
  try {
    const unknown: string[] = [];
    const xml = elementXml('Organisation', contentOf(organisation, unknown));
    for (const name of unknown) topUp.warning('unknown-element', code, printable(name));
    if (!fitsXml(xml)) throw new ParseError('a text has a character that XML does not allow');
    const reader = xmlReader('', onDraft);
    reader.write(Buffer.from(xml));
    reader.end();
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    topUp.leftOut('invalid-resource', code, error.message);
  }
}

/** Without members that are null, or whose names XML does not have: these go to `unknown`. */
function contentOf(object: FhirObject, unknown: string[]): object {
  const plain = (value: FhirValue): unknown => {
    if (isRawJSON(value)) return Number(value.rawJSON);
    if (Array.isArray(value)) return value.filter((one) => one !== null).map(plain);
    return isObject(value) ? contentOf(value, unknown) : value;
  };
  const members = Object.entries(object).filter(([name, value]) => {
    const isName = XML_NAME.test(name);
    if (!isName) unknown.push(name);
    return isName && value !== null && value !== undefined;
  });
  return Object.fromEntries(members.map(([name, value]) => [name, plain(value as FhirValue)]));
}

const XML_NAME = /^[A-Za-z_][\w.-]*$/;

function take(draft: OrganisationDraft, topUp: TopUp, today: string): void {
  const outcome = recordFromDraft(draft, today);
  if ('leftOut' in outcome) {
    topUp.leftOut(outcome.leftOut, outcome.code, outcome.detail);
    return;
  }
  const { record, warnings } = outcome;
  for (const { kind, detail } of warnings) topUp.warning(kind, record.code, detail);
  topUp.patch({ kind: 'whole', record });
}

function xmlReader(name: string, onDraft: (draft: OrganisationDraft) => void): ByteReader {
  const others = { manifest: () => {}, codeSystems: () => {} };
  return inPieces(new ReleaseParser(name, { ...others, organisation: onDraft }));
}

/** The largest JSON document that is read as a whole. A record has a few KiB. */
const DOCUMENT_BYTES_MAX = 32 * 1024 * 1024;

/** If the first line is a whole document, each line is one. */
function jsonReader(onOrganisation: (organisation: FhirObject) => void): ByteReader {
  let isLines: boolean | undefined;
  let bytesKept = 0;
  const kept: Buffer[] = [];
  const lines = new JsonLines(DOCUMENT_BYTES_MAX, (line) => {
    if (line === undefined) throw tooLarge();
    if (isBlank(line)) return;
    isLines ??= isJson(line);
    if (isLines) {
      for (const organisation of organisationsIn(line)) onOrganisation(organisation);
      return;
    }
    kept.push(line);
    bytesKept += line.length;
    if (bytesKept > DOCUMENT_BYTES_MAX) throw tooLarge();
  });
  return {
    write: (bytes) => lines.write(bytes),
    end: () => {
      lines.end();
      if (isLines === true) return;
      for (const organisation of organisationsIn(Buffer.concat(kept))) onOrganisation(organisation);
    },
  };
}

function tooLarge(): ParseError {
  return new ParseError(`it is one JSON document of more than ${DOCUMENT_BYTES_MAX} bytes`);
}

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09);
}

function isJson(line: Buffer): boolean {
  try {
    parse(line);
    return true;
  } catch {
    return false;
  }
}

function organisationsIn(json: Buffer): readonly FhirObject[] {
  const parsed = parse(json);
  return (Array.isArray(parsed) ? parsed : [parsed]).map((value) => {
    const { Organisation, Organisations } = objectIn(value);
    if (Organisations !== undefined) {
      throw new ParseError('it is a list of organisations, which has no whole records');
    }
    if (Organisation === undefined) throw new ParseError('it has no Organisation');
    return objectIn(Organisation);
  });
}

function objectIn(value: FhirValue | undefined): FhirObject {
  return isObject(value) ? value : {};
}

function parse(json: Buffer): FhirValue {
  try {
    return readJson(utf8.decode(json), startBudget({ depthMax: DEPTH_MAX })).value;
  } catch {
    throw new ParseError('it is not JSON in UTF-8');
  }
}

/** Records have 6 levels. */
const DEPTH_MAX = 64;

/** Skips a byte order mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true });
