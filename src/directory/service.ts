/** A face of the directory as a FHIR service: read by code, and search. */
import { hash } from 'node:crypto';
import { EXPOSED_HEADERS } from '../fhir/answer.ts';
import type { Definitions } from '../fhir/definitions/definitions.ts';
import { encodeBody } from '../fhir/encode-body.ts';
import type { ServedType, Service, TypeContext } from '../fhir/interaction.ts';
import { capabilities } from '../fhir/interactions/capabilities.ts';
import { read } from '../fhir/interactions/read.ts';
import { searchType, searchTypeByForm } from '../fhir/interactions/search-type.ts';
import type { Form } from '../fhir/negotiate.ts';
import type { Representation } from '../fhir/representation.ts';
import type { SearchRequest } from '../fhir/search/search-request.ts';
import { SPINE_ERRORS } from '../nhs/spine-errors.ts';
import { ByteWriter } from './byte-writer.ts';
import { currentEditionDownload } from './current-edition.ts';
import type { Edition } from './edition.ts';
import { currentOf, type Editions, numberedOf } from './editions.ts';
import type { DefinitionType } from './face.ts';
import { type RenderedEdition, XML_DECLARATION, XML_ROOT } from './rendered-edition.ts';
import { createSearchsets, identityOf } from './searchset.ts';
import type { ServedFace } from './served-face.ts';

export function createDirectoryService(served: ServedFace, editions: Editions): Service {
  const { face, settings, serverUrl, baseUrl } = served;
  const current = () => served.render(currentOf(editions));
  const jsonForm = face.jsonFormOf(settings);
  const { downloadPath } = face;
  return {
    name: face.name,
    description: 'Directory of organisations: read by code, and search.',
    version: face.version,
    serverUrl,
    baseUrl,
    defaultFormat: 'json',
    interactions: [capabilities],
    types: [
      organizationType(served, editions),
      ...face.definitionTypes(settings).map((type) => definitionType(type, served, current)),
    ],
    errorDetails: SPINE_ERRORS,
    ...(face.outcomeProfile === undefined ? {} : { outcomeProfile: face.outcomeProfile }),
    ...(jsonForm.outcome === undefined ? {} : { outcomeJson: jsonForm.outcome }),
    headers: [
      'Vary',
      settings.gzipMinBytes === 0 ? 'Accept' : 'Accept, Accept-Encoding',
      ...OPEN_HEADERS,
    ],
    cacheControl: settings.cacheControl,
    gzipMinBytes: settings.gzipMinBytes,
    downloads:
      downloadPath === undefined ? [] : [currentEditionDownload(serverUrl + downloadPath, current)],
  };
}

function organizationType(served: ServedFace, editions: Editions): ServedType {
  const { face, settings, baseUrl } = served;
  const { definitions } = face.version;
  const typeUrl = `${baseUrl}/Organization`;
  const writer = new ByteWriter(SLABS_KEPT);
  const release = (body: Uint8Array) => writer.release(body);
  const parseSearch = face.createSearchParser(settings, baseUrl);
  const searchsets = createSearchsets(served, typeUrl, writer);

  const search = (request: SearchRequest, newest: Edition) => {
    const { form } = request;
    const parsed = parseSearch(request);
    const edition = parsed.edition === undefined ? newest : numberedOf(editions, parsed.edition);
    const rendered = served.render(edition);
    const identity = identityOf(parsed, rendered, form);
    const representation: Representation = {
      etag: identity.etag,
      lastModified: rendered.publishedDate,
      ...(parsed.hasIgnored ? { preferenceApplied: 'handling=lenient' } : {}),
      release,
      body: () => {
        const offset = (parsed.page - 1) * parsed.count;
        const page = edition.index.search(parsed.query, offset, parsed.count);
        const result = { identity, search: parsed, page, rendered };
        if (!form.isPretty) return searchsets.write(result, form.format);
        return encodeBody(searchsets.resource(result, form.format), form, definitions);
      },
    };
    return { edition, representation };
  };

  return {
    name: 'Organization',
    profile: face.profileOf(settings),
    documentation: 'The organisations of the directory, by their codes.',
    notFound: 'No record found for supplied ODS code',
    interactions: [read, searchType, searchTypeByForm],
    read: ({ id }, form) => {
      const rendered = served.render(currentOf(editions));
      const key = `${formKey(form)}/${id}`;
      const known = rendered.reads.get(key);
      if (known !== undefined) return known;
      const found = findRow(rendered.edition, id);
      if (found === undefined) return undefined;
      const { row, code } = found;
      const representation: Representation = {
        etag: rendered.etagOf(row, form.format),
        lastModified: rendered.lastModifiedOf(row),
        ...(code === id ? {} : { contentLocation: `${typeUrl}/${code}` }),
        body: () => organizationBody(rendered, row, form, writer, definitions),
        release,
      };
      return rendered.reads.note(key, representation);
    },
    search: (request) => {
      const newest = currentOf(editions);
      const { results } = served.render(newest);
      const { query, isLenient, form } = request;
      const key = `${formKey(form)}${isLenient ? ' lenient' : ''}?${query}`;
      const known = results.get(key);
      if (known !== undefined) return known;
      const { edition, representation } = search(request, newest);
      // Not kept for an older edition, because the answer must end with its grace period.
      return edition === newest ? results.note(key, representation) : representation;
    },
    searchParameters: face.searchParameters,
    searchCombinations: face.searchCombinations,
  };
}

function definitionType(
  type: DefinitionType,
  { face }: ServedFace,
  current: () => RenderedEdition,
): ServedType {
  const { name, documentation, notFound } = type;
  const { definitions } = face.version;
  const readDefinition = ({ id }: TypeContext, form: Form): Representation | undefined => {
    if ('resources' in type) {
      const fixed = type.resources.get(id);
      if (fixed === undefined) return undefined;
      const body = encodeBody(fixed, form, definitions);
      return { etag: `W/"${hash('sha256', body).slice(0, 16)}"`, body: () => body };
    }
    const { edition, fingerprint, publishedDate } = current();
    const resource = type.resourceOf(id, edition);
    if (resource === undefined) return undefined;
    return {
      etag: `W/"${fingerprint.slice(0, 16)}-${form.format}"`,
      lastModified: publishedDate,
      body: () => encodeBody(resource, form, definitions),
    };
  };
  const ids = 'resources' in type ? [...type.resources.keys()] : type.ids;
  return {
    name,
    documentation,
    notFound,
    ids,
    interactions: [read],
    read: readDefinition,
    searchParameters: [],
    searchCombinations: [],
  };
}

/** Open reference data: pages of every origin may read it. */
const OPEN_HEADERS = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  EXPOSED_HEADERS,
  'X-Content-Type-Options',
  'nosniff',
];

/** For each thread, in megabytes: the bodies of the last 800 pages, or of about 18,000 reads. */
const SLABS_KEPT = 32;

/** Begins the key of a kept answer. */
function formKey({ format, isPretty }: Form): string {
  return isPretty ? `${format} pretty` : format;
}

/** The national service also found codes in lower case. Letters outside ASCII stay as they are. */
function findRow({ index }: Edition, id: string): { row: number; code: string } | undefined {
  const row = index.rowOf(id);
  if (row !== undefined) return { row, code: id };
  if (!ASCII_CODE.test(id)) return undefined;
  const code = id.toUpperCase();
  const other = index.rowOf(code);
  return other === undefined ? undefined : { row: other, code };
}

const ASCII_CODE = /^[A-Za-z0-9]+$/;

function organizationBody(
  rendered: RenderedEdition,
  row: number,
  form: Form,
  writer: ByteWriter,
  definitions: Definitions,
): Uint8Array | string {
  const { templates } = rendered;
  const { format } = form;
  if (form.isPretty) {
    const resource = format === 'json' ? rendered.jsonAt(row) : rendered.organizationAt(row);
    return encodeBody(resource, form, definitions);
  }
  if (format === 'json') return writer.wholeBody(templates.json, row);
  writer.start();
  writer.text(XML_DECLARATION + XML_ROOT);
  writer.body(templates.xml, row);
  return writer.finish();
}
