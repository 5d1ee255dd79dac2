/** An edition as one face shows it: templates, validators and kept answers. */
import { createHash } from 'node:crypto';
import { encodeJson } from '../fhir/format/json.ts';
import { encodeXml } from '../fhir/format/xml.ts';
import { escapeXmlAttribute } from '../fhir/format/xml-text.ts';
import { httpDate } from '../fhir/headers.ts';
import type { Format } from '../fhir/negotiate.ts';
import type { Edition } from './edition.ts';
import {
  type DirectoryFace,
  type ResourceObject,
  STANDARD_JSON,
  type ToOrganization,
} from './face.ts';
import { lastUpdatedMs } from './record.ts';
import { createResultCache, type ResultCache } from './result-cache.ts';
import type { DirectorySettings } from './settings.ts';
import { createTemplates, escapeJson, type Templates } from './templates.ts';

export interface RenderedEdition {
  readonly edition: Edition;
  /** Compact bodies: JSON in the form of the face, and XML without declaration and namespace. */
  readonly templates: Readonly<Record<Format, Templates>>;
  /** Compact bodies in standard JSON, even if the face has another form. */
  readonly standardJson: Templates;
  /** A text that differs if the face, content, settings, address or program differ, and so answers. */
  readonly fingerprint: string;
  /** Answers to searches and to reads that were asked for more than once. */
  readonly results: ResultCache;
  readonly reads: ResultCache;
  /** The resource of a row in the standard form. */
  organizationAt(row: number): ResourceObject;
  /** The resource of a row as JSON shows it. */
  jsonAt(row: number): ResourceObject;
  etagOf(row: number, format: Format): string;
  /** The date of publication as an HTTP date. */
  readonly publishedDate: string;
  /** The row's last change as an HTTP date. */
  lastModifiedOf(row: number): string;
}

/**
 * `surroundings` contains the other values that answers depend on: the server's public address and
 * the program's version. Cheap: templates are made when they are first needed.
 */
export function renderEdition(
  face: DirectoryFace,
  edition: Edition,
  settings: DirectorySettings,
  surroundings = '',
): RenderedEdition {
  const { rows, codeSystems, number, publishedAt } = edition;
  const toOrganization = face.createMapping(settings, codeSystems);
  const jsonForm = face.jsonFormOf(settings);
  const toJson: ToOrganization = (record) => jsonForm.organization(toOrganization(record));
  const { countMax, graceMinutes, editionsInMemory, cacheControl, gzipMinBytes, ...uris } =
    settings;
  // The entity tag of an unchanged record stays the same in later editions, as long as the
  // displays of codes stay the same.
  const { roles, recordClasses } = codeSystems;
  const mask = digestOf([
    ...[face.name, face.pathOf(settings), uris],
    ...[{ roles, recordClasses }, surroundings],
  ]);
  const high = mask.readUInt32BE(0);
  const low = mask.readUInt32BE(4);
  const json = jsonTemplates(edition, toJson);

  return {
    edition,
    templates: { json, xml: xmlTemplates(face, edition, toOrganization) },
    standardJson: jsonForm === STANDARD_JSON ? json : jsonTemplates(edition, toOrganization),
    fingerprint: digestOf([number, publishedAt, mask.toString('hex')]).toString('hex'),
    results: createResultCache(),
    reads: createResultCache(),
    organizationAt: (row) => toOrganization(rows.recordAt(row)),
    jsonAt: (row) => toJson(rows.recordAt(row)),
    etagOf: (row, format) => {
      const first = rows.hashes[2 * row]! ^ high;
      const second = rows.hashes[2 * row + 1]! ^ low;
      return `W/"${hex(first)}${hex(second)}-${format}"`;
    },
    publishedDate: httpDate(Date.parse(publishedAt)),
    lastModifiedOf: (row) => httpDate(lastUpdatedMs({ lastUpdated: rows.lastUpdatedOf(row) })),
  };
}

/** The text before the templates' XML of an Organization that is a whole document. */
export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
export const XML_ROOT = '<Organization xmlns="http://hl7.org/fhir">';
/** The text before the templates' XML of an Organization inside another resource. */
export const XML_NESTED = '<Organization>';

function xmlTemplates(
  { version }: DirectoryFace,
  { rows }: Edition,
  toOrganization: ToOrganization,
): Templates {
  return createTemplates(rows, {
    encode: (shape) => {
      const text = encodeXml(toOrganization(shape), version.definitions);
      return text.slice(text.indexOf(XML_ROOT) + XML_ROOT.length);
    },
    escape: escapeXmlAttribute,
  });
}

function jsonTemplates({ rows }: Edition, toJson: ToOrganization): Templates {
  return createTemplates(rows, {
    encode: (shape) => encodeJson(toJson(shape)),
    escape: escapeJson,
  });
}

function digestOf(value: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(value)).digest();
}

/** Eight digits. */
function hex(word: number): string {
  return (
    HEX_BYTES[word >>> 24]! +
    HEX_BYTES[(word >>> 16) & 0xff]! +
    HEX_BYTES[(word >>> 8) & 0xff]! +
    HEX_BYTES[word & 0xff]!
  );
}

const HEX_BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
