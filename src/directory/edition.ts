/** One published state of the directory, open for reading: rows, index, bodies, validators. */
import { createHash } from 'node:crypto';
import { STU3 } from '../fhir/fhir-version.ts';
import { encodeJson } from '../fhir/format/json.ts';
import { encodeXml } from '../fhir/format/xml.ts';
import { escapeXmlAttribute } from '../fhir/format/xml-text.ts';
import { httpDate } from '../fhir/headers.ts';
import type { Format } from '../fhir/negotiate.ts';
import type { NamedArrays } from './arrays.ts';
import type { ComparableEdition } from './difference.ts';
import { buildIndex } from './index/build-index.ts';
import { type Index, openIndex } from './index/open-index.ts';
import { roleCodes } from './index/role-lists.ts';
import { type CodeSystems, lastUpdatedMs, type OrganizationRecord } from './record.ts';
import { createResultCache, type ResultCache } from './result-cache.ts';
import { openRows, type Rows, type RowsBuilder } from './rows.ts';
import type { DirectorySettings } from './settings.ts';
import {
  type Rendering,
  type ResourceObject,
  renderingOf,
  toLegacyOrganization,
  toOrganization,
} from './stu3/organization.ts';
import { createTemplates, type Templates } from './templates.ts';

/** What identifies an edition to clients. */
export interface EditionIdentity {
  readonly number: number;
  /** An ISO instant: the last change of every search result. */
  readonly publishedAt: string;
}

export interface Edition extends EditionIdentity {
  readonly index: Index;
  readonly rows: Rows;
  readonly codeSystems: CodeSystems;
  /** The codes of all roles that an organisation has, also those that the code system lacks. */
  roleCodes(): readonly string[];
  /** Compact bodies: JSON as the setting has it, and XML without declaration and namespace. */
  readonly templates: Readonly<Record<Format, Templates>>;
  /** Compact JSON in FHIR's own form, whatever the setting. */
  readonly fhirJson: Templates;
  /** Changes with whatever can change an answer: content, settings, addresses, program. */
  readonly fingerprint: string;
  /** Answers to searches, and to reads, that are asked for again. */
  readonly results: ResultCache;
  readonly reads: ResultCache;
  /** The resource of a row in FHIR form. */
  organizationAt(row: number): ResourceObject;
  /** The resource as JSON shows it: legacy where the setting says so. */
  toJson(organization: ResourceObject): ResourceObject;
  etagOf(row: number, format: Format): string;
  /** Of the edition itself: an HTTP date. */
  readonly publishedDate: string;
  /** The row's last change as an HTTP date. */
  lastModifiedOf(row: number): string;
}

/** The arrays of an edition of the wanted records, which are in the order of their codes. */
export function buildEdition(
  builder: RowsBuilder,
  ordinals: Uint32Array,
  codeSystems: CodeSystems,
): NamedArrays {
  const rowArrays = builder.finish(ordinals);
  const rows = openRows(rowArrays);
  return {
    ...rowArrays,
    ...buildIndex(rows.count, rows.recordAt),
    format: Uint32Array.of(EDITION_FORMAT),
    'code-systems': new TextEncoder().encode(JSON.stringify(codeSystems)),
  };
}

/**
 * `surroundings` is what else answers depend on: the server's public address and the program's
 * version. Cheap: arrays are not copied, and templates are made as they are needed.
 */
export function openEdition(
  identity: EditionIdentity,
  arrays: NamedArrays,
  settings: DirectorySettings,
  surroundings = '',
): Edition {
  const rows = openRows(arrays);
  const codeSystems = parseCodeSystems(arrays);
  const rendering = renderingOf(settings, codeSystems);
  const toJson = (organization: ResourceObject) =>
    settings.json === 'legacy' ? toLegacyOrganization(organization) : organization;
  demandFormat(arrays);
  const { number, publishedAt } = identity;
  const { countMax, graceMinutes, editionsInMemory, cacheControl, gzipMinBytes, ...uris } =
    settings;
  // A record that stays the same keeps its entity tag from edition to edition, as long as the
  // displays of codes stay the same too.
  const mask = digestOf([uris, codeSystems, surroundings]);
  const fingerprint = digestOf([number, publishedAt, mask.toString('hex')]).toString('hex');
  const high = mask.readUInt32BE(0);
  const low = mask.readUInt32BE(4);
  const httpDates = new Map<string, string>();
  const templates = templatesOf(rows, rendering, toJson);

  return {
    ...identity,
    publishedDate: httpDate(Date.parse(publishedAt)),
    rows,
    index: openIndex(arrays),
    codeSystems,
    roleCodes: () => roleCodes(arrays),
    templates,
    fhirJson:
      settings.json === 'fhir' ? templates.json : jsonTemplates(rows, rendering, (same) => same),
    fingerprint,
    results: createResultCache(),
    reads: createResultCache(),
    organizationAt: (row) => toOrganization(rows.recordAt(row), rendering),
    toJson,
    etagOf: (row, format) => {
      const first = rows.hashes[2 * row]! ^ high;
      const second = rows.hashes[2 * row + 1]! ^ low;
      return `W/"${hex(first)}${hex(second)}-${format}"`;
    },
    lastModifiedOf: (row) => {
      const lastUpdated = rows.lastUpdatedOf(row);
      let date = httpDates.get(lastUpdated);
      if (date === undefined) {
        date = httpDate(lastUpdatedMs({ lastUpdated }));
        if (httpDates.size >= HTTP_DATES_MAX) httpDates.clear();
        httpDates.set(lastUpdated, date);
      }
      return date;
    },
  };
}

/** Throws where the arrays were made by a program that arranged them in another way. */
export function demandFormat(arrays: NamedArrays): void {
  const format = arrays['format']?.[0];
  if (format === EDITION_FORMAT) return;
  throw new EditionFormatError(
    'This edition was made by another version of the program. Import its release file again.',
  );
}

/** The arrays of an edition are not arranged as this program reads them. */
export class EditionFormatError extends Error {
  override readonly name = 'EditionFormatError';
}

/** Counts up with every change of what an edition's arrays are and mean. */
const EDITION_FORMAT = 1;

/** As much of an edition as it takes to compare it with another. */
export function openEditionForComparison(arrays: NamedArrays): ComparableEdition {
  const rows = openRows(arrays);
  const primaryRoles = Array.from(
    { length: rows.shapeCount },
    (_, shape) => rows.shapeAt(shape).roles[0]?.code,
  );
  return {
    records: rows.count,
    code: rows.codeOf,
    primaryRole: (row) => primaryRoles[rows.shapeOf(row)] ?? '',
    hashes: rows.hashes,
  };
}

/** What stands before a body of XML that is a document of its own. */
export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
export const XML_ROOT = '<Organization xmlns="http://hl7.org/fhir">';
export const XML_NESTED = '<Organization>';

/** Most records share a few thousand dates of change. */
const HTTP_DATES_MAX = 20_000;

function templatesOf(
  rows: Rows,
  rendering: Rendering,
  toJson: (organization: ResourceObject) => ResourceObject,
): Edition['templates'] {
  const xmlOf = (shape: OrganizationRecord): string => {
    const text = encodeXml(toOrganization(shape, rendering), STU3.definitions);
    return text.slice(text.indexOf(XML_ROOT) + XML_ROOT.length);
  };
  return {
    json: jsonTemplates(rows, rendering, toJson),
    xml: createTemplates(rows, { encode: xmlOf, escape: escapeXmlAttribute }),
  };
}

function jsonTemplates(
  rows: Rows,
  rendering: Rendering,
  toJson: (organization: ResourceObject) => ResourceObject,
): Templates {
  return createTemplates(rows, {
    encode: (shape) => encodeJson(toJson(toOrganization(shape, rendering))),
    escape: (character) => JSON.stringify(character).slice(1, -1),
  });
}

function parseCodeSystems(arrays: NamedArrays): CodeSystems {
  const bytes = arrays['code-systems'];
  if (bytes === undefined) throw new TypeError('the edition has no code-systems');
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
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
