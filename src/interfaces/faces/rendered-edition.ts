/** An edition as one face shows it: templates, validators and kept answers. */

import { createHash } from 'node:crypto';
import { type Edition, perEdition } from '../../directory/edition/edition.ts';
import type { RecordSection } from '../../directory/edition/edition-records.ts';
import { versionIdOf } from '../../directory/edition/kept-changes.ts';
import { lastUpdatedMs } from '../../directory/record/record.ts';
import type { Rows } from '../../directory/record/rows.ts';
import { markerOf } from '../../directory/record/shape.ts';
import { encodeJson } from '../../fhir/format/json.ts';
import { encodeXml } from '../../fhir/format/xml.ts';
import { escapeXmlAttribute } from '../../fhir/format/xml-text.ts';
import { httpDate } from '../../fhir/http/headers.ts';
import type { Format } from '../../fhir/http/negotiate.ts';
import { publishedDateOf } from '../answer/published-date.ts';
import type { ResourceObject } from '../answer/resource-parts.ts';
import { createResultCache, type ResultCache } from '../answer/result-cache.ts';
import type { DirectorySettings } from '../answer/settings.ts';
import {
  type ComputedAt,
  createTemplates,
  escapeJson,
  joinTemplates,
  type TemplateFormat,
  type Templates,
} from '../answer/templates.ts';
import {
  type DirectoryFace,
  type RecordState,
  STANDARD_JSON,
  type ToOrganization,
} from './face.ts';

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
  const { codeSystems, number, publishedAt, postcodes, practitioners } = edition;
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
    face.name,
    face.pathOf(settings),
    uris,
    { roles, recordClasses },
    surroundings,
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
    fingerprint: digestOf([
      number,
      publishedAt,
      mask.toString('hex'),
      ...(postcodes === undefined ? [] : [postcodes.version]),
      ...(practitioners === undefined ? [] : [practitioners.version]),
    ]).toString('hex'),
    results: createResultCache(),
    reads: createResultCache(),
    rowOf: second === undefined ? edition.index.rowOf : edition.links.rowOf,
    organizationAt: (row) => mapAt(row, toOrganization),
    jsonAt: (row) => mapAt(row, toJson),
    etagOf: (row, format) => sectionAt(row).etagOf(row, format),
    publishedDate: publishedDateOf(edition),
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
  const { rows, isReferenceOnly, computedAt } = section;
  return createTemplates(rows, format({ ...MARKERS, isReferenceOnly }), computedAt);
}

function digestOf(value: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(value)).digest();
}

/** Rows are numbered over both sections, except where they are called own rows. */
interface RenderedSection extends Pick<RenderedEdition, 'etagOf' | 'lastModifiedOf'> {
  readonly rows: Rows;
  /** The number of its first row. */
  readonly firstRow: number;
  readonly isReferenceOnly: boolean;
  stateOf(row: number): RecordState;
  /** Takes own rows. */
  readonly computedAt: ComputedAt;
}

/**
 * An entity tag is the version of the resource, as FHIR says. If a face has no versions, it has 16
 * digits that change with the content and `mask`: everything else that answers depend on.
 */
function renderSections(
  { isComplete = false }: DirectoryFace,
  edition: Edition,
  mask: Buffer,
): readonly [RenderedSection, RenderedSection?] {
  const changeOf = createChangeOf(edition);
  const maskWords = [mask.readUInt32BE(0), mask.readUInt32BE(4)] as const;
  const render = ({ rows }: RecordSection, place: Place): RenderedSection => {
    const { firstRow, isReferenceOnly } = place;
    return {
      ...place,
      rows,
      stateOf: (row) => ({ ...changeOf(row).state, isReferenceOnly }),
      computedAt: (ownRow) => changeOf(ownRow + firstRow).computed,
      etagOf: (row, format) =>
        isComplete
          ? `W/"${changeOf(row).state.versionId}"`
          : `W/"${digitsOf(rows, row - firstRow, maskWords)}-${format}"`,
      lastModifiedOf: (row) =>
        isComplete
          ? changeOf(row).date
          : httpDate(lastUpdatedMs({ lastUpdated: rows.lastUpdatedOf(row - firstRow) })),
    };
  };
  const first = render(edition, { firstRow: 0, isReferenceOnly: false });
  const { references, rows } = edition;
  if (!isComplete || references.rows.count === 0) return [first];
  return [first, render(references, { firstRow: rows.count, isReferenceOnly: true })];
}

type Place = Pick<RenderedSection, 'firstRow' | 'isReferenceOnly'>;

/** The elements that a mapping gets beside the record. Templates fill them in for each row. */
type ComputedTexts = Omit<RecordState, 'isReferenceOnly'>;

const MARKERS: ComputedTexts = { versionId: markerOf(-1), lastUpdated: markerOf(-2) };

/** What answers need to know of the edition in which a record changed last. */
interface Change {
  readonly state: ComputedTexts;
  /** The same in UTF-8, in the order of `MARKERS`. */
  readonly computed: readonly Uint8Array[];
  readonly date: string;
}

/** Many records changed last in the same edition, so each change is made once. */
function createChangeOf(edition: Edition): (row: number) => Change {
  const changes = new Map<number, Change>();
  return (row) => {
    const published = edition.changedIn(row);
    const { number, publishedAt } = published;
    const known = changes.get(number);
    if (known !== undefined) return known;
    const versionId = versionIdOf(published);
    const change: Change = {
      state: { versionId, lastUpdated: publishedAt },
      computed: [utf8.encode(versionId), utf8.encode(publishedAt)],
      date: httpDate(Date.parse(publishedAt)),
    };
    changes.set(number, change);
    return change;
  };
}

const utf8 = new TextEncoder();

function digitsOf({ hashes }: Rows, ownRow: number, mask: readonly [number, number]): string {
  return hex(hashes[2 * ownRow]! ^ mask[0]) + hex(hashes[2 * ownRow + 1]! ^ mask[1]);
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

/** A face as a server serves it: with settings and addresses. Its service and the pages share it. */
export interface ServedFace {
  readonly face: DirectoryFace;
  readonly settings: DirectorySettings;
  /** The public address of the server, without a slash at the end. */
  readonly serverUrl: string;
  /** The absolute address of the face, without a slash at the end. */
  readonly baseUrl: string;
  /** The same object for the same edition, for as long as the edition is in memory. */
  render(edition: Edition): RenderedEdition;
}

export interface ServedFaceOptions {
  readonly settings: DirectorySettings;
  /** Without a slash at the end. */
  readonly serverUrl: string;
  /** Entity tags change with it. */
  readonly programVersion?: string;
}

export function serveFace(
  face: DirectoryFace,
  { settings, serverUrl, programVersion = '' }: ServedFaceOptions,
): ServedFace {
  const surroundings = `${serverUrl} ${programVersion}`;
  return {
    face,
    settings,
    serverUrl,
    baseUrl: serverUrl + face.pathOf(settings),
    render: perEdition((edition) => renderEdition(face, edition, settings, surroundings)),
  };
}
