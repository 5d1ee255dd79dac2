/** An edition as one face shows it: templates, validators and kept answers. */
import { createHash } from 'node:crypto';
import { encodeJson } from '../../fhir/format/json.ts';
import { encodeXml } from '../../fhir/format/xml.ts';
import { escapeXmlAttribute } from '../../fhir/format/xml-text.ts';
import { httpDate } from '../../fhir/http/headers.ts';
import type { Format } from '../../fhir/http/negotiate.ts';
import type { Edition } from '../edition/edition.ts';
import {
  type DirectoryFace,
  type RecordState,
  STANDARD_JSON,
  type ToOrganization,
} from '../face.ts';
import { CHANGE_MARKERS } from '../record/shape.ts';
import type { DirectorySettings } from '../settings.ts';
import { type RenderedSection, renderSections } from './rendered-section.ts';
import type { ResourceObject } from './resource-parts.ts';
import { createResultCache, type ResultCache } from './result-cache.ts';
import {
  createTemplates,
  escapeJson,
  joinTemplates,
  type TemplateFormat,
  type Templates,
} from './templates.ts';

/** Rows are numbered over both sections of the edition: full records, then reference-only ones. */
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
  /** The row of exactly this code, if the face shows its record. */
  rowOf(code: string): number | undefined;
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
  const { codeSystems, number, publishedAt } = edition;
  const toOrganization = face.createMapping(settings, codeSystems);
  const jsonForm = face.jsonFormOf(settings);
  const toJson: ToOrganization = (record, state) =>
    jsonForm.organization(toOrganization(record, state));
  const { countMax, graceMinutes, editionsInMemory, cacheControl, gzipMinBytes, ...others } =
    settings;
  const { 'r4.apiKeys': apiKeys, 'r4.countMax': r4CountMax, ...uris } = others;
  // The entity tag of an unchanged record stays the same in later editions, as long as the
  // displays of codes stay the same.
  const { roles, recordClasses } = codeSystems;
  const mask = digestOf([
    ...[face.name, face.pathOf(settings), uris],
    ...[{ roles, recordClasses }, surroundings],
  ]);
  const [first, second] = renderSections(face, edition, mask);
  const sectionAt = (row: number): RenderedSection =>
    second === undefined || row < second.firstRow ? first : second;
  const mapAt = (row: number, map: ToOrganization): ResourceObject => {
    const { rows, firstRow, stateOf } = sectionAt(row);
    return map(rows.recordAt(row - firstRow), stateOf(row));
  };
  const templates = (format: TemplateFormatOf) => {
    const own = sectionTemplates(first, format);
    return second === undefined ? own : joinTemplates(own, sectionTemplates(second, format));
  };
  const json = templates(jsonFormat(toJson));

  return {
    edition,
    templates: { json, xml: templates(xmlFormat(face, toOrganization)) },
    standardJson: jsonForm === STANDARD_JSON ? json : templates(jsonFormat(toOrganization)),
    fingerprint: digestOf([number, publishedAt, mask.toString('hex')]).toString('hex'),
    results: createResultCache(),
    reads: createResultCache(),
    rowOf: second === undefined ? edition.index.rowOf : edition.relations.rowOf,
    organizationAt: (row) => mapAt(row, toOrganization),
    jsonAt: (row) => mapAt(row, toJson),
    etagOf: (row, format) => sectionAt(row).etagOf(row, format),
    publishedDate: httpDate(Date.parse(publishedAt)),
    lastModifiedOf: (row) => sectionAt(row).lastModifiedOf(row),
  };
}

/** The text before the templates' XML of an Organization that is a whole document. */
export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
export const XML_ROOT = '<Organization xmlns="http://hl7.org/fhir">';
/** The text before the templates' XML of an Organization inside another resource. */
export const XML_NESTED = '<Organization>';

/** A format, by the state of the records that it encodes. */
type TemplateFormatOf = (state: RecordState) => TemplateFormat;

function xmlFormat({ version }: DirectoryFace, toOrganization: ToOrganization): TemplateFormatOf {
  return (state) => ({
    encode: (shape) => {
      const text = encodeXml(toOrganization(shape, state), version.definitions);
      return text.slice(text.indexOf(XML_ROOT) + XML_ROOT.length);
    },
    escape: escapeXmlAttribute,
  });
}

function jsonFormat(toJson: ToOrganization): TemplateFormatOf {
  return (state) => ({
    encode: (shape) => encodeJson(toJson(shape, state)),
    escape: escapeJson,
  });
}

function sectionTemplates(section: RenderedSection, format: TemplateFormatOf): Templates {
  const { rows, isReferenceOnly, changeTextsOf } = section;
  return createTemplates(rows, format({ ...CHANGE_MARKERS, isReferenceOnly }), changeTextsOf);
}

function digestOf(value: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(value)).digest();
}
